import type { ParsedQuery } from '#platform/search-source.ts'
import { plainText, wordsToFind } from '#platform/text/tokenize-chinese.ts'

/** Question words and particles, which are ignored. */
const stopWords = new Set(
  (
    '的 了 吗 呢 吧 啊 我 我的 我们 你 您 他 她 它 是 有 在 哪 哪里 哪儿 哪个 什么 怎么 怎样 如何 怎么办 请问 想 要 想要 需要 可以 能 能不能 一下 这 那 和 与 ' +
    'a an the i my me we our you your is are am be do does did can could may how what where when which who why to of for in on at by with and or please get want need it this that'
  ).split(' '),
)
/** Maximum number of variants tried. */
const maxVariants = 6

/** Normalises text: single spaces, NFKC, lower case. */
export const normalizeQuery = (typed: string) => plainText(typed).replaceAll(/\s+/g, ' ').trim()

/** Splits typed text into words and variants. @param synonyms groups of words, by each of their words */
export async function parseQuery(
  typed: string,
  synonyms: ReadonlyMap<string, readonly string[]>,
): Promise<ParsedQuery> {
  const text = normalizeQuery(typed)
  const allWords = await wordsToFind(text)
  const contentWords = allWords.filter((word) => !stopWords.has(word))
  const words = contentWords.length > 0 ? contentWords : allWords
  const variants = new Set<string>()
  for (const synonym of synonyms.get(text) ?? []) variants.add(synonym)
  // Compared with the text, not the words, as the dictionary may split a synonym.
  for (const [word, group] of synonyms)
    if (word.length > 1 && hasWord(text, word))
      for (const synonym of group) variants.add(text.replace(word, synonym))
  variants.delete(text)
  return { text, words, variants: [...variants].slice(0, maxVariants) }
}

const hasWord = (text: string, word: string) =>
  /^[\p{Script=Latin}\d ]+$/u.test(word) ? ` ${text} `.includes(` ${word} `) : text.includes(word)
