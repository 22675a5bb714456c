import type { Jieba } from '@node-rs/jieba'

/**
 * Chinese is written without spaces: texts are cut into words before they become a `tsvector('simple')`. The dictionary
 * takes a moment and some memory, so it is loaded by the first who needs it.
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

/** Full-width letters, ligatures and capitals mean the same as their plain forms. */
export const plainText = (text: string) => text.normalize('NFKC').toLowerCase()

/** Spaces, marks and signs are no words. */
const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text)

/** The words a text is found by, long ones also by the words within them: `to_tsvector('simple', words.join(' '))`. */
export async function wordsToIndex(text: string): Promise<string[]> {
  return (await jieba()).cutForSearch(plainText(text), true).filter(isWord)
}

/** The words somebody looks for, each once. */
export async function wordsToFind(text: string): Promise<string[]> {
  return [...new Set((await jieba()).cut(plainText(text), true).filter(isWord))]
}

/**
 * What `to_tsquery('simple', …)` reads: all of these words, each in one of its forms, and each as the beginning of a word.
 * Empty when there is no word in it.
 */
export const queryText = (words: readonly (readonly string[])[]): string =>
  words
    .map((forms) => forms.map(lexeme).filter(Boolean).join(' | '))
    .filter(Boolean)
    .map((forms) => `(${forms})`)
    .join(' & ')

/** Quoted, so that what somebody types is never read as an operator. */
const lexeme = (word: string) => {
  const plain = word.replaceAll(/['\\\0]/g, ' ').trim()
  return plain && `'${plain}':*`
}

/** Every word of a text in its order, each with the words within it: what is said in quotes is found by its place. */
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
