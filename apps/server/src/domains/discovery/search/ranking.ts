import type { SearchKind } from '@atrium/contract/discovery/search'
import type { Candidate, ParsedQuery } from '#platform/search-source.ts'
import { pinyinOf } from '#platform/text/pinyin.ts'
import { plainText } from '#platform/text/tokenize-chinese.ts'

/**
 * Ranks results. All ranking rules are in this file; `ranking-cases.json` defines the expected outcomes.
 *
 * The weight of a result is its fit to the typed text (0 to 1), plus small bonuses for kind, popularity, recency and
 * what people of the same class opened after such a search. Bonuses never lift a poor fit above a good one.
 */
export function weightOf(
  kind: SearchKind,
  fit: number,
  candidate: Candidate,
  { learned = 0, now = Date.now() } = {},
): number {
  if (fit === 0) return 0
  const days = candidate.at ? Math.abs(now - Date.parse(candidate.at)) / 86_400_000 : undefined
  return (
    fit +
    preference[kind] +
    0.06 * Math.min(1, candidate.popularity ?? 0) +
    (days === undefined ? 0 : 0.05 * Math.exp(-days / 60)) +
    0.06 * Math.min(1, learned)
  )
}

/** Bonus per kind: what people mostly want after typing a few letters. */
const preference: Record<SearchKind, number> = {
  service: 0.05,
  guide: 0.01,
  question: 0.03,
  page: 0.02,
  place: 0.03,
  person: 0.03,
  column: 0.01,
  news: 0,
  message: 0,
  task: 0.01,
  todo: 0.01,
  event: 0.01,
  file: 0,
}

/** From this fit on, the typed text is considered free of errors. */
export const exactFit = 0.68

/** Fit from 0 (no match) to 1 (exact name). */
export function fitOf(query: ParsedQuery, candidate: Candidate): number {
  const direct = fitOfText(query.text, query.words, candidate)
  const variantFits = query.variants.map(
    (text) => 0.92 * fitOfText(text, text.split(' '), candidate),
  )
  return Math.max(direct, ...variantFits)
}

function fitOfText(text: string, words: readonly string[], candidate: Candidate): number {
  const { titles, titleEn, tags, body } = normalizedOf(candidate)
  return Math.max(
    ...titles.map((title) => fitOfName(text, title)),
    ...tags.map((tag) => 0.9 * fitOfName(text, tag)),
    fitOfSound(text, candidate.title),
    isLatin(text) ? fitOfTypo(text, titleEn) : 0,
    fitOfWords(words, titles, tags, body),
  )
}

/** Normalised texts of candidates, cached for those that stay in memory. */
const normalizedTexts = new WeakMap<Candidate, ReturnType<typeof normalize>>()
function normalizedOf(candidate: Candidate) {
  const cached = normalizedTexts.get(candidate)
  if (cached) return cached
  const normalized = normalize(candidate)
  normalizedTexts.set(candidate, normalized)
  return normalized
}
const normalize = ({ title, titleEn = '', words = [], text = '', textEn = '' }: Candidate) => ({
  titles: [title, titleEn].filter(Boolean).map(plainText),
  titleEn: plainText(titleEn),
  tags: words.map(plainText),
  body: plainText(`${text} ${textEn}`),
})

/** Fit of a name that equals, starts with or contains the text; higher the more of the name was typed. */
function fitOfName(text: string, name: string): number {
  if (name === text) return 1
  const part = text.length / name.length
  if (name.startsWith(text)) return 0.82 + 0.12 * part
  // The text starts a word within the name.
  if (/[a-z0-9]/.test(text[0] ?? '') ? ` ${name}`.includes(` ${text}`) : name.includes(text))
    return 0.72 + 0.12 * part
  // The text contains the name: “图书馆几点关门”.
  if (name.length > 1 && hasName(text, name)) return 0.55 + 0.2 * (name.length / text.length)
  return text.length > 2 && name.includes(text) ? 0.4 : 0
}

const hasName = (text: string, name: string) =>
  /[a-z0-9]/.test(name[0] ?? '') ? ` ${text} `.includes(` ${name} `) : text.includes(name)

const isLatin = (text: string) => /^[a-z0-9' -]+$/.test(text)

/** Fit by sound: pinyin or initials of a Chinese name, or Chinese characters that sound alike. */
function fitOfSound(text: string, title: string): number {
  if (!/\p{Script=Han}/u.test(title)) return fitOfTypo(text, plainText(title))
  const { pinyin, initials } = cachedPinyin(title)
  const typed = isLatin(text) ? text.replaceAll(/[ '-]/g, '') : cachedPinyin(text).pinyin
  if (typed.length < 2) return 0
  const discount = isLatin(text) ? 1 : 0.92
  if (pinyin === typed) return 0.94 * discount
  if (pinyin.startsWith(typed)) return (0.78 + 0.12 * (typed.length / pinyin.length)) * discount
  if (isLatin(text)) {
    if (initials === typed) return 0.84
    if (initials.startsWith(typed)) return 0.7 + 0.1 * (typed.length / initials.length)
    if (typed.length > 1 && initials.includes(typed)) return 0.55
  }
  if (typed.length > 3 && pinyin.includes(typed)) return 0.66 * discount
  // The text contains the pinyin of the name: “tushuguanjidianguanmen”.
  if (pinyin.length > 4 && typed.includes(pinyin))
    return (0.5 + 0.2 * (pinyin.length / typed.length)) * discount
  return fitOfTypo(typed, pinyin) * discount
}

/**
 * Fit with typing errors: one in at least four letters, two from eight on, compared with the name, its beginning and
 * its words.
 */
function fitOfTypo(typed: string, name: string): number {
  if (typed.length < 4) return 0
  const maxDistance = typed.length < 8 ? 1 : 2
  // The beginning may be one letter longer or shorter than the text.
  const prefixes = [-1, 0, 1].map((more) => name.slice(0, typed.length + more))
  const targets = [name, ...prefixes, ...name.split(' ')]
  let best = maxDistance + 1
  for (const one of targets)
    if (Math.abs(one.length - typed.length) < best)
      best = Math.min(best, editDistance(typed, one, maxDistance))
  return best > maxDistance ? 0 : 0.66 - 0.08 * best
}

/** Edit distance including transpositions; `maxDistance + 1` if it is larger than `maxDistance`. */
export function editDistance(one: string, other: string, maxDistance: number): number {
  let rowBeforeLast: number[] = []
  let lastRow = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    let rowMin = i
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let value = Math.min(
        (lastRow[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (lastRow[j - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        value = Math.min(value, (rowBeforeLast[j - 2] ?? 0) + 1)
      row.push(value)
      rowMin = Math.min(rowMin, value)
    }
    if (rowMin > maxDistance) return maxDistance + 1
    rowBeforeLast = lastRow
    lastRow = row
  }
  return Math.min(lastRow[other.length] ?? 0, maxDistance + 1)
}

/** Fit by the share of typed words found in title, tags and body; long words count more. */
function fitOfWords(
  words: readonly string[],
  titles: readonly string[],
  tags: readonly string[],
  body: string,
): number {
  let total = 0
  let matched = 0
  let inTitle = 0
  for (const word of words) {
    const weight = Math.min(word.length, 6) * (isLatin(word) ? 0.5 : 1)
    total += weight
    const isInName =
      titles.some((title) => containsWord(title, word)) ||
      tags.some((tag) => containsWord(tag, word))
    if (isInName) inTitle += weight
    if (isInName || containsWord(body, word)) matched += weight
  }
  if (total === 0) return 0
  const share = matched / total
  // Too few of the words match.
  if (share < 0.34) return 0
  return share * (0.32 + 0.38 * (inTitle / total))
}

const containsWord = (text: string, word: string) =>
  isLatin(word)
    ? ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`.includes(` ${word}`)
    : text.includes(word)

/** Cache of pinyin by name. */
const sounds = new Map<string, ReturnType<typeof pinyinOf>>()
const maxSounds = 20_000
export function cachedPinyin(name: string) {
  const cached = sounds.get(name)
  if (cached) return cached
  if (sounds.size >= maxSounds) sounds.clear()
  const sound = pinyinOf(name)
  sounds.set(name, sound)
  return sound
}
