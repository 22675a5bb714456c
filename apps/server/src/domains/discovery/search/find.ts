import type {
  SearchGroup,
  SearchKind,
  SearchReply,
  SearchResult,
} from '@atrium/contract/discovery/search'
import { searchKinds } from '@atrium/contract/discovery/search'
import { currentSynonyms } from '#domains/services/services/search.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import {
  type Candidate,
  type ParsedQuery,
  type RecordPage,
  type RecordSource,
  searchable,
} from '#platform/search-source.ts'
import { withTimeout } from '#platform/with-timeout.ts'
import { findDirectAnswer } from './answer.ts'
import { bestMatch, findEntries, type Match } from './entry-index.ts'
import { readLearnedWeights } from './learned.ts'
import { normalizeQuery, parseQuery } from './parse-query.ts'
import { exactFit, fitOf, weightOf } from './ranking.ts'

/**
 * Per-source timeout in ms when searching all kinds; a slower source is reported as `late`. A search of one kind gets
 * `singleKindTimeoutMs`.
 */
const sourceTimeoutMs = 700
const singleKindTimeoutMs = 5_000
/** In-memory entries with a lower weight are dropped; database results already matched by their words. */
const minFit = 0.2
/** Maximum share of one kind in a mixed list. */
const maxShare = 0.6

type Options = {
  kinds?: ReadonlySet<SearchKind>
  limit?: number
  offset?: number
  /** without suggesting corrections */
  exactly?: boolean
}
/** `address` may contain {keyWords}, the search field of a page. */
type WeightedResult = { result: SearchResult; address: string; weight: number }
type KindResults = { list: WeightedResult[]; more: boolean; state: SearchGroup['state'] }

/** Searches all kinds concurrently for what the viewer may see. Slow sources do not delay the others. */
export async function searchAll(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  options: Options = {},
): Promise<SearchReply> {
  const { groups, corrected, answer } = await findWeighted(platform, viewer, typed, options)
  return {
    keyWords: normalizeQuery(typed),
    corrected,
    answer,
    groups: groups.map(([kind, { list, more, state }]) => ({
      kind,
      list: list.map(({ result }) => result),
      more,
      state,
    })),
  }
}

/** The best results of all kinds in one list; no kind exceeds its share while others have results. */
export async function searchBest(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  limit: number,
  options: Options = {},
): Promise<SearchResult[]> {
  const { groups } = await findWeighted(platform, viewer, typed, { ...options, limit })
  const share = Math.ceil(limit * maxShare)
  const first = groups.flatMap(([, { list }]) => list.slice(0, share))
  const rest = groups.flatMap(([, { list }]) => list.slice(share))
  return [...first.toSorted(byWeight), ...rest.toSorted(byWeight)]
    .slice(0, limit)
    .map(({ result }) => result)
}

/** The answer and the weighted results, best first. */
export async function searchWeighted(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  options: Options,
) {
  const { answer, groups } = await findWeighted(platform, viewer, typed, options)
  return { answer, results: groups.flatMap(([, { list }]) => list).toSorted(byWeight) }
}

async function findWeighted(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  { kinds = new Set(searchKinds), limit = 20, offset = 0, exactly = false }: Options,
) {
  const query = await parseQuery(typed, await currentSynonyms(platform))
  const alone = kinds.size === 1
  const page = { limit, offset, alone }
  const learned = await readLearnedWeights(platform, viewer)

  // The in-memory index answers immediately and also supplies "did you mean" candidates.
  const matches = await findEntries(
    platform,
    viewer,
    query,
    exactly ? kinds : kinds.union(correctableKinds),
  )
  const entries = groupEntries(
    matches.filter(({ kind }) => kinds.has(kind)).map(toWeighted(learned)),
    page,
  )
  const correction = exactly ? undefined : await correctionFor(query, matches)
  const records = searchable
    .all()
    .flatMap((one) => one.records ?? [])
    .filter(({ kind, access }) => kinds.has(kind) && (access === 'guest' || viewer.signedIn))
  const [databaseGroups, answer] = await Promise.all([
    Promise.all(
      records.map(
        async (source): Promise<[SearchKind, KindResults]> => [
          source.kind,
          await findInTime(
            platform,
            source,
            alone ? singleKindTimeoutMs : sourceTimeoutMs,
            async () => {
              const find = (query: ParsedQuery, share: number) =>
                findRecords(platform, viewer, source, query, toWeighted(learned, share), page)
              const direct = await find(query, 1)
              // A correction names something public, so people and personal data are not searched with it.
              return direct.list.length > 0 ||
                !correction ||
                source.access === 'member' ||
                offset > 0
                ? direct
                : find(correction, correctionFactor)
            },
          ),
        ],
      ),
    ),
    offset === 0 && !alone ? findDirectAnswer(platform, viewer, query, sourceTimeoutMs) : null,
  ])

  const groups = [...entries, ...databaseGroups]
    .filter(([, { list, state }]) => list.length > 0 || state !== 'ready')
    .toSorted(([, one], [, other]) => topWeight(other) - topWeight(one))
  const isCorrected =
    correction !== undefined &&
    !groups.some(([, { list }]) => list.some(({ result }) => fitOf(query, result) >= exactFit))
  return { groups, answer, corrected: isCorrected ? correction.text : null }
}

/** Weight factor for results of a corrected query. */
const correctionFactor = 0.6
const topWeight = ({ list }: KindResults) => list[0]?.weight ?? -1

/** Kinds whose names can be suggested as corrections. */
const correctableKinds: ReadonlySet<SearchKind> = new Set([
  'service',
  'place',
  'column',
  'page',
  'question',
])

/** The name of an entry that is spelt or sounds similar to the typed text, but does not contain it. */
async function correctionFor(query: ParsedQuery, matches: readonly Match[]) {
  const best = bestMatch(matches.filter(({ kind }) => correctableKinds.has(kind)))
  if (!best || best.fit < minCorrectionFit) return undefined
  const text = normalizeQuery(best.entry.title)
  return text.includes(query.text) || query.text.includes(text)
    ? undefined
    : parseQuery(best.entry.title, new Map())
}
const minCorrectionFit = 0.5

type Learned = Awaited<ReturnType<typeof readLearnedWeights>>
const toWeighted =
  (learned: Learned, share = 1) =>
  ({ kind, entry, fit }: { kind: SearchKind; entry: Candidate; fit: number }): WeightedResult => ({
    result: resultOf(kind, entry),
    address: entry.to ?? '',
    weight: share * weightOf(kind, fit, entry, { learned: learned(kind, entry.id) }),
  })

function groupEntries(
  weighted: WeightedResult[],
  { limit, offset }: { limit: number; offset: number },
) {
  const groups = new Map<SearchKind, WeightedResult[]>()
  for (const item of weighted) {
    if (item.weight < minFit) continue
    const group = groups.get(item.result.kind)
    if (group) group.push(item)
    else groups.set(item.result.kind, [item])
  }
  return [...groups].map(([kind, list]): [SearchKind, KindResults] => {
    const ordered = list.toSorted(byWeight)
    return [
      kind,
      {
        list: ordered.slice(offset, offset + limit),
        more: ordered.length > offset + limit,
        state: 'ready',
      },
    ]
  })
}
const byWeight = (one: WeightedResult, other: WeightedResult) =>
  other.weight - one.weight || (one.result.title < other.result.title ? -1 : 1)

/** A page of database results, in database order across pages and by weight within the page. */
async function findRecords(
  platform: Platform,
  viewer: Viewer,
  { kind, find }: RecordSource,
  query: ParsedQuery,
  toResult: ReturnType<typeof toWeighted>,
  { limit, offset, alone }: RecordPage,
): Promise<KindResults> {
  const rows = await find(platform, viewer, query, { limit: limit + 1, offset, alone })
  const list = rows
    .slice(0, limit)
    .map((entry) => toResult({ kind, entry, fit: fitOf(query, entry) }))
  return {
    list: list.toSorted((one, other) => other.weight - one.weight),
    more: rows.length > limit,
    state: 'ready',
  }
}

async function findInTime(
  { log }: Platform,
  { kind }: RecordSource,
  milliseconds: number,
  find: () => Promise<KindResults>,
): Promise<KindResults> {
  const none = { list: [], more: false }
  const found = find().catch((error): KindResults => {
    log.warn({ err: error, kind }, 'a search of one kind failed')
    return { ...none, state: 'failed' }
  })
  return withTimeout(milliseconds, found, { ...none, state: 'late' })
}

const resultOf = (kind: SearchKind, candidate: Candidate): SearchResult => ({
  kind,
  id: candidate.id,
  title: candidate.title,
  titleEn: candidate.titleEn ?? '',
  text: candidate.text ?? '',
  textEn: candidate.textEn ?? '',
  icon: candidate.icon ?? null,
  iconUrl: candidate.iconUrl ?? '',
  at: candidate.at ?? null,
  ...(candidate.firstDay && { firstDay: candidate.firstDay }),
  // Only an answer fills in the search field of a page.
  to: candidate.to?.replaceAll('{keyWords}', '') ?? '',
  serviceId: candidate.serviceId ?? null,
})
