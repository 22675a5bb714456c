import type { calendarColors, Occurrence } from '@atrium/contract/work/schedule'
import { type Insertable, sql } from 'kysely'
import { visibleTo } from '#platform/audience.ts'
import { type Db, prepared } from '#platform/database/db.ts'
import type { DB } from '#platform/database/db-schema.gen.ts'
import type { Member } from '#platform/http/guard.ts'
import { expand } from './recurrence.ts'

type Color = (typeof calendarColors)[number]

/** Calendars the member sees: the own ones, those shown to all of an audience he is in, and subscribed ones of such. */
const visibleCalendars = (db: Db, viewer: Pick<Member, 'accountId' | 'audiences'>) =>
  db
    .selectFrom('calendar')
    .where((where) =>
      where.or([
        where('calendar.owner_account_id', '=', viewer.accountId),
        where.and([
          visibleTo(viewer, 'calendar.audience_id'),
          where.or([
            where('calendar.shown_to_all', '=', true),
            where.exists(
              where
                .selectFrom('calendar_subscription as subscription')
                .select('subscription.calendar_id')
                .whereRef('subscription.calendar_id', '=', 'calendar.id')
                .where('subscription.account_id', '=', viewer.accountId),
            ),
          ]),
        ]),
      ]),
    )

export async function listCalendars(db: Db, viewer: Member) {
  const rows = await visibleCalendars(db, viewer)
    .select(['calendar.id', 'name', 'name_en as nameEn', 'color', 'kind', 'owner_account_id'])
    .orderBy('kind')
    .orderBy('calendar.id')
    .limit(500)
    .execute()
  return rows.map(({ owner_account_id, ...row }) => ({
    ...row,
    color: row.color as Color,
    kind: row.kind as 'personal' | 'course' | 'public',
    mine: owner_account_id === viewer.accountId,
  }))
}

type Span = {
  accountId: string
  audiences: readonly number[]
  from: string
  to: string
  calendarIds?: readonly string[] | undefined
}
/**
 * Short and long ones have an index each: a span of a day must not read a year of lessons only because some event could last
 * that long. Which of the two is said in the text of the statement: behind a parameter PostgreSQL could not see it, and would
 * plan this anew each time.
 */
const selectOccurrences = prepared((db, { accountId, audiences, from, to, calendarIds }: Span) => {
  let calendars = visibleCalendars(db, { accountId, audiences }).select([
    'calendar.id',
    'calendar.color',
  ])
  if (calendarIds)
    calendars = calendars.where(
      'calendar.id',
      '=',
      sql<string>`any(${calendarIds as string[]}::bigint[])`,
    )
  return db
    .with('seen', () => calendars)
    .with('hit', (query) =>
      query
        .selectFrom('seen')
        .innerJoin('event_occurrence as o', 'o.calendar_id', 'seen.id')
        .select(['o.event_id', 'o.original_local', 'o.starts_at', 'o.ends_at', 'seen.color'])
        .where(sql<boolean>`not o.long`)
        .where('o.starts_at', '<', to)
        .where('o.starts_at', '>', sql<string>`${from}::timestamptz - interval '1 day'`)
        .where('o.ends_at', '>', from)
        .unionAll(
          query
            .selectFrom('seen')
            .innerJoin('event_occurrence as o', 'o.calendar_id', 'seen.id')
            .select(['o.event_id', 'o.original_local', 'o.starts_at', 'o.ends_at', 'seen.color'])
            .where(sql<boolean>`o.long`)
            .where('o.ends_at', '>', from)
            .where('o.starts_at', '<', to),
        ),
    )
    .selectFrom('hit')
    .innerJoin('event', 'event.id', 'hit.event_id')
    .leftJoin('event_override as changed', (join) =>
      join
        .onRef('changed.event_id', '=', 'hit.event_id')
        .onRef('changed.original_local', '=', 'hit.original_local'),
    )
    .select([
      'event.id',
      'event.calendar_id',
      'event.kind',
      'event.title_en',
      'event.person',
      'event.all_day',
      'event.time_zone',
    ])
    .select(['hit.color', 'hit.starts_at', 'hit.ends_at'])
    .select([
      sql<string>`coalesce(changed.title, event.title)`.as('title'),
      sql<string>`coalesce(changed.location, event.location)`.as('location'),
    ])
    .orderBy('event.all_day', 'desc')
    .orderBy('hit.starts_at')
    .orderBy('event.id')
    .limit(2000)
})

/**
 * Occurrences that touch the span, in time order.
 * @param from, to instants, ISO 8601
 */
export async function listOccurrences(
  db: Db,
  viewer: Member,
  span: { from: string; to: string; calendarIds?: readonly string[] | undefined },
  timeZone: string,
): Promise<Occurrence[]> {
  const { accountId, audiences } = viewer
  const rows = await selectOccurrences(db, { accountId, audiences, ...span })
  return rows.map((row) => {
    const zone = row.all_day ? row.time_zone : timeZone
    return {
      id: row.id,
      calendarId: row.calendar_id,
      kind: row.kind as Occurrence['kind'],
      title: row.title,
      titleEn: row.title_en,
      location: row.location,
      person: row.person,
      color: row.color as Color,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      allDay: row.all_day,
      firstDay: dayIn(zone, row.starts_at),
      // An end at midnight belongs to the day before.
      lastDay: dayIn(
        zone,
        new Date(Math.max(Date.parse(row.ends_at) - 1, Date.parse(row.starts_at))).toISOString(),
      ),
      timeZone: row.time_zone,
    }
  })
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()
/** YYYY-MM-DD of an instant in a zone. Intl's formatter is dear to make and cheap to use. */
export function dayIn(zone: string, instant: string | number): string {
  let format = dayFormats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    dayFormats.set(zone, format)
  }
  return format.format(typeof instant === 'string' ? new Date(instant) : instant)
}

export const findEvent = (db: Db, viewer: Member, id: string) =>
  visibleCalendars(db, viewer)
    .innerJoin('event', 'event.calendar_id', 'calendar.id')
    .select([
      'event.id',
      'event.title',
      'event.title_en as titleEn',
      'event.kind',
      'calendar.name as calendarName',
      'calendar.name_en as calendarNameEn',
      'calendar.color',
      'event.location',
      'event.person',
      'event.description',
      'event.all_day as allDay',
      'event.time_zone as timeZone',
      'event.rrule',
      'calendar.owner_account_id as ownerAccountId',
      'calendar.source as calendarSource',
    ])
    .where('event.id', '=', id)
    .executeTakeFirst()

/** The source of the calendar that holds what a member enters; its key is the account. */
export const ownSource = 'own'

/** The id of the member's own calendar, made when there is none; held until the transaction ends. */
export async function takeOwnCalendar(db: Db, accountId: string): Promise<string> {
  const { id } = await db
    .insertInto('calendar')
    .values({
      kind: 'personal',
      source: ownSource,
      source_key: accountId,
      name: '我的日程',
      name_en: 'My events',
      color: 'violet',
      owner_account_id: accountId,
    })
    .onConflict((conflict) =>
      conflict.columns(['source', 'source_key']).doUpdateSet({ source: ownSource }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findEventByUid(db: Db, calendarId: string, uid: string) {
  const query = db.selectFrom('event').select('id').where('calendar_id', '=', calendarId)
  return (await query.where('uid', '=', uid).executeTakeFirst())?.id
}

export async function countEvents(db: Db, calendarId: string) {
  const { count } = await db
    .selectFrom('event')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('calendar_id', '=', calendarId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Writes an event and its occurrences. @returns its id */
export async function insertEvent(db: Db, values: Insertable<DB['event']>): Promise<string> {
  const { id } = await db
    .insertInto('event')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeOccurrences(db, [id], new Date())
  return id
}

/** @returns whether it was there, entered by this member */
export async function deleteOwnEvent(db: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('event')
    .where('id', '=', id)
    .where('calendar_id', 'in', (own) =>
      own
        .selectFrom('calendar')
        .select('id')
        .where('source', '=', ownSource)
        .where('owner_account_id', '=', accountId),
    )
    .executeTakeFirst()
  return numDeletedRows > 0
}

/** The occurrence that starts at this instant, else the next one, else the last. */
export async function getOccurrence(db: Db, eventId: string, startsAt: string | undefined) {
  const { rows } = await sql<{
    starts_at: string
    ends_at: string
    title: string | null
    location: string | null
  }>`
    select o.starts_at, o.ends_at, changed.title, changed.location
    from event_occurrence o
    left join event_override changed on changed.event_id = o.event_id and changed.original_local = o.original_local
    where o.event_id = ${eventId}
    order by o.starts_at = ${startsAt ?? null}::timestamptz desc nulls last, o.ends_at < now(),
             abs(extract(epoch from o.starts_at - now()))
    limit 1`.execute(db)
  return rows[0]
}

/** The term a day lies in; of a span, the last term it touches. */
export const findTerm = (db: Db, from: string, to = from) =>
  db
    .selectFrom('academic_term')
    .select(['name', 'name_en as nameEn', 'starts_on as startsOn', 'weeks'])
    .where('starts_on', '<=', to)
    .where(sql<boolean>`starts_on + weeks * 7 > ${from}::date`)
    .orderBy('starts_on', 'desc')
    .executeTakeFirst()

export const listHolidays = (db: Db, from: string, to: string) =>
  db
    .selectFrom('holiday')
    .select(['day', 'name', 'name_en as nameEn', 'off'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()

export const updateTimeZone = (db: Db, personId: string, timeZone: string | null) =>
  db.updateTable('person').set({ time_zone: timeZone }).where('id', '=', personId).execute()

/**
 * Writes out the occurrences of these events anew: call it in the transaction that wrote the events.
 * @param now decides how far an endless rule is written out
 */
export async function writeOccurrences(db: Db, eventIds: readonly string[], now: Date) {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  for (let at = 0; at < eventIds.length; at += 500)
    await writeBatch(db, eventIds.slice(at, at + 500), today)
}

async function writeBatch(db: Db, ids: readonly string[], today: Temporal.Instant) {
  const among = sql<string>`any(${ids as string[]}::bigint[])`
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
    .where('id', '=', among)
    .execute()
  const overrides = await db
    .selectFrom('event_override')
    .selectAll()
    .where('event_id', '=', among)
    .execute()
  const columns = {
    event: [] as string[],
    calendar: [] as string[],
    original: [] as string[],
    starts: [] as string[],
    ends: [] as string[],
  }
  const goingOn = new Map<string, string>()
  for (const event of events) {
    const { spans, until } = expand(
      {
        startsLocal: event.starts_local,
        minutes: event.minutes,
        allDay: event.all_day,
        timeZone: event.time_zone,
        zoneDefinition: event.zone_definition,
        rrule: event.rrule,
        excludedLocal: timestamps(event.excluded_local),
        overrides: overrides
          .filter((row) => row.event_id === event.id)
          .map((row) => ({
            originalLocal: row.original_local,
            startsLocal: row.starts_local,
            minutes: row.minutes,
          })),
      },
      today,
    )
    if (until) goingOn.set(event.id, until)
    for (const span of spans) {
      columns.event.push(event.id)
      columns.calendar.push(event.calendar_id)
      columns.original.push(span.originalLocal)
      columns.starts.push(span.startsAt)
      columns.ends.push(span.endsAt)
    }
  }
  await db.deleteFrom('event_occurrence').where('event_id', '=', among).execute()
  await sql`
    insert into event_occurrence (event_id, calendar_id, original_local, starts_at, ends_at)
    select * from unnest(${columns.event}::bigint[], ${columns.calendar}::bigint[], ${columns.original}::timestamp[],
                         ${columns.starts}::timestamptz[], ${columns.ends}::timestamptz[])`.execute(
    db,
  )
  await sql`
    update event set expanded_until = going.until
    from (select unnest(${ids as string[]}::bigint[]) as id) touched
    left join unnest(${[...goingOn.keys()]}::bigint[], ${[...goingOn.values()]}::timestamptz[]) as going (id, until) using (id)
    where event.id = touched.id`.execute(db)
}

/** An array of timestamps arrives as the driver's own text or dates, according to what it can parse. */
const timestamps = (values: unknown): string[] =>
  (Array.isArray(values) ? values : []).map((value) => String(value).replace(' ', 'T').slice(0, 19))

/** Series whose written-out part ends within two years: what the daily job takes up. */
export const listToExpand = (db: Db) =>
  db
    .selectFrom('event')
    .select('id')
    .where('expanded_until', '<', sql<string>`now() + interval '2 years'`)
    .orderBy('expanded_until')
    .limit(5000)
    .execute()
