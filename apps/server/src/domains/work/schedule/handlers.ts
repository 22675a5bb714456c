import { isTimeZone } from '@atrium/contract/config-checks'
import type { schedule } from '@atrium/contract/work/schedule'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { dayIn, findTerm, listHolidays, listOccurrences } from './queries.ts'
import { readEvent } from './read-event.ts'

const maxDays = 400

export const scheduleHandlers: Handlers<typeof schedule> = {
  async events({ db, viewer, query, platform }) {
    const zone = query.timeZone ?? (await zoneOf(platform, viewer))
    if (!isTimeZone(zone)) fail('request.invalid', { fields: { timeZone: 'unknown' } })
    const { from, to } = query
    const days = daysBetween(from, to)
    if (days < 0) fail('request.invalid', { fields: { to: 'order' } })
    if (days >= maxDays) fail('event.range_too_long')
    const calendarIds = query.calendarIds?.split(',').filter((id) => /^[0-9]{1,18}$/.test(id))
    const [list, term, holidays] = await Promise.all([
      listOccurrences(
        db,
        viewer,
        { from: midnight(from, zone), to: midnight(from, zone, days + 1), calendarIds },
        zone,
      ),
      findTerm(db, from, to),
      listHolidays(db, from, to),
    ])
    return { list, timeZone: zone, term: term ?? null, holidays }
  },

  today: ({ viewer, platform }) => listToday(platform, viewer),

  read: ({ db, viewer, params, query }) => readEvent(db, viewer, params.id, query.startsAt),
}

/** Today's occurrences in the member's zone. */
export async function listToday(platform: Platform, viewer: Member) {
  const zone = await zoneOf(platform, viewer)
  const today = dayIn(zone, Date.now())
  return listOccurrences(
    platform.db,
    viewer,
    { from: midnight(today, zone), to: midnight(today, zone, 1) },
    zone,
  )
}

/** The member's zone, or the institution's. */
export async function zoneOf(platform: Platform, viewer: Member) {
  return viewer.timeZone ?? (await currentSettings(platform)).timeZone
}

/** The instant a day begins in a zone, or the day so many days later. @throws request.invalid */
export function midnight(day: string, zone: string, later = 0): string {
  return plainDay(day)
    .add({ days: later })
    .toZonedDateTime(zone)
    .toInstant()
    .toString({ smallestUnit: 'millisecond' })
}

export const daysBetween = (from: string, to: string) =>
  plainDay(from).until(plainDay(to), { largestUnit: 'days' }).days

function plainDay(day: string) {
  try {
    return Temporal.PlainDate.from(day)
  } catch {
    return fail('request.invalid', { fields: { from: 'format' } })
  }
}
