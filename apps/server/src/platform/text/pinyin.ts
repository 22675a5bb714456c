import { pinyin } from 'pinyin-pro'

/** Full pinyin and initials of a name, lower case without spaces, for searching without a Chinese keyboard. */
export function pinyinOf(name: string): { pinyin: string; initials: string } {
  const syllables = pinyin(name, { toneType: 'none', type: 'array', nonZh: 'consecutive' }).map(
    (part) => part.toLowerCase().trim(),
  )
  return {
    pinyin: syllables.join('').replaceAll(/\s/g, ''),
    initials: syllables.map((syllable) => syllable.charAt(0)).join(''),
  }
}
