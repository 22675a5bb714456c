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
  type RecordPage,
  type RecordSource,
  searchable,
  type Wanted,
} from '#platform/search-source.ts'
import { within } from '#platform/within.ts'
import { answerTo } from './answer.ts'
import { bestOf, findEntries, type Match } from './entry-index.ts'
import { learnedOf } from './learned.ts'
import { exactFit, fitOf, weigh } from './ranking.ts'
import { tidyText, understand } from './understand.ts'

/**
 * Per-source timeout in ms when searching all kinds; a slower source is reported as `late`. A search of one kind gets
 * `longPatience`.
 */
const patience = 700
const longPatience = 5_000
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
type Weighed = { result: SearchResult; weight: number }
type Found = { list: Weighed[]; more: boolean; state: SearchGroup['state'] }

/** Searches all kinds concurrently for what the viewer may see. Slow sources do not delay the others. */
export async function searchAll(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  options: Options = {},
): Promise<SearchReply> {
  const { groups, corrected, answer } = await findWeighed(platform, viewer, typed, options)
  return {
    keyWords: tidyText(typed),
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
  const { groups } = await findWeighed(platform, viewer, typed, { ...options, limit })
  const share = Math.ceil(limit * maxShare)
  const first = groups.flatMap(([, { list }]) => list.slice(0, share))
  const rest = groups.flatMap(([, { list }]) => list.slice(share))
  return [...first.toSorted(byWeight), ...rest.toSorted(byWeight)]
    .slice(0, limit)
    .map(({ result }) => result)
}

/** The answer and the weighted results, best first. */
export async function searchWeighed(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  options: Options,
) {
  const { answer, groups } = await findWeighed(platform, viewer, typed, options)
  return { answer, found: groups.flatMap(([, { list }]) => list).toSorted(byWeight) }
}

async function findWeighed(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  { kinds = new Set(searchKinds), limit = 20, offset = 0, exactly = false }: Options,
) {
  const wanted = await understand(typed, await currentSynonyms(platform))
  const alone = kinds.size === 1
  const page = { limit, offset, alone }
  const learned = await learnedOf(platform, viewer)

  // The in-memory index answers immediately and also supplies "did you mean" candidates.
  const matches = await findEntries(platform, viewer, wanted, exactly ? kinds : kinds.union(named))
  const entries = groupEntries(
    matches.filter(({ kind }) => kinds.has(kind)).map(weighed(learned)),
    page,
  )
  const meant = exactly ? undefined : await meantBy(wanted, matches)
  const records = searchable
    .all()
    .flatMap((one) => one.records ?? [])
    .filter(({ kind, access }) => kinds.has(kind) && (access === 'guest' || viewer.signedIn))
  const [found, answer] = await Promise.all([
    Promise.all(
      records.map(
        async (source): Promise<[SearchKind, Found]> => [
          source.kind,
          await inTime(platform, source, alone ? longPatience : patience, async () => {
            const find = (wanted: Wanted, share: number) =>
              findRecords(platform, viewer, source, wanted, weighed(learned, share), page)
            const own = await find(wanted, 1)
            // A correction names something public, so people and personal data are not searched with it.
            return own.list.length > 0 || !meant || source.access === 'member' || offset > 0
              ? own
              : find(meant, guessed)
          }),
        ],
      ),
    ),
    offset === 0 && !alone ? answerTo(platform, viewer, wanted, patience) : null,
  ])

  const groups = [...entries, ...found]
    .filter(([, { list, state }]) => list.length > 0 || state !== 'ready')
    .toSorted(([, one], [, other]) => highest(other) - highest(one))
  const isMeant =
    meant !== undefined &&
    !groups.some(([, { list }]) => list.some(({ result }) => fitOf(wanted, result) >= exactFit))
  return { groups, answer, corrected: isMeant ? meant.text : null }
}

/** Weight factor for results of a corrected query. */
const guessed = 0.6
const highest = ({ list }: Found) => list[0]?.weight ?? -1

/** Kinds whose names can be suggested as corrections. */
const named: ReadonlySet<SearchKind> = new Set(['service', 'place', 'column', 'page', 'question'])

/** The name of an entry that is spelt or sounds similar to the typed text, but does not contain it. */
async function meantBy(wanted: Wanted, matches: readonly Match[]) {
  const best = bestOf(matches.filter(({ kind }) => named.has(kind)))
  if (!best || best.fit < meantFit) return undefined
  const text = tidyText(best.entry.title)
  return text.includes(wanted.text) || wanted.text.includes(text)
    ? undefined
    : understand(best.entry.title, new Map())
}
const meantFit = 0.5

type Learned = Awaited<ReturnType<typeof learnedOf>>
const weighed =
  (learned: Learned, share = 1) =>
  ({ kind, entry, fit }: { kind: SearchKind; entry: Candidate; fit: number }): Weighed => ({
    result: resultOf(kind, entry),
    weight: share * weigh(kind, fit, entry, { learned: learned(kind, entry.id) }),
  })

function groupEntries(weighed: Weighed[], { limit, offset }: { limit: number; offset: number }) {
  const groups = new Map<SearchKind, Weighed[]>()
  for (const one of weighed) {
    if (one.weight < minFit) continue
    const group = groups.get(one.result.kind)
    if (group) group.push(one)
    else groups.set(one.result.kind, [one])
  }
  return [...groups].map(([kind, list]): [SearchKind, Found] => {
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
const byWeight = (one: Weighed, other: Weighed) =>
  other.weight - one.weight || (one.result.title < other.result.title ? -1 : 1)

/** A page of database results, in database order across pages and by weight within the page. */
async function findRecords(
  platform: Platform,
  viewer: Viewer,
  { kind, find }: RecordSource,
  wanted: Wanted,
  toWeighed: ReturnType<typeof weighed>,
  { limit, offset, alone }: RecordPage,
): Promise<Found> {
  const rows = await find(platform, viewer, wanted, { limit: limit + 1, offset, alone })
  const list = rows
    .slice(0, limit)
    .map((entry) => toWeighed({ kind, entry, fit: fitOf(wanted, entry) }))
  return {
    list: list.toSorted((one, other) => other.weight - one.weight),
    more: rows.length > limit,
    state: 'ready',
  }
}

async function inTime(
  { log }: Platform,
  { kind }: RecordSource,
  milliseconds: number,
  find: () => Promise<Found>,
): Promise<Found> {
  const none = { list: [], more: false }
  const found = find().catch((error): Found => {
    log.warn({ err: error, kind }, 'a search of one kind failed')
    return { ...none, state: 'failed' }
  })
  return within(milliseconds, found, { ...none, state: 'late' })
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
  // Only an answer fills in the search field of a page.
  to: candidate.to?.replaceAll('{keyWords}', '') ?? '',
  serviceId: candidate.serviceId ?? null,
})
