import type { Occurrence, OccurrenceChange } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { LRUCache } from 'lru-cache'
import { type KeptAnswer, toKept } from '#platform/http/body-cache.ts'
import type { Member } from '#platform/http/guard.ts'
import { envelope } from '#platform/http/serve.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { listChanges } from './changes.ts'
import { addDays, midnight, zoneOf } from './day-bounds.ts'
import { listOccurrences } from './queries.ts'

type Today = {
  answer: KeptAnswer
  changes: OccurrenceChange[]
  zone: string
  audiences: readonly number[]
  /** milliseconds: the day it is for */
  from: number
  until: number
  stamp: number
}
type Reading = { zone: string; today: Promise<Today>; overtaken: boolean }

/**
 * Each member's day, encoded, until something in it changes: triggers of the tables announce whose day that is, or the topic
 * `schedule` where it is everybody's. It is right for one zone, until midnight there.
 */
const daysOf = definePart(({ env, topics }) => {
  const days = new LRUCache<string, Today>({
    maxSize: Math.max(1, env.ATRIUM_BODY_CACHE_MB * 1_000_000),
    sizeCalculation: ({ answer, changes }) => answer.plain.length * 2 + changes.length * 500 + 500,
  })
  const reading = new Map<string, Reading>()
  topics.on(({ kind, key }) => {
    if (kind !== 'schedule') return
    for (const account of key.split(',')) {
      days.delete(account)
      const underWay = reading.get(account)
      if (!underWay) continue
      underWay.overtaken = true
      reading.delete(account)
    }
  })
  return { days, reading }
})

/** The day of a member as it goes out. */
export async function keptToday(platform: Platform, viewer: Member): Promise<Today> {
  const zone = await zoneOf(platform, viewer)
  const { topics, bodies } = platform
  if (!bodies || !topics.connected()) return readToday(platform, viewer, zone)
  const { days, reading } = daysOf(platform)
  const now = Date.now()
  const kept = days.get(viewer.accountId)
  if (
    kept &&
    kept.zone === zone &&
    kept.stamp === topics.stamp(['schedule']) &&
    kept.from <= now &&
    now < kept.until &&
    isSame(kept.audiences, viewer.audiences)
  )
    return kept
  const underWay = reading.get(viewer.accountId)
  if (underWay?.zone === zone) return underWay.today
  const own: Reading = {
    zone,
    today: readToday(platform, viewer, zone).finally(() => {
      if (reading.get(viewer.accountId) === own) reading.delete(viewer.accountId)
    }),
    overtaken: false,
  }
  reading.set(viewer.accountId, own)
  const today = await own.today
  if (!own.overtaken) days.set(viewer.accountId, today)
  return today
}

const isSame = (one: readonly number[], other: readonly number[]) =>
  one === other || (one.length === other.length && one.every((id, at) => id === other[at]))

async function readToday(platform: Platform, viewer: Member, zone: string): Promise<Today> {
  // Before reading: what is announced meanwhile makes it stale from birth.
  const stamp = platform.topics.stamp(['schedule'])
  const day = dayIn(zone, Date.now())
  const span = { from: midnight(day, zone), to: midnight(day, zone, 1) }
  const [list, changes] = await Promise.all([
    listOccurrences(platform.db, viewer, span, zone),
    listChanges(platform.db, viewer, midnight(addDays(day, -1), zone)),
  ])
  return {
    answer: toKept(envelope(list)),
    changes,
    zone,
    audiences: viewer.audiences,
    from: Date.parse(span.from),
    until: Date.parse(span.to),
    stamp,
  }
}

/** Today's occurrences in the member's zone, and what changed since yesterday. */
export async function listToday(platform: Platform, viewer: Member) {
  const { answer, changes } = await keptToday(platform, viewer)
  const { data } = JSON.parse(answer.plain.toString()) as { data: Occurrence[] }
  return { list: data, changes }
}
