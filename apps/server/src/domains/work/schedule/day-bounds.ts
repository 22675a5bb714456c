import { LRUCache } from 'lru-cache'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** The member's time zone, or else the institution's. */
export async function zoneOf(platform: Platform, viewer: Member) {
  return viewer.timeZone ?? (await currentSettings(platform)).timeZone
}

/** Most requests are about the same few days. */
const midnights = new LRUCache<string, string>({ max: 2000 })

/** The instant at which a day, or the day `later` days after it, begins in a zone. @throws request.invalid */
export function midnight(day: string, zone: string, later = 0): string {
  const key = `${day} ${later} ${zone}`
  let instant = midnights.get(key)
  if (instant === undefined) {
    instant = plainDay(day)
      .add({ days: later })
      .toZonedDateTime(zone)
      .toInstant()
      .toString({ smallestUnit: 'millisecond' })
    midnights.set(key, instant)
  }
  return instant
}

export const addDays = (day: string, count: number) => plainDay(day).add({ days: count }).toString()

export const daysBetween = (from: string, to: string) =>
  plainDay(from).until(plainDay(to), { largestUnit: 'days' }).days

function plainDay(day: string) {
  try {
    return Temporal.PlainDate.from(day)
  } catch {
    return fail('request.invalid', { fields: { from: 'format' } })
  }
}
