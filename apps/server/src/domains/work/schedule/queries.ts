import type { calendarColors, Occurrence, OccurrenceChange } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { roomInEnglish } from '@atrium/rules/places/room-in-english'
import { sql } from 'kysely'
import { listAllPlaces } from '#domains/shell/map/queries.ts'
import { visibleTo } from '#platform/audience.ts'
import { type Db, prepared } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { operatedIn } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { selectStruck } from './changes.ts'

type Color = (typeof calendarColors)[number]

/**
 * SQL condition on `calendar`: the member sees it because they own it, it is shared with them, it belongs to a course
 * they attend or teach, it is shown to everybody in an audience of theirs, or they subscribed to one open to such an
 * audience. Shares and courses form one array so that each side of the "or" can use an index.
 */
export const seesCalendar = ({ accountId, audiences }: Pick<Member, 'accountId' | 'audiences'>) =>
  sql<boolean>`(calendar.owner_account_id = ${accountId}
    or calendar.id = any(array(select share.calendar_id from calendar_share share where share.account_id = ${accountId}
      union all select member.calendar_id from calendar_member member where member.account_id = ${accountId}))
    or (${visibleTo({ audiences }, 'calendar.audience_id')} and (calendar.shown_to_all or exists (
      select from calendar_subscription subscription
      where subscription.calendar_id = calendar.id and subscription.account_id = ${accountId}))))`

/**
 * SQL condition on `calendar`: the member may write events, because they own it, it is shared with write access, or its
 * department granted them write access.
 */
export const mayWrite = (accountId: string) =>
  sql<boolean>`((calendar.source in ('own', 'member') and calendar.owner_account_id = ${accountId})
    or (calendar.source in ('own', 'member', 'department') and exists (select from calendar_share writer
      where writer.calendar_id = calendar.id and writer.account_id = ${accountId} and writer.access = 'write')))`
/** SQL condition on `calendar`: it belongs to a department the operator manages. */
export function operatesCalendar(viewer: Pick<Member, 'permissions' | 'permissionsIn'>) {
  const codes = operatedIn(viewer, 'content')
  return sql<boolean>`(calendar.source = 'department' and calendar.organization_id in (
    select place.id from organization place
    where ${codes === null ? sql`true` : sql`place.path && ${codes as string[]}::text[]`}))`
}

/**
 * In which role somebody changes events: a member in calendars they may write, or an operator in department calendars.
 */
export type EditRole = 'member' | 'department'
export const mayChange = (viewer: Member, role: EditRole) =>
  role === 'department' ? operatesCalendar(viewer) : mayWrite(viewer.accountId)

/** SQL condition: the member sees only busy times of `calendar`. */
const seesBusyOnly = (accountId: string) =>
  sql<boolean>`coalesce((select share.access = 'busy' from calendar_share share
    where share.calendar_id = calendar.id and share.account_id = ${accountId}), false)`

/** Calendars whose event details the member may read. */
export const visibleCalendars = (db: Db, viewer: Pick<Member, 'accountId' | 'audiences'>) =>
  db
    .selectFrom('calendar')
    .where(seesCalendar(viewer))
    .where(sql<boolean>`not ${seesBusyOnly(viewer.accountId)}`)

type Span = {
  accountId: string
  audiences: readonly number[]
  from: string
  to: string
  calendarIds?: readonly string[] | undefined
}

/** SQL types of the fields of `Span`. */
const spanTypes = {
  accountId: 'bigint',
  audiences: 'integer[]',
  from: 'timestamptz',
  to: 'timestamptz',
  calendarIds: 'bigint[]',
}

/** Calendars to search, with the member's access to each. */
function selectAccessibleCalendars(
  db: Db,
  { accountId, audiences, calendarIds }: Pick<Span, 'accountId' | 'audiences' | 'calendarIds'>,
) {
  const accessible = db
    .selectFrom('calendar')
    .where(seesCalendar({ accountId, audiences }))
    .select([
      'calendar.id',
      'calendar.color',
      mayWrite(accountId).as('editable'),
      seesBusyOnly(accountId).as('busy_only'),
    ])
  return calendarIds
    ? accessible.where('calendar.id', '=', sql<string>`any(${calendarIds as string[]}::bigint[])`)
    : accessible.where(
        sql<boolean>`not exists (select from calendar_hidden hidden
          where hidden.calendar_id = calendar.id and hidden.account_id = ${accountId})`,
      )
}

const shownColumns = [
  'event.id',
  'event.calendar_id',
  'event.kind',
  'event.all_day',
  'event.time_zone',
  'event.busy',
  'event.version',
  'part.answer',
] as const

/** Details are hidden for calendars that show only busy times. */
const detailColumns = [
  sql<string>`case when hit.busy_only or changed.title is not null then '' else event.title_en end`.as(
    'title_en',
  ),
  sql<string>`case when hit.busy_only then '' else event.person end`.as('person'),
  sql<string>`case when hit.busy_only then '' else coalesce(changed.title, event.title) end`.as(
    'title',
  ),
  sql<string>`case when hit.busy_only then '' else coalesce(changed.location, event.location) end`.as(
    'location',
  ),
] as const

/**
 * Short and long occurrences have separate indexes: a one-day span must not scan a year of lessons just because some
 * event could last that long. `long` is a literal in the SQL: with a parameter, PostgreSQL could not match the index
 * and would plan the query again each time.
 */
const selectOccurrences = prepared((db, { accountId, audiences, from, to, calendarIds }: Span) => {
  const columns = ['o.event_id', 'o.original_local', 'o.starts_at', 'o.ends_at'] as const
  // Events the member is invited to belong to other people's calendars.
  const invited = sql<boolean>`part.account_id = ${accountId} and part.answer <> 'no' and part.event_id = o.event_id`
  return (
    db
      .with('seen', () => selectAccessibleCalendars(db, { accountId, audiences, calendarIds }))
      .with('hit', (query) =>
        query
          .selectFrom('seen')
          .innerJoin('event_occurrence as o', 'o.calendar_id', 'seen.id')
          .select([...columns, 'seen.color', 'seen.editable', 'seen.busy_only'])
          .where(sql<boolean>`not o.long`)
          .where('o.starts_at', '<', to)
          .where('o.starts_at', '>', sql<string>`${from}::timestamptz - interval '1 day'`)
          .where('o.ends_at', '>', from)
          .unionAll(
            query
              .selectFrom('seen')
              .innerJoin('event_occurrence as o', 'o.calendar_id', 'seen.id')
              .select([...columns, 'seen.color', 'seen.editable', 'seen.busy_only'])
              .where(sql<boolean>`o.long`)
              .where('o.ends_at', '>', from)
              .where('o.starts_at', '<', to),
          )
          .$if(calendarIds === undefined, (hits) =>
            hits.unionAll(
              query
                .selectFrom('event_participant as part')
                .innerJoin('event_occurrence as o', (join) => join.on(invited))
                .select([
                  ...columns,
                  sql<string>`'violet'`.as('color'),
                  sql<boolean>`false`.as('editable'),
                  sql<boolean>`false`.as('busy_only'),
                ])
                .where('o.ends_at', '>', from)
                .where('o.starts_at', '<', to)
                .where(
                  sql<boolean>`not exists (select from seen where seen.id = o.calendar_id and not seen.busy_only)`,
                ),
            ),
          ),
      )
      .selectFrom('hit')
      .innerJoin('event', 'event.id', 'hit.event_id')
      .leftJoin('event_override as changed', (join) =>
        join
          .onRef('changed.event_id', '=', 'hit.event_id')
          .onRef('changed.original_local', '=', 'hit.original_local'),
      )
      .leftJoin('event_participant as part', (join) =>
        join.onRef('part.event_id', '=', 'event.id').on('part.account_id', '=', accountId),
      )
      // Only lessons have change marks with their previous time and place.
      .leftJoinLateral(
        (mark) =>
          mark
            .selectFrom('occurrence_change as one')
            .select(['one.kind', 'one.starts_at', 'one.location', 'one.note'])
            .whereRef('one.event_id', '=', 'hit.event_id')
            .whereRef('one.now_starts_at', '=', 'hit.starts_at')
            .where(sql<boolean>`event.kind = 'course'`)
            .orderBy('one.id', 'desc')
            .limit(1)
            .as('mark'),
        (join) => join.onTrue(),
      )
      // In the order of `selectStruck`.
      .select([
        sql<boolean>`false`.as('struck'),
        'mark.kind as change',
        'mark.starts_at as change_at',
        'mark.location as change_location',
        'mark.note as change_note',
      ])
      .select(shownColumns)
      .select([
        // For busy-only access, the category colour would reveal what kind of event it is.
        sql<string>`case when hit.busy_only then hit.color else coalesce(event.category_color, hit.color) end`.as(
          'color',
        ),
      ])
      .select(['hit.starts_at', 'hit.ends_at', 'hit.editable', 'hit.busy_only'])
      .select(detailColumns)
      .where(sql<boolean>`not hit.busy_only or event.busy`)
      // One statement: a second one for the few struck lessons would cost each day a second round trip.
      .unionAll(selectStruck(db, { accountId, from, to, calendarIds }))
      .orderBy('all_day', 'desc')
      .orderBy('starts_at')
      .orderBy('id')
      .limit(2000)
  )
}, spanTypes)

/**
 * Occurrences that overlap the span, all-day ones first, then by time; struck lessons as well.
 * @param span `from` and `to` are instants, ISO 8601
 */
export async function listOccurrences(
  platform: Platform,
  viewer: Member,
  span: { from: string; to: string; calendarIds?: readonly string[] | undefined },
  timeZone: string,
): Promise<Occurrence[]> {
  const { accountId, audiences } = viewer
  const places = await listAllPlaces(platform)
  const rows = await selectOccurrences(platform.db, { accountId, audiences, ...span })
  return rows.map((row): Occurrence => {
    const zone = row.all_day ? row.time_zone : timeZone
    return {
      id: row.id,
      calendarId: row.calendar_id,
      kind: row.kind as Occurrence['kind'],
      title: row.busy_only ? '忙碌' : row.title,
      titleEn: row.busy_only ? 'Busy' : row.title_en,
      location: row.location,
      locationEn: roomInEnglish(row.location, places),
      person: row.person,
      color: row.color as Color,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      allDay: row.all_day,
      firstDay: dayIn(Date.parse(row.starts_at), zone),
      // An end at midnight belongs to the previous day.
      lastDay: dayIn(Math.max(Date.parse(row.ends_at) - 1, Date.parse(row.starts_at)), zone),
      timeZone: row.struck ? timeZone : row.time_zone,
      answer: row.answer as Occurrence['answer'],
      busy: row.busy,
      editable: row.editable && row.kind === 'event',
      version: row.version,
      struck: row.struck,
      change: row.change
        ? {
            kind: row.change as OccurrenceChange['kind'],
            at: row.change_at,
            location: row.change_location ?? '',
            locationEn: roomInEnglish(row.change_location ?? '', places),
            note: row.change_note ?? '',
          }
        : null,
    }
  })
}

/** An event the member sees or is invited to, or one of their department's. */
export const findEvent = (db: Db, viewer: Member, id: string, role: EditRole = 'member') =>
  db
    .selectFrom('event')
    .innerJoin('calendar', 'calendar.id', 'event.calendar_id')
    .leftJoin('event_participant as part', (join) =>
      join.onRef('part.event_id', '=', 'event.id').on('part.account_id', '=', viewer.accountId),
    )
    .leftJoin('account as organiser', 'organiser.id', 'event.account_id')
    .leftJoin('person as organising', 'organising.id', 'organiser.person_id')
    .select([
      'event.id',
      'event.title',
      'event.title_en as titleEn',
      'event.kind',
      'event.calendar_id as calendarId',
      'calendar.name as calendarName',
      'calendar.name_en as calendarNameEn',
      sql<string>`coalesce(event.category_color, calendar.color)`.as('color'),
      'event.location',
      'event.latitude',
      'event.longitude',
      sql<string>`coalesce(nullif(event.person, ''), organising.name, '')`.as('person'),
      'event.description',
      'event.url',
      'event.category',
      'event.category_color as categoryColor',
      'event.all_day as allDay',
      'event.time_zone as timeZone',
      'event.rrule',
      'event.busy',
      'event.version',
      'event.account_id as accountId',
      'part.answer',
      mayChange(viewer, role).as('mayWrite'),
    ])
    .where('event.id', '=', id)
    .where(
      role === 'department'
        ? operatesCalendar(viewer)
        : sql<boolean>`(part.id is not null or (${seesCalendar(viewer)} and not ${seesBusyOnly(viewer.accountId)}))`,
    )
    .executeTakeFirst()

/** The occurrence starting at this instant, or else the next one, or else the last. */
export async function getOccurrence(db: Db, eventId: string, startsAt: string | undefined) {
  const { rows } = await sql<{
    starts_at: string
    ends_at: string
    original_local: string
    starts_local: string
    minutes: number
    title: string | null
    location: string | null
    latitude: number | null
    longitude: number | null
    changed: boolean
  }>`
    select o.starts_at, o.ends_at, changed.title, changed.location, changed.latitude, changed.longitude,
      changed.event_id is not null as changed,
      to_char(o.original_local, 'YYYY-MM-DD"T"HH24:MI') as original_local,
      to_char(coalesce(changed.starts_local, o.original_local), 'YYYY-MM-DD"T"HH24:MI') as starts_local,
      coalesce(changed.minutes, event.minutes) as minutes
    from event_occurrence o
    join event on event.id = o.event_id
    left join event_override changed on changed.event_id = o.event_id and changed.original_local = o.original_local
    where o.event_id = ${eventId}
    order by o.starts_at = ${startsAt ?? null}::timestamptz desc nulls last, o.ends_at < now(),
             abs(extract(epoch from o.starts_at - now()))
    limit 1`.execute(db)
  return rows[0]
}
