import { wordsInOrder } from '#platform/text/tokenize-chinese.ts'

type Weight = 'A' | 'B' | 'D'
export type Texts = {
  title: string
  title_en: string
  summary: string
  body: string
  body_en: string
}

/** PostgreSQL's limits: positions per lexeme, highest position, and our limit on lexeme length. */
const maxPlaces = 255
const lastPlace = 16_383
const maxWord = 100
/** Position gap between texts, so that no quoted phrase matches across two of them. */
const gap = 10

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
export async function articleVector(article: Texts): Promise<string> {
  const places = new Map<string, string[]>()
  let place = 0
  const add = (word: string, weight: Weight) => {
    const lexeme = word.slice(0, maxWord).toWellFormed()
    const known = places.get(lexeme) ?? []
    const entry = `${Math.min(place, lastPlace)}${weight === 'D' ? '' : weight}`
    if (known.length < maxPlaces && known.at(-1) !== entry) known.push(entry)
    places.set(lexeme, known)
  }
  const texts: [string, Weight][] = [
    [article.title, 'A'],
    [article.title_en, 'A'],
    [article.summary, 'B'],
    [textOf(article.body), 'D'],
    [textOf(article.body_en), 'D'],
  ]
  for (const [text, weight] of texts) {
    place += gap
    for (const { word, parts } of await wordsInOrder(text)) {
      place += 1
      add(word, weight)
      for (const part of parts) add(part, weight)
    }
  }
  return [...places].map(([word, at]) => `${quoted(word)}:${at.join(',')}`).join(' ')
}

const maxWords = 20

export type Wanted = {
  /** in tsquery syntax */
  query: string
  /** words to highlight */
  words: string[]
}

/** Parses a search: all words must match, quoted ones as a phrase. Undefined if the text contains no words. */
export async function wantedWords(typed: string): Promise<Wanted | undefined> {
  const parts: string[] = []
  const words: string[] = []
  for (const piece of typed.matchAll(/["“”«「『]([^"“”»」』]*)["“”»」』]|([^"“”«「『]+)|./gu)) {
    const [, phrase, loose] = piece
    const found = await wordsInOrder(phrase ?? loose ?? '')
    if (phrase !== undefined) {
      if (found.length === 0) continue
      // Phrases match words in this order, also within longer words.
      parts.push(`(${found.map(({ word }) => quoted(word)).join(' <-> ')})`)
      words.push(phrase.trim())
      continue
    }
    for (const { word } of found) {
      // A prefix match: a word in Latin letters may be incomplete.
      parts.push(/^[\p{Script=Latin}\d]{2,}$/u.test(word) ? `${quoted(word)}:*` : quoted(word))
      words.push(word)
    }
  }
  const query = [...new Set(parts)].slice(0, maxWords).join(' & ')
  return query ? { query, words: [...new Set(words)].slice(0, maxWords) } : undefined
}

const quoted = (word: string) =>
  `'${word.slice(0, maxWord).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const before = 30
const longest = 120

/** The part of these texts around the first match, else the beginning. */
export function excerptOf(texts: readonly string[], words: readonly string[]): string {
  for (const text of texts) {
    const plain = text.toLowerCase()
    const places = words.map((word) => plain.indexOf(word.toLowerCase())).filter((at) => at >= 0)
    if (places.length === 0) continue
    const start = Math.min(...places) - before
    const from = start < before / 2 ? 0 : start
    const stretch = text
      .slice(from, from + longest)
      .toWellFormed()
      .trim()
    return `${from > 0 ? '…' : ''}${stretch}${text.length > from + longest ? '…' : ''}`
  }
  const first = texts.find(Boolean) ?? ''
  return first.length > longest ? `${first.slice(0, longest)}…` : first
}
