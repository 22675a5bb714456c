import { isTimeZone } from '@atrium/contract/config-checks'
import type { Body } from '@atrium/contract/define'
import type { Point } from '@atrium/contract/shell/map'
import type { appointments } from '@atrium/contract/work/appointments'
import { countEvents, lockCalendarAs } from '#domains/work/calendars/queries.ts'
import { zoneOf } from '#domains/work/schedule/day-bounds.ts'
import type { EditRole } from '#domains/work/schedule/queries.ts'
import type { Series } from '#domains/work/schedule/recurrence.ts'
import { writeOccurrences } from '#domains/work/schedule/write-occurrences.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { setFiles } from './files.ts'
import { resolveParticipants, setParticipants } from './participants.ts'
import { defaultReminders, insertReminders } from './reminders.ts'
import { isInYears, isLocal, isSeries } from './rules.ts'

/** Twenty a week for five years; more must come from a program. */
const maxEvents = 5000

type Times = Pick<Series, 'startsLocal' | 'minutes' | 'allDay' | 'timeZone' | 'rrule'> & {
  url?: string | undefined
}

/** @throws request.invalid with every invalid field */
export function checkTimes({ startsLocal, minutes, allDay, timeZone, rrule, url }: Times) {
  const fields: Record<string, IssueKind> = {}
  if (!isTimeZone(timeZone)) fields.timeZone = 'unknown'
  if (!isLocal(startsLocal) || (allDay && !startsLocal.endsWith('T00:00')))
    fields.startsLocal = 'format'
  else if (!isInYears(startsLocal)) fields.startsLocal = 'range'
  if (allDay && minutes % (24 * 60) !== 0) fields.minutes = 'format'
  if (url && !isHttps(url)) fields.url = 'format'
  if (Object.keys(fields).length === 0) {
    const series = { startsLocal: `${startsLocal}:00`, minutes, allDay, timeZone, rrule }
    if (!isSeries({ ...series, excludedLocal: [], overrides: [] })) fields.rrule = 'format'
  }
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
}

function isHttps(url: string) {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' && !parsed.username && !parsed.password
}

/**
 * Creates an event in a calendar of the member; repeating the same uid changes nothing.
 * @throws request.invalid, event.too_many, event.declined, calendar.not_found
 */
export async function createEvent(
  platform: Platform,
  viewer: Member,
  body: Body<typeof appointments.create> & { titleEn?: string; person?: string },
  role: EditRole = 'member',
) {
  const { startsLocal, minutes, timeZone = await zoneOf(platform, viewer) } = body
  const { allDay = false, rrule = '', url = '', participants = [], reminders } = body
  checkTimes({ startsLocal, minutes, allDay, timeZone, rrule, url })
  const invited = await resolveParticipants(platform, viewer, participants)
  const id = await platform.db.transaction().execute(async (db) => {
    const calendarId = await lockCalendarAs(db, viewer, role, body.calendarId)
    const existing = await findByUid(db, calendarId, body.uid)
    if (existing) return existing
    if ((await countEvents(db, calendarId)) >= maxEvents) fail('event.too_many')
    const { id } = await db
      .insertInto('event')
      .values({
        calendar_id: calendarId,
        account_id: viewer.accountId,
        uid: body.uid,
        title: body.title.trim(),
        title_en: body.titleEn?.trim() ?? '',
        person: body.person ?? (await departmentOf(db, calendarId)),
        starts_local: startsLocal,
        minutes,
        all_day: allDay,
        time_zone: timeZone,
        rrule,
        url,
        busy: body.busy ?? !allDay,
        location: body.location?.trim() ?? '',
        ...pointColumns(body.point),
        description: body.description?.trim() ?? '',
        category: body.category?.trim() ?? '',
        category_color: body.categoryColor ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeOccurrences(db, [id], new Date())
    if (body.files) await setFiles(db, viewer, id, body.files)
    // Operators writing for a department get no reminders.
    if (role === 'member')
      await insertReminders(
        db,
        id,
        reminders?.map((one) => ({ accountId: viewer.accountId, minutes: one })) ??
          (await defaultReminders(db, id, [viewer.accountId])),
      )
    await setParticipants(db, viewer, id, invited)
    await announce(db, { kind: 'account', key: viewer.accountId })
    return id
  })
  return { id }
}

/** Events in a department's calendar are attributed to the department, whoever wrote them. */
async function departmentOf(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('calendar')
    .innerJoin('organization', 'organization.id', 'calendar.organization_id')
    .select('organization.name')
    .where('calendar.id', '=', calendarId)
    .executeTakeFirst()
  return row?.name ?? ''
}

/** The coordinate columns of a point, or null for none. */
export const pointColumns = (point: Point | null | undefined) => ({
  latitude: point?.latitude ?? null,
  longitude: point?.longitude ?? null,
})

async function findByUid(db: Db, calendarId: string, uid: string) {
  const query = db.selectFrom('event').select('id').where('calendar_id', '=', calendarId)
  return (await query.where('uid', '=', uid).executeTakeFirst())?.id
}
