import type { Occurrence, OccurrenceChange } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { LRUCache } from 'lru-cache'
import { defineState } from '#platform/area-state.ts'
import { type EncodedAnswer, toEncodedAnswer } from '#platform/http/body-cache.ts'
import type { Member } from '#platform/http/guard.ts'
import { envelope } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { findTerm, listHolidays } from './academic-year.ts'
import { listChanges } from './changes.ts'
import { addDays, midnight, zoneOf } from './day-bounds.ts'
import { listOccurrences } from './queries.ts'

/** What changes answers of everybody; rooms have the English names of places. */
const stampTopics = ['schedule', 'places'] as const

type CachedEntry = {
  answer: EncodedAnswer
  audiences: readonly number[]
  /** validity period in ms since 1970; `until` is exclusive */
  from: number
  until: number
  stamp: number
}
type FreshData = Pick<CachedEntry, 'from' | 'until'> & { data: unknown }

/** Limits the entries per member, so that one member's requests only evict their own. */
const maxPerMember = 8

/**
 * Caches each member's encoded days and months until their calendars change. Table triggers announce the affected
 * accounts; changes that affect everybody change the stamp.
 */
const answerCache = defineState(({ env, topics }) => {
  const members = new LRUCache<string, ReadonlyMap<string, CachedEntry>>({
    maxSize: Math.max(1, env.ATRIUM_BODY_CACHE_MB * 1_000_000),
    sizeCalculation: (answers) =>
      [...answers.values()].reduce((sum, { answer }) => sum + answer.plain.length * 2 + 500, 1),
  })
  const pendingReads = new Map<string, Map<string, Promise<CachedEntry>>>()
  topics.on(({ kind, key }) => {
    if (kind !== 'schedule') return
    for (const account of key.split(',')) {
      members.delete(account)
      pendingReads.delete(account)
    }
  })
  return { members, pendingReads }
})

/** The cached or newly read answer for a member. Concurrent requests for the same answer share one read. */
async function getCachedEntry(
  platform: Platform,
  { accountId, audiences }: Member,
  name: string,
  read: () => Promise<FreshData>,
): Promise<CachedEntry> {
  const { topics, bodies } = platform
  async function build(): Promise<CachedEntry> {
    // Taken before reading, so that a change announced during the read makes the entry stale.
    const stamp = topics.stamp(stampTopics)
    const { data, ...validity } = await read()
    return { answer: toEncodedAnswer(envelope(data)), ...validity, audiences, stamp }
  }
  if (!bodies || !topics.connected()) return build()
  const { members, pendingReads } = answerCache(platform)
  const now = Date.now()
  const cached = members.get(accountId)?.get(name)
  if (
    cached &&
    cached.stamp === topics.stamp(stampTopics) &&
    cached.from <= now &&
    now < cached.until &&
    isSame(cached.audiences, audiences)
  )
    return cached
  const pending = pendingReads.get(accountId) ?? new Map<string, Promise<CachedEntry>>()
  pendingReads.set(accountId, pending)
  // The stamp is part of the key: a read that began before a global change must not answer requests made after it.
  const key = `${topics.stamp(stampTopics)} ${name}`
  const running = pending.get(key)
  if (running) return running
  const isInvalidated = () => pendingReads.get(accountId) !== pending
  const answer = build()
    .then((entry) => {
      const remaining = [...(members.get(accountId) ?? [])].filter(([other]) => other !== name)
      if (!isInvalidated())
        members.set(accountId, new Map([...remaining.slice(1 - maxPerMember), [name, entry]]))
      return entry
    })
    .finally(() => {
      pending.delete(key)
      if (pending.size === 0 && !isInvalidated()) pendingReads.delete(accountId)
    })
  pending.set(key, answer)
  return answer
}

const isSame = (one: readonly number[], other: readonly number[]) =>
  one === other || (one.length === other.length && one.every((id, index) => id === other[index]))

type DayContext = { day: string; zone: string; start: string; end: string }

/** Caches an answer until midnight in the member's zone. */
async function cacheUntilMidnight(
  platform: Platform,
  viewer: Member,
  name: string,
  read: (about: DayContext) => Promise<unknown>,
) {
  const zone = await zoneOf(platform, viewer)
  const entry = await getCachedEntry(platform, viewer, `${name} ${zone}`, async () => {
    const day = dayIn(Date.now(), zone)
    const [start, end] = [midnight(day, zone), midnight(day, zone, 1)]
    const data = await read({ day, zone, start, end })
    return { data, from: Date.parse(start), until: Date.parse(end) }
  })
  return entry.answer
}

/** Today's occurrences of a member. */
export const cachedToday = (platform: Platform, viewer: Member) =>
  cacheUntilMidnight(platform, viewer, 'today', ({ zone, start: from, end: to }) =>
    listOccurrences(platform, viewer, { from, to }, zone),
  )

/** Changes since the start of yesterday. */
export const cachedChanges = (platform: Platform, viewer: Member) =>
  cacheUntilMidnight(platform, viewer, 'changes', ({ day, zone }) =>
    listChanges(platform, viewer, midnight(addDays(day, -1), zone)),
  )

type DayRange = { from: string; days: number; zone: string; calendarIds: string[] | undefined }

/**
 * A range of days of a member with the institution's term and holidays.
 * @param range `from` YYYY-MM-DD
 */
export async function cachedDays(platform: Platform, viewer: Member, range: DayRange) {
  const { from, days, zone, calendarIds } = range
  const entry = await getCachedEntry(platform, viewer, JSON.stringify(range), async () => {
    const to = addDays(from, days - 1)
    const span = { from: midnight(from, zone), to: midnight(from, zone, days), calendarIds }
    const [list, term, holidays] = await Promise.all([
      listOccurrences(platform, viewer, span, zone),
      findTerm(platform, from, to),
      listHolidays(platform, from, to),
    ])
    const data = { list, timeZone: zone, term: term ?? null, holidays }
    return { data, from: 0, until: Number.POSITIVE_INFINITY }
  })
  return entry.answer
}

/** Today's occurrences in the member's zone, and the changes since the start of yesterday. */
export async function listToday(platform: Platform, viewer: Member) {
  const [list, changes] = await Promise.all([
    cachedToday(platform, viewer),
    cachedChanges(platform, viewer),
  ])
  return { list: dataOf<Occurrence[]>(list), changes: dataOf<OccurrenceChange[]>(changes) }
}

const dataOf = <T>({ plain }: EncodedAnswer) => (JSON.parse(plain.toString()) as { data: T }).data
