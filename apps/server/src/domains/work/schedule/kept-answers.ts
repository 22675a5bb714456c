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
  /** milliseconds: when it is right */
  from: number
  until: number
  stamp: number
}
type Read = Pick<Kept, 'from' | 'until'> & { data: unknown }

/** Who asks for one span after the other pushes out their own, and nobody else's. */
const maxEach = 8

/**
 * Each member's days and months by what was asked, encoded, until something in their calendars changes: triggers of the tables
 * announce whose that is, or the topic `schedule` where it is everybody's.
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

/** What `read` finds for a member, as it goes out; who asks the same twice at the same time shares one read. */
async function keptAnswer(
  platform: Platform,
  { accountId, audiences }: Member,
  name: string,
  read: () => Promise<Read>,
): Promise<Kept> {
  const { topics, bodies } = platform
  async function make(): Promise<Kept> {
    // Before reading: what is announced meanwhile makes it stale from birth.
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
  // One that began before everybody's changed is no answer to who asks after it.
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

/** What is right until midnight where the member is. */
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

/** The day of a member. */
export const keptToday = (platform: Platform, viewer: Member) =>
  keptUntilMidnight(platform, viewer, 'today', ({ zone, start: from, end: to }) =>
    listOccurrences(platform.db, viewer, { from, to }, zone),
  )

/** What changed since yesterday began. */
export const keptChanges = (platform: Platform, viewer: Member) =>
  keptUntilMidnight(platform, viewer, 'changes', ({ day, zone }) =>
    listChanges(platform.db, viewer, midnight(addDays(day, -1), zone)),
  )

type Days = { from: string; days: number; zone: string; calendarIds: string[] | undefined }

/**
 * So many days of a member with what the institution says of them.
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

/** Today's occurrences in the member's zone, and what changed since yesterday. */
export async function listToday(platform: Platform, viewer: Member) {
  const [list, changes] = await Promise.all([
    keptToday(platform, viewer),
    keptChanges(platform, viewer),
  ])
  return { list: dataOf<Occurrence[]>(list), changes: dataOf<OccurrenceChange[]>(changes) }
}

const dataOf = <T>({ plain }: KeptAnswer) => (JSON.parse(plain.toString()) as { data: T }).data
