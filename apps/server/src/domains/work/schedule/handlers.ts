import { isTimeZone } from '@atrium/contract/config-checks'
import type { Body } from '@atrium/contract/define'
import type { calendarColors, schedule } from '@atrium/contract/work/schedule'
import { findMessage } from '#domains/work/messages/queries.ts'
import { announce, announcePerson } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import {
  countEvents,
  dayIn,
  deleteOwnEvent,
  findEvent,
  findEventByUid,
  findTerm,
  getOccurrence,
  insertEvent,
  listCalendars,
  listHolidays,
  listOccurrences,
  ownSource,
  takeOwnCalendar,
  updateTimeZone,
} from './queries.ts'

const maxDays = 400
/** Twenty a week for five years; more than that was written by a program. */
const maxOwnEvents = 5000

export const scheduleHandlers: Handlers<typeof schedule> = {
  calendars: ({ db, viewer }) => listCalendars(db, viewer),

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

  async read({ db, viewer, params, query }) {
    const event = (await findEvent(db, viewer, params.id)) ?? fail('event.not_found')
    const startsAt =
      query.startsAt && !Number.isNaN(Date.parse(query.startsAt))
        ? new Date(query.startsAt).toISOString()
        : undefined
    const occurrence = (await getOccurrence(db, params.id, startsAt)) ?? fail('event.not_found')
    const { ownerAccountId, calendarSource, ...facts } = event
    return {
      ...facts,
      mine: ownerAccountId === viewer.accountId && calendarSource === ownSource,
      kind: event.kind as 'course' | 'event',
      color: event.color as (typeof calendarColors)[number],
      title: occurrence.title ?? event.title,
      location: occurrence.location ?? event.location,
      startsAt: occurrence.starts_at,
      endsAt: occurrence.ends_at,
    }
  },

  create: ({ viewer, body, platform }) => createEvent(platform, viewer, body),

  async createFromMessage({ db, viewer, body: { messageId, ...event }, platform }) {
    if (!(await findMessage(db, viewer.accountId, messageId))) fail('message.not_found')
    return createEvent(platform, viewer, event)
  },

  async ownCalendars({ db, viewer }) {
    const list = await listCalendars(db, viewer)
    return list.filter(({ mine, kind }) => mine && kind === 'personal')
  },

  async remove({ viewer, params, platform }) {
    await platform.db.transaction().execute(async (db) => {
      if (!(await deleteOwnEvent(db, viewer.accountId, params.id))) fail('event.not_found')
      await announce(db, { kind: 'account', key: viewer.accountId })
    })
    await platform.topics.flushed()
    return null
  },

  settings: ({ viewer, platform }) => settingsOf(platform, viewer.timeZone),

  async saveSettings({ viewer, body, platform }) {
    const chosen = body.timeZone === '' ? null : body.timeZone
    if (chosen && !isTimeZone(chosen)) fail('request.invalid', { fields: { timeZone: 'unknown' } })
    await platform.db.transaction().execute(async (db) => {
      await updateTimeZone(db, viewer.personId, chosen)
      await announcePerson(db, viewer.personId)
    })
    await platform.topics.flushed()
    return settingsOf(platform, chosen)
  },
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

async function settingsOf(platform: Platform, chosen: string | null) {
  const institutionTimeZone = (await currentSettings(platform)).timeZone
  return { timeZone: chosen ?? institutionTimeZone, institutionTimeZone }
}

/** The instant a day begins in a zone, or the day so many days later. @throws request.invalid */
function midnight(day: string, zone: string, later = 0): string {
  return plainDay(day)
    .add({ days: later })
    .toZonedDateTime(zone)
    .toInstant()
    .toString({ smallestUnit: 'millisecond' })
}

const daysBetween = (from: string, to: string) =>
  plainDay(from).until(plainDay(to), { largestUnit: 'days' }).days

function isWallClock(local: string) {
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' }) !== undefined
  } catch {
    return false
  }
}

function plainDay(day: string) {
  try {
    return Temporal.PlainDate.from(day)
  } catch {
    return fail('request.invalid', { fields: { from: 'format' } })
  }
}

/** An event in the member's own calendar; the same uid again changes nothing. */
async function createEvent(platform: Platform, viewer: Member, body: Body<typeof schedule.create>) {
  const { startsLocal, minutes, timeZone = await zoneOf(platform, viewer) } = body
  if (!isTimeZone(timeZone)) fail('request.invalid', { fields: { timeZone: 'unknown' } })
  const allDay = body.allDay ?? false
  if (!isWallClock(startsLocal) || (allDay && !startsLocal.endsWith('T00:00')))
    fail('request.invalid', { fields: { startsLocal: 'format' } })
  if (allDay && minutes % (24 * 60) !== 0)
    fail('request.invalid', { fields: { minutes: 'format' } })
  const id = await platform.db.transaction().execute(async (db) => {
    const calendarId = await takeOwnCalendar(db, viewer.accountId)
    const known = await findEventByUid(db, calendarId, body.uid)
    if (known) return known
    if ((await countEvents(db, calendarId)) >= maxOwnEvents) fail('event.too_many')
    const id = await insertEvent(db, {
      calendar_id: calendarId,
      uid: body.uid,
      title: body.title.trim(),
      starts_local: startsLocal,
      minutes,
      all_day: allDay,
      time_zone: timeZone,
      location: body.location?.trim() ?? '',
      description: body.description?.trim() ?? '',
    })
    await announce(db, { kind: 'account', key: viewer.accountId })
    return id
  })
  await platform.topics.flushed()
  return { id }
}
