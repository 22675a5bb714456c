import { isTimeZone } from '@atrium/contract/config-checks'
import type { schedule } from '@atrium/contract/work/schedule'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { daysBetween, midnight, zoneOf } from './day-bounds.ts'
import { findTerm, listHolidays, listOccurrences } from './queries.ts'
import { readEvent } from './read-event.ts'
import { keptToday } from './today.ts'

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

  today: async ({ viewer, platform }) => (await keptToday(platform, viewer)).answer,

  changes: async ({ viewer, platform }) => (await keptToday(platform, viewer)).changes,

  read: ({ db, viewer, params, query }) => readEvent(db, viewer, params.id, query.startsAt),
}
