import type { Occurrence, OccurrenceChange } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { LRUCache } from 'lru-cache'
import { type KeptAnswer, toKept } from '#platform/http/body-cache.ts'
import type { Member } from '#platform/http/guard.ts'
import { envelope } from '#platform/http/serve.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { findTerm, listHolidays } from './academic-year.ts'
import { listChanges } from './changes.ts'
import { addDays, midnight, zoneOf } from './day-bounds.ts'
import { listOccurrences } from './queries.ts'

type Kept = {
  answer: KeptAnswer
  audiences: readonly number[]
  /** validity period in ms since 1970; `until` is exclusive */
  from: number
  until: number
  stamp: number
}
type Read = Pick<Kept, 'from' | 'until'> & { data: unknown }

/** Limits the entries per member, so that one member's requests only evict their own. */
const maxEach = 8

/**
 * Caches each member's encoded days and months until their calendars change. Table triggers announce the affected
 * accounts; changes that affect everybody change the stamp of the topic `schedule`.
 */
const keptAnswers = definePart(({ env, topics }) => {
  const members = new LRUCache<string, ReadonlyMap<string, Kept>>({
    maxSize: Math.max(1, env.ATRIUM_BODY_CACHE_MB * 1_000_000),
    sizeCalculation: (answers) =>
      [...answers.values()].reduce((sum, { answer }) => sum + answer.plain.length * 2 + 500, 1),
  })
  const reading = new Map<string, Map<string, Promise<Kept>>>()
  topics.on(({ kind, key }) => {
    if (kind !== 'schedule') return
    for (const account of key.split(',')) {
      members.delete(account)
      reading.delete(account)
    }
  })
  return { members, reading }
})

/** The cached or newly read answer for a member. Concurrent requests for the same answer share one read. */
async function keptAnswer(
  platform: Platform,
  { accountId, audiences }: Member,
  name: string,
  read: () => Promise<Read>,
): Promise<Kept> {
  const { topics, bodies } = platform
  async function make(): Promise<Kept> {
    // Taken before reading, so that a change announced during the read makes the entry stale.
    const stamp = topics.stamp(['schedule'])
    const { data, ...about } = await read()
    return { answer: toKept(envelope(data)), ...about, audiences, stamp }
  }
  if (!bodies || !topics.connected()) return make()
  const { members, reading } = keptAnswers(platform)
  const now = Date.now()
  const kept = members.get(accountId)?.get(name)
  if (
    kept &&
    kept.stamp === topics.stamp(['schedule']) &&
    kept.from <= now &&
    now < kept.until &&
    isSame(kept.audiences, audiences)
  )
    return kept
  const own = reading.get(accountId) ?? new Map<string, Promise<Kept>>()
  reading.set(accountId, own)
  // The stamp is part of the key: a read that began before a global change must not answer requests made after it.
  const shared = `${topics.stamp(['schedule'])} ${name}`
  const underWay = own.get(shared)
  if (underWay) return underWay
  const isOvertaken = () => reading.get(accountId) !== own
  const answer = make()
    .then((made) => {
      const others = [...(members.get(accountId) ?? [])].filter(([other]) => other !== name)
      if (!isOvertaken())
        members.set(accountId, new Map([...others.slice(1 - maxEach), [name, made]]))
      return made
    })
    .finally(() => {
      own.delete(shared)
      if (own.size === 0 && !isOvertaken()) reading.delete(accountId)
    })
  own.set(shared, answer)
  return answer
}

const isSame = (one: readonly number[], other: readonly number[]) =>
  one === other || (one.length === other.length && one.every((id, at) => id === other[at]))

type About = { day: string; zone: string; start: string; end: string }

/** Caches an answer until midnight in the member's zone. */
async function keptUntilMidnight(
  platform: Platform,
  viewer: Member,
  name: string,
  read: (about: About) => Promise<unknown>,
) {
  const zone = await zoneOf(platform, viewer)
  const kept = await keptAnswer(platform, viewer, `${name} ${zone}`, async () => {
    const day = dayIn(zone, Date.now())
    const [start, end] = [midnight(day, zone), midnight(day, zone, 1)]
    const data = await read({ day, zone, start, end })
    return { data, from: Date.parse(start), until: Date.parse(end) }
  })
  return kept.answer
}

/** Today's occurrences of a member. */
export const keptToday = (platform: Platform, viewer: Member) =>
  keptUntilMidnight(platform, viewer, 'today', ({ zone, start: from, end: to }) =>
    listOccurrences(platform.db, viewer, { from, to }, zone),
  )

/** Changes since the start of yesterday. */
export const keptChanges = (platform: Platform, viewer: Member) =>
  keptUntilMidnight(platform, viewer, 'changes', ({ day, zone }) =>
    listChanges(platform.db, viewer, midnight(addDays(day, -1), zone)),
  )

type Days = { from: string; days: number; zone: string; calendarIds: string[] | undefined }

/**
 * A range of days of a member with the institution's term and holidays.
 * @param asked `from` YYYY-MM-DD
 */
export async function keptDays(platform: Platform, viewer: Member, asked: Days) {
  const { from, days, zone, calendarIds } = asked
  const kept = await keptAnswer(platform, viewer, JSON.stringify(asked), async () => {
    const to = addDays(from, days - 1)
    const span = { from: midnight(from, zone), to: midnight(from, zone, days), calendarIds }
    const [list, term, holidays] = await Promise.all([
      listOccurrences(platform.db, viewer, span, zone),
      findTerm(platform, from, to),
      listHolidays(platform, from, to),
    ])
    const data = { list, timeZone: zone, term: term ?? null, holidays }
    return { data, from: 0, until: Number.POSITIVE_INFINITY }
  })
  return kept.answer
}

/** Today's occurrences in the member's zone, and the changes since the start of yesterday. */
export async function listToday(platform: Platform, viewer: Member) {
  const [list, changes] = await Promise.all([
    keptToday(platform, viewer),
    keptChanges(platform, viewer),
  ])
  return { list: dataOf<Occurrence[]>(list), changes: dataOf<OccurrenceChange[]>(changes) }
}

const dataOf = <T>({ plain }: KeptAnswer) => (JSON.parse(plain.toString()) as { data: T }).data
