import { type SearchKind, searchKinds } from '@atrium/contract/discovery/search'
import { LRUCache } from 'lru-cache'
import MiniSearch from 'minisearch'
import { defineState } from '#platform/area-state.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import {
  type Entry,
  type EntrySource,
  type ParsedQuery,
  searchable,
} from '#platform/search-source.ts'
import { wordsToIndex } from '#platform/text/tokenize-chinese.ts'
import { cachedPinyin, exactFit, fitOf } from './ranking.ts'

/** Maximum number of matching entries that are ranked per source. */
const maxRanked = 200
/**
 * Cache size in entries. Index results are cached until the index changes, since many people search for the same words.
 */
const maxCachedEntries = 20_000

type Document = { id: string; title: string; sound: string; words: string; text: string }
type SourceIndex = {
  index: MiniSearch<Document>
  entries: Map<string, { entry: Entry; texts: string }>
  /** by query: matching entries regardless of viewer, best match first */
  hitCache: LRUCache<string, Hit[]>
  stamp: number | undefined
  pendingUpdate: Promise<void> | undefined
}
type Hit = { entry: Entry; fit?: number }
/** A matching entry and how well it fits, from 0 to 1. */
export type Match = { kind: SearchKind; entry: Entry; fit: number }

/** In-memory index of each source. */
const indexesOf = defineState(() => new Map<EntrySource, SourceIndex>())

const separator = '\n'
const createIndex = (): SourceIndex => ({
  index: new MiniSearch<Document>({
    fields: ['title', 'sound', 'words', 'text'],
    // The words are already split, because Chinese has no spaces.
    tokenize: (text) => text.split(separator),
    processTerm: (term) => term || null,
    autoVacuum: true,
  }),
  entries: new Map(),
  hitCache: new LRUCache({
    maxSize: maxCachedEntries,
    sizeCalculation: (hits: Hit[]) => hits.length + 1,
  }),
  stamp: undefined,
  pendingUpdate: undefined,
})

/** The sources of these kinds, with up-to-date indexes. */
async function currentIndexes(platform: Platform, kinds: ReadonlySet<SearchKind>) {
  const all = indexesOf(platform)
  const sources = searchable
    .all()
    .flatMap(({ entries }) => entries ?? [])
    .filter(({ kind }) => kinds.has(kind))
  return Promise.all(
    sources.map(async (source) => {
      const sourceIndex = all.get(source) ?? createIndex()
      all.set(source, sourceIndex)
      const stamp = platform.topics.stamp(source.topics)
      if (sourceIndex.stamp !== stamp || !platform.topics.connected()) {
        sourceIndex.pendingUpdate ??= update(platform, source, sourceIndex, stamp).finally(() => {
          sourceIndex.pendingUpdate = undefined
        })
        await sourceIndex.pendingUpdate
      }
      return { source, sourceIndex }
    }),
  )
}

/** Builds all in-memory indexes, which also loads the dictionaries. */
export const indexAll = (platform: Platform) => currentIndexes(platform, new Set(searchKinds))

/** Re-indexes only entries whose texts changed. */
async function update(
  platform: Platform,
  source: EntrySource,
  sourceIndex: SourceIndex,
  stamp: number,
) {
  const entries = await source.entries(platform)
  const removed = new Set(sourceIndex.entries.keys())
  for (const entry of entries) {
    removed.delete(entry.id)
    const texts = JSON.stringify([
      entry.title,
      entry.titleEn,
      entry.words,
      entry.text,
      entry.textEn,
    ])
    const existing = sourceIndex.entries.get(entry.id)
    if (existing?.texts !== texts) {
      const document = await documentOf(entry)
      if (existing) sourceIndex.index.replace(document)
      else sourceIndex.index.add(document)
    }
    sourceIndex.entries.set(entry.id, { entry, texts })
  }
  for (const id of removed) {
    sourceIndex.index.discard(id)
    sourceIndex.entries.delete(id)
  }
  sourceIndex.hitCache.clear()
  sourceIndex.stamp = stamp
}

async function documentOf(entry: Entry): Promise<Document> {
  const splitWords = async (...texts: (string | undefined)[]) =>
    [...new Set(await wordsToIndex(texts.filter(Boolean).join(' ')))].join(separator)
  return {
    id: entry.id,
    title: await splitWords(entry.title, entry.titleEn),
    sound: [...soundsFrom(entry.title), ...(await soundsOfWords(entry.title))].join(separator),
    words: await splitWords(...(entry.words ?? [])),
    text: await splitWords(entry.text, entry.textEn),
  }
}

/** Pinyin and initials of every suffix of a name, because people may start typing anywhere. */
function soundsFrom(title: string): string[] {
  const sounds = new Set<string>()
  for (const run of title.match(/\p{Script=Han}{1,20}/gu) ?? []) {
    const letters = [...run]
    for (let start = 0; start < Math.max(1, letters.length - 1); start++) {
      const { pinyin, initials } = cachedPinyin(letters.slice(start).join(''))
      sounds.add(pinyin)
      if (initials.length > 1) sounds.add(initials)
    }
  }
  return [...sounds]
}

/** Pinyin of each word: misspelt text is compared with whole words, not prefixes. */
const soundsOfWords = async (title: string) =>
  (await wordsToIndex(title))
    .filter((word) => /^\p{Script=Han}{2,}$/u.test(word))
    .map((word) => cachedPinyin(word).pinyin)

/** Whether the viewer may find the entry now. */
function isVisible(entry: Entry, viewer: Viewer, now: string) {
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
  query: ParsedQuery,
  kinds: ReadonlySet<SearchKind>,
): Promise<Match[]> {
  const sources = await currentIndexes(platform, kinds)
  const matches = matchesIn(sources, viewer, query, false)
  return matches.some(({ fit }) => fit >= exactFit)
    ? matches
    : matchesIn(sources, viewer, query, true)
}

function matchesIn(
  sources: Awaited<ReturnType<typeof currentIndexes>>,
  viewer: Viewer,
  query: ParsedQuery,
  allowTypos: boolean,
): Match[] {
  const now = new Date().toISOString()
  return sources.flatMap(({ source, sourceIndex }) =>
    hitsIn(sourceIndex, query, allowTypos)
      .filter(({ entry }) => isVisible(entry, viewer, now))
      .slice(0, maxRanked)
      .map((hit) => {
        hit.fit ??= fitOf(query, hit.entry)
        return { kind: source.kind, entry: hit.entry, fit: hit.fit }
      }),
  )
}

function hitsIn(
  { index, entries, hitCache }: SourceIndex,
  query: ParsedQuery,
  allowTypos: boolean,
): Hit[] {
  const key = JSON.stringify([query.text, query.variants, allowTypos])
  const cached = hitCache.get(key)
  if (cached) return cached
  const hits = index
    .search(
      { combineWith: 'OR', queries: queriesOf(query, allowTypos) },
      { boost: { title: 4, sound: 3, words: 3, text: 1 } },
    )
    .flatMap(({ id }): Hit[] => {
      const entry = entries.get(id)?.entry
      return entry ? [{ entry }] : []
    })
  hitCache.set(key, hits)
  return hits
}

const queriesOf = ({ text, words, variants }: ParsedQuery, allowTypos: boolean) => {
  const latin = text.replaceAll(/[^a-z0-9]/g, '')
  const sound = /\p{Script=Han}/u.test(text) ? cachedPinyin(text).pinyin : latin
  return [
    {
      queries: [...words, ...variants.flatMap((variant) => [variant, ...variant.split(' ')])],
      fields: ['title', 'words', 'text'],
      prefix: (term: string) => term.length > 1 || !/[a-z0-9]/.test(term),
      fuzzy: (term: string) => (allowTypos && /^[a-z]{4,}$/.test(term) ? 0.25 : false),
    },
    ...(sound.length > 1
      ? [
          {
            queries: [sound],
            fields: ['sound'],
            prefix: true,
            fuzzy: allowTypos && sound.length > 4 ? 0.25 : false,
          },
        ]
      : []),
  ]
}

/** The best match; among equals the most popular. */
export function bestMatch(matches: readonly Match[]): Match | undefined {
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
