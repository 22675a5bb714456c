import { expand, type Span } from '../src/domains/work/schedule/recurrence.ts'
import type { Db } from '../src/platform/database/db.ts'
import { dayOf } from './dates.ts'
import { fillTimetable } from './fill-timetable.ts'
import { type audiences, type Ids, insert, numbered, type Row } from './rows.ts'
import { eventsAt, holidaysAt, subscriptions, termsAt } from './schedule.ts'

export async function fillSchedule(
  db: Db,
  today: Date,
  accountIds: Ids,
  organizationIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const day = dayOf(today)
  await insert(
    db,
    'academic_term',
    numbered(termsAt(day), ({ code, name, nameEn, startsOn, weeks }) => ({
      code,
      name,
      name_en: nameEn,
      starts_on: startsOn,
      weeks,
    })),
  )
  await insert(
    db,
    'holiday',
    holidaysAt(day).map(({ day, name, nameEn, off }) => ({ day, name, name_en: nameEn, off })),
  )
  const { calendars, events } = eventsAt(day)
  const rows: Row[] = []
  for (const [at, calendar] of calendars.entries()) {
    rows.push({
      id: at + 1,
      kind: calendar.kind,
      source: calendar.departmentCode ? 'department' : 'demo',
      organization_id: organizationIds.get(calendar.departmentCode ?? '') ?? null,
      source_key: calendar.key,
      name: calendar.name,
      name_en: calendar.nameEn,
      color: calendar.color,
      owner_account_id: calendar.ownerUsername
        ? accountIds.get(calendar.ownerUsername.toLowerCase())
        : null,
      audience_id: calendar.audience ? await audienceOf(calendar.audience) : null,
      shown_to_all: calendar.shownToAll,
    })
  }
  await insert(db, 'calendar', rows)
  const calendarIds = new Map(calendars.map(({ key }, at) => [key, at + 1]))
  await insert(
    db,
    'calendar_subscription',
    Object.entries(subscriptions).flatMap(([username, keys]) =>
      keys.map((key) => ({
        account_id: accountIds.get(username),
        calendar_id: calendarIds.get(key),
      })),
    ),
  )
  const written = numbered(events, (event) => ({
    calendar_id: calendarIds.get(event.calendarKey),
    uid: event.uid,
    kind: event.kind,
    title: event.title,
    title_en: event.titleEn,
    location: event.location,
    person: event.person,
    description: event.description,
    starts_local: event.startsLocal,
    minutes: event.minutes,
    all_day: event.allDay,
    time_zone: event.timeZone,
    rrule: event.rrule,
    excluded_local: event.excludedLocal,
    updated_at: today,
  }))
  await insert(db, 'event', written)
  await insert(db, 'event_occurrence', occurrences(written))
  await fillTimetable(db, day)
}

/** Occurrences of events; a lesson in several calendars is computed once. All series of the demo are finite. */
function occurrences(events: readonly WrittenEvent[]) {
  const known = new Map<string, Span[]>()
  const today = Temporal.Now.instant()
  return events.flatMap((event) => {
    const series = {
      startsLocal: `${event.starts_local}:00`,
      minutes: event.minutes,
      allDay: event.all_day,
      timeZone: event.time_zone,
      rrule: event.rrule,
      excludedLocal: event.excluded_local,
      overrides: [],
    }
    const key = JSON.stringify(series)
    const spans = known.get(key) ?? expand(series, today).spans
    known.set(key, spans)
    return spans.map(({ originalLocal, startsAt, endsAt }) => ({
      event_id: event.id,
      calendar_id: event.calendar_id,
      original_local: originalLocal,
      starts_at: startsAt,
      ends_at: endsAt,
    }))
  })
}

type WrittenEvent = {
  id: number
  calendar_id: number | undefined
  starts_local: string
  minutes: number
  all_day: boolean
  time_zone: string
  rrule: string
  excluded_local: string[]
}
