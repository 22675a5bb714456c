import { isTimeZone } from '@atrium/contract/config-checks'
import type { schedule } from '@atrium/contract/work/schedule'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { cachedChanges, cachedDays, cachedToday } from './cached-answers.ts'
import { daysBetween, zoneOf } from './day-bounds.ts'
import { readEvent } from './read-event.ts'

const maxDays = 400

export const scheduleHandlers: Handlers<typeof schedule> = {
  async events({ viewer, query, platform }) {
    const zone = query.timeZone ?? (await zoneOf(platform, viewer))
    if (!isTimeZone(zone)) fail('request.invalid', { fields: { timeZone: 'unknown' } })
    const { from, to } = query
    const days = daysBetween(from, to)
    if (days < 0) fail('request.invalid', { fields: { to: 'order' } })
    if (days >= maxDays) fail('event.range_too_long')
    const calendarIds = query.calendarIds?.split(',').filter((id) => /^[0-9]{1,18}$/.test(id))
    const range = { from, days: days + 1, zone, calendarIds }
    return cachedDays(platform, viewer, range)
  },

  today: ({ viewer, platform }) => cachedToday(platform, viewer),

  changes: ({ viewer, platform }) => cachedChanges(platform, viewer),

  read: ({ platform, viewer, params, query }) =>
    readEvent({ db: platform.db, platform }, viewer, params.id, query.startsAt),
}
