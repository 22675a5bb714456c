import type { Language } from '@atrium/contract/error-texts'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

const languages = ['zh', 'en'] as const
const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The supported language the caller prefers; Chinese if none matches. */
export function languageOf(acceptLanguage: string | undefined): Language {
  // Drop regions and duplicates: negotiator ranks a later `zh` above an earlier `en-GB`, and of equal tags the last
  // counts.
  const tags = (acceptLanguage ?? '')
    .slice(0, 200)
    .replaceAll(/-[\w-]+|\s/g, '')
    .split(',')
  const headers = { 'accept-language': [...new Set(tags)].join() }
  const wanted = new Negotiator({ headers }).language([...languages])
  return languages.find((language) => language === wanted) ?? 'zh'
}

/** Distinct headers are few, and every response needs one. */
const known = new LRUCache<string, { encoding: Encoding | undefined }>({ max: 100 })

/** The compression for a response: Brotli if the client accepts it, even if it prefers gzip. */
export function encodingOf(acceptEncoding: string): Encoding | undefined {
  const found = known.get(acceptEncoding)
  if (found) return found.encoding
  const headers = { 'accept-encoding': acceptEncoding.slice(0, 200) }
  const taken = new Negotiator({ headers }).encodings([...encodings])
  const encoding = encodings.find((one) => taken.includes(one))
  known.set(acceptEncoding, { encoding })
  return encoding
}
