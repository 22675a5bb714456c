import { type SearchKind, searchKinds } from '@atrium/contract/discovery/search'
import { LRUCache } from 'lru-cache'
import MiniSearch from 'minisearch'
import type { Viewer } from '#platform/http/guard.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { type Entry, type EntrySource, searchable, type Wanted } from '#platform/search-source.ts'
import { wordsToIndex } from '#platform/text/tokenize-chinese.ts'
import { exactFit, fitOf, soundOf } from './ranking.ts'

/** Maximum number of matching entries that are ranked per source. */
const maxWeighed = 200
/**
 * Cache size in entries. Index results are cached until the index changes, since many people search for the same words.
 */
const maxRemembered = 20_000

type Document = { id: string; title: string; sound: string; words: string; text: string }
type Kept = {
  index: MiniSearch<Document>
  entries: Map<string, { entry: Entry; texts: string }>
  /** by query: matching entries regardless of viewer, best match first */
  remembered: LRUCache<string, Hit[]>
  stamp: number | undefined
  updating: Promise<void> | undefined
}
type Hit = { entry: Entry; fit?: number }
/** A matching entry and how well it fits, from 0 to 1. */
export type Match = { kind: SearchKind; entry: Entry; fit: number }

/** In-memory index of each source. */
const keptOf = definePart(() => new Map<EntrySource, Kept>())

const separator = '\n'
const open = (): Kept => ({
  index: new MiniSearch<Document>({
    fields: ['title', 'sound', 'words', 'text'],
    // The words are already split, because Chinese has no spaces.
    tokenize: (text) => text.split(separator),
    processTerm: (term) => term || null,
    autoVacuum: true,
  }),
  entries: new Map(),
  remembered: new LRUCache({
    maxSize: maxRemembered,
    sizeCalculation: (hits: Hit[]) => hits.length + 1,
  }),
  stamp: undefined,
  updating: undefined,
})

/** The sources of these kinds, with up-to-date indexes. */
async function current(platform: Platform, kinds: ReadonlySet<SearchKind>) {
  const all = keptOf(platform)
  const sources = searchable
    .all()
    .flatMap(({ entries }) => entries ?? [])
    .filter(({ kind }) => kinds.has(kind))
  return Promise.all(
    sources.map(async (source) => {
      const kept = all.get(source) ?? open()
      all.set(source, kept)
      const stamp = platform.topics.stamp(source.topics)
      if (kept.stamp !== stamp || !platform.topics.connected()) {
        kept.updating ??= update(platform, source, kept, stamp).finally(() => {
          kept.updating = undefined
        })
        await kept.updating
      }
      return { source, kept }
    }),
  )
}

/** Builds all in-memory indexes, which also loads the dictionaries. */
export const indexAll = (platform: Platform) => current(platform, new Set(searchKinds))

/** Re-indexes only entries whose texts changed. */
async function update(platform: Platform, source: EntrySource, kept: Kept, stamp: number) {
  const entries = await source.entries(platform)
  const gone = new Set(kept.entries.keys())
  for (const entry of entries) {
    gone.delete(entry.id)
    const texts = JSON.stringify([
      entry.title,
      entry.titleEn,
      entry.words,
      entry.text,
      entry.textEn,
    ])
    const before = kept.entries.get(entry.id)
    if (before?.texts !== texts) {
      const document = await documentOf(entry)
      if (before) kept.index.replace(document)
      else kept.index.add(document)
    }
    kept.entries.set(entry.id, { entry, texts })
  }
  for (const id of gone) {
    kept.index.discard(id)
    kept.entries.delete(id)
  }
  kept.remembered.clear()
  kept.stamp = stamp
}

async function documentOf(entry: Entry): Promise<Document> {
  const cut = async (...texts: (string | undefined)[]) =>
    [...new Set(await wordsToIndex(texts.filter(Boolean).join(' ')))].join(separator)
  return {
    id: entry.id,
    title: await cut(entry.title, entry.titleEn),
    sound: [...soundsFrom(entry.title), ...(await soundsOfWords(entry.title))].join(separator),
    words: await cut(...(entry.words ?? [])),
    text: await cut(entry.text, entry.textEn),
  }
}

/** Pinyin and initials of every suffix of a name, because people may start typing anywhere. */
function soundsFrom(title: string): string[] {
  const found = new Set<string>()
  for (const run of title.match(/\p{Script=Han}{1,20}/gu) ?? []) {
    const letters = [...run]
    for (let at = 0; at < Math.max(1, letters.length - 1); at++) {
      const { pinyin, initials } = soundOf(letters.slice(at).join(''))
      found.add(pinyin)
      if (initials.length > 1) found.add(initials)
    }
  }
  return [...found]
}

/** Pinyin of each word: misspelt text is compared with whole words, not prefixes. */
const soundsOfWords = async (title: string) =>
  (await wordsToIndex(title))
    .filter((word) => /^\p{Script=Han}{2,}$/u.test(word))
    .map((word) => soundOf(word).pinyin)

/** Whether the viewer may find the entry now. */
function isShown(entry: Entry, viewer: Viewer, now: string) {
  if (entry.from && entry.from > now) return false
  if (entry.until && entry.until <= now) return false
  if (entry.shownTo === 'everybody') return true
  if (entry.shownTo === 'members') return viewer.signedIn
  return viewer.audiences.includes(entry.shownTo.audienceId)
}

/**
 * Matching entries of these kinds visible to the viewer, unordered. The expensive search for typing errors runs only if
 * nothing matches the name as typed.
 */
export async function findEntries(
  platform: Platform,
  viewer: Viewer,
  wanted: Wanted,
  kinds: ReadonlySet<SearchKind>,
): Promise<Match[]> {
  const sources = await current(platform, kinds)
  const found = matchesIn(sources, viewer, wanted, false)
  return found.some(({ fit }) => fit >= exactFit) ? found : matchesIn(sources, viewer, wanted, true)
}

function matchesIn(
  sources: Awaited<ReturnType<typeof current>>,
  viewer: Viewer,
  wanted: Wanted,
  withErrors: boolean,
): Match[] {
  const now = new Date().toISOString()
  return sources.flatMap(({ source, kept }) =>
    hitsIn(kept, wanted, withErrors)
      .filter(({ entry }) => isShown(entry, viewer, now))
      .slice(0, maxWeighed)
      .map((hit) => {
        hit.fit ??= fitOf(wanted, hit.entry)
        return { kind: source.kind, entry: hit.entry, fit: hit.fit }
      }),
  )
}

function hitsIn({ index, entries, remembered }: Kept, wanted: Wanted, withErrors: boolean): Hit[] {
  const key = JSON.stringify([wanted.text, wanted.variants, withErrors])
  const known = remembered.get(key)
  if (known) return known
  const found = index
    .search(
      { combineWith: 'OR', queries: queriesOf(wanted, withErrors) },
      { boost: { title: 4, sound: 3, words: 3, text: 1 } },
    )
    .flatMap(({ id }): Hit[] => {
      const entry = entries.get(id)?.entry
      return entry ? [{ entry }] : []
    })
  remembered.set(key, found)
  return found
}

const queriesOf = ({ text, words, variants }: Wanted, withErrors: boolean) => {
  const latin = text.replaceAll(/[^a-z0-9]/g, '')
  const sound = /\p{Script=Han}/u.test(text) ? soundOf(text).pinyin : latin
  return [
    {
      queries: [...words, ...variants.flatMap((variant) => [variant, ...variant.split(' ')])],
      fields: ['title', 'words', 'text'],
      prefix: (term: string) => term.length > 1 || !/[a-z0-9]/.test(term),
      fuzzy: (term: string) => (withErrors && /^[a-z]{4,}$/.test(term) ? 0.25 : false),
    },
    ...(sound.length > 1
      ? [
          {
            queries: [sound],
            fields: ['sound'],
            prefix: true,
            fuzzy: withErrors && sound.length > 4 ? 0.25 : false,
          },
        ]
      : []),
  ]
}

/** The best match; among equals the most popular. */
export function bestOf(matches: readonly Match[]): Match | undefined {
  let best: Match | undefined
  for (const match of matches) {
    if (match.fit === 0) continue
    const isBetter =
      !best ||
      match.fit > best.fit ||
      (match.fit === best.fit && (match.entry.popularity ?? 0) > (best.entry.popularity ?? 0))
    if (isBetter) best = match
  }
  return best
}
