import { pinyin } from 'pinyin-pro'

const maxCharacters = 12
const maxWord = 60

/** All suffixes of a list, each joined: possible starts of typing. */
const suffixes = (parts: readonly string[]) => parts.map((_, index) => parts.slice(index).join(''))

/**
 * Search words of a member, matched by prefix, in lower case: every suffix of the name, also as pinyin and as initials,
 * each word of the English name and the whole of it, and the username.
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
  // Use the surname reading for the first character.
  const syllables = chinese
    ? pinyin(characters.join(''), { surname: 'head', toneType: 'none', type: 'array' })
    : []
  const latin = [chinese ? '' : name, nameEn].flatMap((text) => {
    const words = text.split(/[\s·.,-]+/).filter(Boolean)
    return [...words, words.join('')]
  })
  const words = [
    ...(chinese ? suffixes(characters) : []),
    ...suffixes(syllables),
    ...suffixes(syllables.map((syllable) => syllable.charAt(0))),
    ...latin,
    username,
  ].map((word) => word.normalize('NFC').toLowerCase().slice(0, maxWord))
  return [...new Set(words.filter(Boolean))]
}

/** Splits typed text into words, longest first; a member must match the prefix of each. */
export const typedWords = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.slice(0, maxWord))
    .slice(0, 5)
    .sort((one, other) => other.length - one.length)
