import { type Selectable, sql } from 'kysely'
import { visibleCalendars } from '#domains/work/schedule/queries.ts'
import type { Db } from '#platform/database/db.ts'
import type { Event as EventTable } from '#platform/database/db-schema.gen.ts'
import type { Member } from '#platform/http/guard.ts'
import type { WrittenEvent } from './write-calendar.ts'

/** The member whose view of a calendar is written, and the language. */
export type Reader = Pick<Member, 'accountId' | 'audiences'> & { language: 'zh' | 'en' }
/** One calendar, one event, or by default everything except calendars read from other addresses. */
export type Selection = { calendarId?: string | null; eventId?: string }

/** The `source` of calendars read from another address. */
export const externalSource = 'outside'
/** Maximum events in a feed; the newest ones are kept. */
const maxEvents = 5000
/** How far back a feed goes; programs keep older events they have read. */
const historyDays = 90
const maxDescription = 2000

/** Whether the member may read a calendar's events. */
export const canRead = async (db: Db, viewer: Member, calendarId: string) =>
  (await visibleCalendars(db, viewer)
    .select('calendar.id')
    .where('calendar.id', '=', calendarId)
    .executeTakeFirst()) !== undefined

const selectCalendars = (db: Db, reader: Reader, { calendarId }: Selection) =>
  calendarId
    ? visibleCalendars(db, reader).where('calendar.id', '=', calendarId)
    : // A program that also subscribes to them directly would show each event twice.
      visibleCalendars(db, reader).where('calendar.source', '<>', externalSource)

/**
 * Invitations the member has not declined, which belong to other people's calendars. None if a single calendar is
 * selected.
 */
const invitations = (db: Db, { accountId }: Reader, { calendarId }: Selection) =>
  db
    .selectFrom('event_participant as part')
    .where('part.account_id', '=', accountId)
    .where('part.answer', '<>', 'no')
    .where(sql<boolean>`${!calendarId}`)

/**
 * A text that changes whenever an event of these calendars does, computed without reading their contents: changing a
 * row raises its `xmin`, and deleting one lowers the count.
 */
export async function readStamp(db: Db, reader: Reader, selection: Selection) {
  const seen = selectCalendars(db, reader, selection).select([
    'calendar.id',
    sql<string>`calendar.xmin::text::bigint`.as('version'),
  ])
  const invited = invitations(db, reader, selection).select([
    'part.event_id',
    sql<string>`part.xmin::text::bigint`.as('version'),
  ])
  const { rows } = await sql<{ calendars: number; stamp: string }>`
    with seen as ${seen}, invited as ${invited},
      events as (select count(*), sum(event.xmin::text::bigint) from event where calendar_id in (select id from seen)),
      changes as (select count(*), sum(changed.xmin::text::bigint) from event_override changed
        join event on event.id = changed.event_id where event.calendar_id in (select id from seen)),
      others as (select count(*), sum(event.xmin::text::bigint + invited.version)
        from invited join event on event.id = invited.event_id),
      other_changes as (select count(*), sum(changed.xmin::text::bigint)
        from invited join event_override changed on changed.event_id = invited.event_id)
    select (select count(*)::integer from seen) as calendars,
      concat_ws(' ', (select concat(count(*), ' ', sum(version)) from seen), events::text, changes::text, others::text,
        other_changes::text) as stamp
    from events, changes, others, other_changes`.execute(db)
  return rows[0] ?? { calendars: 0, stamp: '' }
}

/** Columns needed to write an event, except its description. */
export const eventColumns = [
  'event.title',
  'event.title_en',
  'event.location',
  'event.latitude',
  'event.longitude',
  'event.person',
  'event.url',
  'event.busy',
  'event.category',
  'event.starts_local',
  'event.minutes',
  'event.all_day',
  'event.time_zone',
  'event.zone_definition',
  'event.rrule',
  'event.excluded_local',
  'event.updated_at',
] as const
type WrittenRow = Omit<
  Selectable<EventTable>,
  | 'id'
  | 'category_color'
  | 'uid'
  | 'calendar_id'
  | 'account_id'
  | 'kind'
  | 'version'
  | 'expanded_until'
  | 'resource_name'
>

/** Converts a row with these columns and a description for writing in a language. */
export const toWrittenEvent = (
  row: WrittenRow,
  language: 'zh' | 'en',
  overrides: WrittenEvent['overrides'] = [],
): Omit<WrittenEvent, 'uid' | 'calendarName'> => ({
  title: (language === 'en' && row.title_en) || row.title,
  location: row.location,
  person: row.person,
  description: row.description,
  startsLocal: row.starts_local,
  minutes: row.minutes,
  allDay: row.all_day,
  timeZone: row.time_zone,
  zoneDefinition: row.zone_definition,
  rrule: row.rrule,
  excludedLocal: row.excluded_local as unknown as string[],
  overrides,
  updatedAt: row.updated_at,
  url: row.url,
  busy: row.busy,
  category: row.category,
  point:
    row.latitude === null || row.longitude === null
      ? null
      : { latitude: row.latitude, longitude: row.longitude },
})

/**
 * Events to write. An endless series is included whole; other events if they ended less than 90 days ago or are to
 * come.
 */
export async function listEventsToWrite(
  db: Db,
  reader: Reader,
  selection: Selection,
  host: string,
): Promise<WrittenEvent[]> {
  const { eventId } = selection
  const calendars = eventId ? visibleCalendars(db, reader) : selectCalendars(db, reader, selection)
  const rows = await db
    .selectFrom('event')
    .innerJoin('calendar', 'calendar.id', 'event.calendar_id')
    .leftJoin('event_participant as part', (join) =>
      join.onRef('part.event_id', '=', 'event.id').on('part.account_id', '=', reader.accountId),
    )
    // So that each side of the union uses its index.
    .where('event.id', 'in', (query) =>
      query
        .selectFrom('event as one')
        .where('one.calendar_id', 'in', calendars.select('calendar.id'))
        .$if(eventId !== undefined, (only) => only.where('one.id', '=', eventId ?? null))
        .select('one.id')
        .unionAll(invitations(db, reader, selection).select('part.event_id as id')),
    )
    .select(eventColumns)
    .select(['event.id', 'event.uid', 'calendar.name', 'calendar.name_en', 'part.answer'])
    .select(sql<string>`left(event.description, ${maxDescription})`.as('description'))
    .where((where) =>
      eventId
        ? where('event.id', '=', eventId)
        : where.or([
            where('event.expanded_until', 'is not', null),
            where.exists(
              where
                .selectFrom('event_occurrence as occurrence')
                .select('occurrence.event_id')
                .whereRef('occurrence.event_id', '=', 'event.id')
                .where(
                  'occurrence.ends_at',
                  '>',
                  sql<string>`now() - make_interval(days => ${historyDays})`,
                ),
            ),
          ]),
    )
    .orderBy('event.id', 'desc')
    .limit(maxEvents)
    .execute()
  const overrides = await listOverrides(
    db,
    rows.map(({ id }) => id),
  )
  const english = reader.language === 'en'
  const uids = new Set<string>()
  return rows.reverse().map((row) => {
    const originalUid = row.uid ?? `event-${row.id}@${host}`
    // The same file may have been imported into two calendars.
    const uid = uids.has(originalUid) ? `${originalUid}/${row.id}` : originalUid
    uids.add(uid)
    return {
      uid,
      ...toWrittenEvent(row, reader.language, overrides.get(row.id)),
      calendarName: (english && row.name_en) || row.name,
      // Invitees who have not accepted are not committed.
      tentative: row.answer === 'none' || row.answer === 'maybe',
    }
  })
}

/** Overrides whose occurrence exists. */
export async function listOverrides(db: Db, eventIds: readonly string[]) {
  const rows = await db
    .selectFrom('event_override as changed')
    .innerJoin('event_occurrence as occurrence', (join) =>
      join
        .onRef('occurrence.event_id', '=', 'changed.event_id')
        .onRef('occurrence.original_local', '=', 'changed.original_local'),
    )
    .select([
      'changed.event_id as eventId',
      'changed.original_local as originalLocal',
      'changed.starts_local as startsLocal',
      'changed.minutes',
      'changed.title',
      'changed.location',
    ])
    .where('changed.event_id', '=', sql<string>`any(${eventIds as string[]}::bigint[])`)
    .orderBy('changed.event_id')
    .orderBy('changed.original_local')
    .execute()
  return Map.groupBy(rows, ({ eventId }) => eventId)
}
