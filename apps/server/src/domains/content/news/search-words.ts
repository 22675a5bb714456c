import { wordsInOrder } from '#platform/text/tokenize-chinese.ts'

type Weight = 'A' | 'B' | 'D'
export type ArticleTexts = {
  title: string
  title_en: string
  summary: string
  body: string
  body_en: string
}

/** PostgreSQL's limits: positions per lexeme, highest position, and our limit on lexeme length. */
const maxPositions = 255
const maxPosition = 16_383
const maxLexemeLength = 100
/** Position gap between texts, so that no quoted phrase matches across two of them. */
const positionGap = 10

/** Plain text of a sanitised text. Brackets in texts and attributes are escaped, so tags can be matched by pattern. */
export const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|nbsp);/g, (entity) => entities[entity] ?? ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** The words of an article in tsvector syntax, weighted: title before summary before text. */
export async function articleVector(article: ArticleTexts): Promise<string> {
  const positions = new Map<string, string[]>()
  let position = 0
  const add = (word: string, weight: Weight) => {
    const lexeme = word.slice(0, maxLexemeLength).toWellFormed()
    const entries = positions.get(lexeme) ?? []
    const entry = `${Math.min(position, maxPosition)}${weight === 'D' ? '' : weight}`
    if (entries.length < maxPositions && entries.at(-1) !== entry) entries.push(entry)
    positions.set(lexeme, entries)
  }
  const texts: [string, Weight][] = [
    [article.title, 'A'],
    [article.title_en, 'A'],
    [article.summary, 'B'],
    [textOf(article.body), 'D'],
    [textOf(article.body_en), 'D'],
  ]
  for (const [text, weight] of texts) {
    position += positionGap
    for (const { word, parts } of await wordsInOrder(text)) {
      position += 1
      add(word, weight)
      for (const part of parts) add(part, weight)
    }
  }
  return [...positions].map(([word, list]) => `${quoteLexeme(word)}:${list.join(',')}`).join(' ')
}

const maxWords = 20

export type SearchQuery = {
  /** in tsquery syntax */
  query: string
  /** words to highlight */
  words: string[]
}

/** Parses a search: all words must match, quoted ones as a phrase. Undefined if the text contains no words. */
export async function parseSearchQuery(text: string): Promise<SearchQuery | undefined> {
  const parts: string[] = []
  const words: string[] = []
  for (const piece of text.matchAll(/["“”«「『]([^"“”»」』]*)["“”»」』]|([^"“”«「『]+)|./gu)) {
    const [, phrase, loose] = piece
    const found = await wordsInOrder(phrase ?? loose ?? '')
    if (phrase !== undefined) {
      if (found.length === 0) continue
      // Phrases match words in this order, also within longer words.
      parts.push(`(${found.map(({ word }) => quoteLexeme(word)).join(' <-> ')})`)
      words.push(phrase.trim())
      continue
    }
    for (const { word } of found) {
      // A prefix match: a word in Latin letters may be incomplete.
      parts.push(
        /^[\p{Script=Latin}\d]{2,}$/u.test(word) ? `${quoteLexeme(word)}:*` : quoteLexeme(word),
      )
      words.push(word)
    }
  }
  const query = [...new Set(parts)].slice(0, maxWords).join(' & ')
  return query ? { query, words: [...new Set(words)].slice(0, maxWords) } : undefined
}

const quoteLexeme = (word: string) =>
  `'${word.slice(0, maxLexemeLength).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const contextLength = 30
const maxExcerpt = 120

/** The part of these texts around the first match, else the beginning. */
export function excerptOf(texts: readonly string[], words: readonly string[]): string {
  for (const text of texts) {
    const lower = text.toLowerCase()
    const positions = words
      .map((word) => lower.indexOf(word.toLowerCase()))
      .filter((index) => index >= 0)
    if (positions.length === 0) continue
    const start = Math.min(...positions) - contextLength
    const from = start < contextLength / 2 ? 0 : start
    const excerpt = text
      .slice(from, from + maxExcerpt)
      .toWellFormed()
      .trim()
    return `${from > 0 ? '…' : ''}${excerpt}${text.length > from + maxExcerpt ? '…' : ''}`
  }
  const first = texts.find(Boolean) ?? ''
  return first.length > maxExcerpt ? `${first.slice(0, maxExcerpt)}…` : first
}
