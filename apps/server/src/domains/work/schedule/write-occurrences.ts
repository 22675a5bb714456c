import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { expand, type Series } from './recurrence.ts'

/**
 * Rewrites the occurrences of these events. Call it in the transaction that wrote the events.
 * @param now decides how far an endless rule is expanded
 */
export async function writeOccurrences(db: Db, eventIds: readonly string[], now: Date) {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  for (let offset = 0; offset < eventIds.length; offset += 500)
    await writeBatch(db, eventIds.slice(offset, offset + 500), today)
}

/** Stored series by event id. */
export async function listSeries(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Series & { calendarId: string }>> {
  const idFilter = sql<string>`any(${ids as string[]}::bigint[])`
  const events = await db
    .selectFrom('event')
    .select([
      'id',
      'calendar_id',
      'starts_local',
      'minutes',
      'all_day',
      'time_zone',
      'zone_definition',
      'rrule',
      'excluded_local',
    ])
    .where('id', '=', idFilter)
    .execute()
  const overrides = await db
    .selectFrom('event_override')
    .selectAll()
    .where('event_id', '=', idFilter)
    .execute()
  const byEvent = Map.groupBy(overrides, (row) => row.event_id)
  return new Map(
    events.map((event) => [
      event.id,
      {
        calendarId: event.calendar_id,
        startsLocal: event.starts_local,
        minutes: event.minutes,
        allDay: event.all_day,
        timeZone: event.time_zone,
        zoneDefinition: event.zone_definition,
        rrule: event.rrule,
        excludedLocal: timestamps(event.excluded_local),
        overrides: (byEvent.get(event.id) ?? []).map((row) => ({
          originalLocal: row.original_local,
          startsLocal: row.starts_local,
          minutes: row.minutes,
        })),
      },
    ]),
  )
}

async function writeBatch(db: Db, ids: readonly string[], today: Temporal.Instant) {
  const idFilter = sql<string>`any(${ids as string[]}::bigint[])`
  const columns = {
    event: [] as string[],
    calendar: [] as string[],
    original: [] as string[],
    starts: [] as string[],
    ends: [] as string[],
  }
  const expandedUntil = new Map<string, string>()
  for (const [id, series] of await listSeries(db, ids)) {
    const { spans, until } = expand(series, today)
    if (until) expandedUntil.set(id, until)
    for (const span of spans) {
      columns.event.push(id)
      columns.calendar.push(series.calendarId)
      columns.original.push(span.originalLocal)
      columns.starts.push(span.startsAt)
      columns.ends.push(span.endsAt)
    }
  }
  await db.deleteFrom('event_occurrence').where('event_id', '=', idFilter).execute()
  await sql`
    insert into event_occurrence (event_id, calendar_id, original_local, starts_at, ends_at)
    select * from unnest(${columns.event}::bigint[], ${columns.calendar}::bigint[], ${columns.original}::timestamp[],
                         ${columns.starts}::timestamptz[], ${columns.ends}::timestamptz[])`.execute(
    db,
  )
  await sql`
    update event set expanded_until = going.until
    from (select unnest(${ids as string[]}::bigint[]) as id) touched
    left join unnest(${[...expandedUntil.keys()]}::bigint[], ${[...expandedUntil.values()]}::timestamptz[]) as going (id, until) using (id)
    where event.id = touched.id`.execute(db)
  await setNextReminders(db, ids)
}

/** Recalculates when the reminders of these events are next due. Reminders already due are left to the sender. */
export async function setNextReminders(db: Db, eventIds: readonly string[]) {
  const { numAffectedRows = 0n } = await sql`
    update event_reminder reminder set next_at = ${nextReminder}
    where reminder.event_id = any(${eventIds as string[]}::bigint[])
      and (reminder.next_at is null or reminder.next_at > now())`.execute(db)
  if (numAffectedRows > 0n) await announce(db, { kind: 'event-reminder', key: '' })
}

/** SQL on `reminder`: its time before the first occurrence that is still in time. */
export const nextReminder = sql`(
  select min(o.starts_at) - make_interval(mins => reminder.minutes) from event_occurrence o
  where o.event_id = reminder.event_id and o.starts_at > now() + make_interval(mins => reminder.minutes))`

/** The driver returns timestamp arrays as text or dates. */
const timestamps = (values: unknown): string[] =>
  (Array.isArray(values) ? values : []).map((value) => String(value).replace(' ', 'T').slice(0, 19))

/** Series expanded for less than two years ahead, for the daily job. */
export const listToExpand = (db: Db) =>
  db
    .selectFrom('event')
    .select('id')
    .where('expanded_until', '<', sql<string>`now() + interval '2 years'`)
    .orderBy('expanded_until')
    .limit(5000)
    .execute()
