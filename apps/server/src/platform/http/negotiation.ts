import type { Language } from '@atrium/contract/error-texts'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

const languages = ['zh', 'en'] as const
const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The language of ours that the caller wants most; Chinese where it wants none of them. */
export function languageOf(acceptLanguage: string | undefined): Language {
  // Regions are all the same here: negotiator has a later `zh` outdo an earlier `en-GB`, and the last of two equal tags count.
  const tags = (acceptLanguage ?? '')
    .slice(0, 200)
    .replaceAll(/-[\w-]+|\s/g, '')
    .split(',')
  const headers = { 'accept-language': [...new Set(tags)].join() }
  const wanted = new Negotiator({ headers }).language([...languages])
  return languages.find((language) => language === wanted) ?? 'zh'
}

/** Callers are many and their headers few, and every answer asks. */
const known = new LRUCache<string, { encoding: Encoding | undefined }>({ max: 100 })

/** What an answer is compressed with: Brotli for whoever takes it, however much the caller likes gzip. */
export function encodingOf(acceptEncoding: string): Encoding | undefined {
  const found = known.get(acceptEncoding)
  if (found) return found.encoding
  const headers = { 'accept-encoding': acceptEncoding.slice(0, 200) }
  const taken = new Negotiator({ headers }).encodings([...encodings])
  const encoding = encodings.find((one) => taken.includes(one))
  known.set(acceptEncoding, { encoding })
  return encoding
}
