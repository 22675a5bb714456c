import { pinyin } from 'pinyin-pro'

const maxCharacters = 12
const maxWord = 60

/** Each end of a list, joined: what somebody may begin to type. */
const ends = (parts: readonly string[]) => parts.map((_, index) => parts.slice(index).join(''))

/**
 * What a member is found by when somebody types the beginning of it, in lower case: the name from each of its characters on,
 * the same in pinyin and in initials, each word of the English name and all of it, and the username.
 */
export function nameWords({
  name,
  nameEn,
  username,
}: {
  name: string
  nameEn: string
  username: string
}): string[] {
  const chinese = /\p{Script=Han}/u.test(name)
  const characters = [...name.replaceAll(/\s/g, '')].slice(0, maxCharacters)
  // A family name sounds as family names do.
  const syllables = chinese
    ? pinyin(characters.join(''), { surname: 'head', toneType: 'none', type: 'array' })
    : []
  const latin = [chinese ? '' : name, nameEn].flatMap((text) => {
    const words = text.split(/[\s·.,-]+/).filter(Boolean)
    return [...words, words.join('')]
  })
  const words = [
    ...(chinese ? ends(characters) : []),
    ...ends(syllables),
    ...ends(syllables.map((syllable) => syllable.charAt(0))),
    ...latin,
    username,
  ].map((word) => word.normalize('NFC').toLowerCase().slice(0, maxWord))
  return [...new Set(words.filter(Boolean))]
}

/** What was typed, as words of which a member has to have the beginning of each; the longest first. */
export const typedWords = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.slice(0, maxWord))
    .slice(0, 5)
    .sort((one, other) => other.length - one.length)
