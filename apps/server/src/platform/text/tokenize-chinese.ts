import type { Jieba } from '@node-rs/jieba'

/**
 * Chinese has no spaces, so texts are segmented into words before they become a `tsvector('simple')`. The dictionary
 * takes time and memory, so it is loaded on first use.
 */
let loading: Promise<Jieba> | undefined
const jieba = () => {
  loading ??= (async () => {
    const [{ Jieba }, { dict }] = await Promise.all([
      import('@node-rs/jieba'),
      import('@node-rs/jieba/dict.js'),
    ])
    return Jieba.withDict(dict)
  })()
  return loading
}

/** Normalises full-width letters, ligatures and capitals. */
export const plainText = (text: string) => text.normalize('NFKC').toLowerCase()

/** Excludes spaces, punctuation and symbols. */
const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text)

/** The words to index a text by; long words are also split: `to_tsvector('simple', words.join(' '))`. */
export async function wordsToIndex(text: string): Promise<string[]> {
  return (await jieba()).cutForSearch(plainText(text), true).filter(isWord)
}

/** The distinct words of a search query. */
export async function wordsToFind(text: string): Promise<string[]> {
  return [...new Set((await jieba()).cut(plainText(text), true).filter(isWord))]
}

/**
 * A query for `to_tsquery('simple', …)`: all words must match as prefixes, each in one of its forms. Empty without
 * words.
 */
export const queryText = (words: readonly (readonly string[])[]): string =>
  words
    .map((forms) => forms.map(lexeme).filter(Boolean).join(' | '))
    .filter(Boolean)
    .map((forms) => `(${forms})`)
    .join(' & ')

/** Quoted, so that user input is never parsed as an operator. */
const lexeme = (word: string) => {
  const plain = word.replaceAll(/['\\\0]/g, ' ').trim()
  return plain && `'${plain}':*`
}

/** The words of a text in order, each with the words inside it, for phrase search. */
export async function wordsInOrder(text: string): Promise<{ word: string; parts: string[] }[]> {
  const cutter = await jieba()
  return cutter
    .cut(plainText(text), true)
    .filter(isWord)
    .map((word) => ({
      word,
      parts: cutter.cutForSearch(word, false).filter((part) => part !== word && part.length > 1),
    }))
}
