import type { calendarColors, Occurrence, OccurrenceChange } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { sql } from 'kysely'
import { type Db, prepared } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'

const maxListed = 50
/** Changes to lessons of past terms are no longer needed. */
const retentionDays = 120

const selectChanges = prepared((db, { accountId, since }: { accountId: string; since: string }) =>
  db
    .selectFrom('calendar_member as member')
    .innerJoin('occurrence_change as change', 'change.calendar_id', 'member.calendar_id')
    .select([
      'change.kind',
      'change.title',
      'change.title_en as titleEn',
      'change.person',
      'change.note',
      'change.starts_at as startsAt',
      'change.ends_at as endsAt',
      'change.location',
      'change.now_starts_at as nowStartsAt',
      'change.now_ends_at as nowEndsAt',
      'change.now_location as nowLocation',
      'change.changed_at as changedAt',
    ])
    .where('member.account_id', '=', accountId)
    .where('change.changed_at', '>=', since)
    .where(sql<boolean>`coalesce(change.now_ends_at, change.ends_at) > now()`)
    // For a lesson moved several times, only the last change is reported.
    .where(
      sql<boolean>`(change.now_starts_at is null or not exists (select from occurrence_change later
        where later.event_id = change.event_id and later.now_starts_at = change.now_starts_at and later.id > change.id))`,
    )
    .where(
      sql<boolean>`not exists (select from calendar_hidden hidden
        where hidden.calendar_id = member.calendar_id and hidden.account_id = ${accountId})`,
    )
    .orderBy(sql`coalesce(change.starts_at, change.now_starts_at)`)
    .limit(maxListed),
)

/** Changes since a moment to lessons of the member's courses that have not ended yet. */
export const listChanges = (db: Db, { accountId }: Pick<Member, 'accountId'>, since: string) =>
  selectChanges(db, { accountId, since }) as Promise<OccurrenceChange[]>

export const deleteOldChanges = (db: Db) =>
  db
    .deleteFrom('occurrence_change')
    .where('changed_at', '<', sql<string>`now() - make_interval(days => ${retentionDays})`)
    .execute()

type Span = {
  accountId: string
  from: string
  to: string
  calendarIds?: readonly string[] | undefined
}

/** Lessons of the member's courses that were cancelled or moved from this span. No lesson is longer than a day. */
const selectStruck = prepared((db, { accountId, from, to, calendarIds }: Span) =>
  db
    .selectFrom('calendar_member as member')
    .innerJoin('occurrence_change as change', 'change.calendar_id', 'member.calendar_id')
    .innerJoin('calendar', 'calendar.id', 'member.calendar_id')
    .select([
      'change.id',
      'change.event_id',
      'change.calendar_id',
      'change.kind',
      'change.title',
      'change.title_en',
      'change.person',
      'change.note',
      'change.location',
      'change.starts_at',
      'change.ends_at',
      'change.now_starts_at',
      'change.now_location',
      'calendar.color',
    ])
    .where('member.account_id', '=', accountId)
    .where(sql<boolean>`change.kind in ('cancelled', 'moved')`)
    .where('change.starts_at', '<', to)
    .where('change.starts_at', '>', sql<string>`${from}::timestamptz - interval '1 day'`)
    .where('change.ends_at', '>', from)
    .where(
      calendarIds
        ? sql<boolean>`calendar.id = any(${calendarIds as string[]}::bigint[])`
        : sql<boolean>`not exists (select from calendar_hidden hidden
            where hidden.calendar_id = calendar.id and hidden.account_id = ${accountId})`,
    )
    .orderBy('change.starts_at')
    .limit(500),
)

export async function listStruck(
  db: Db,
  accountId: string,
  span: Omit<Span, 'accountId'>,
  timeZone: string,
): Promise<Occurrence[]> {
  const rows = await selectStruck(db, { accountId, ...span })
  return rows.map((row) => ({
    id: row.event_id ?? '0',
    calendarId: row.calendar_id,
    kind: 'course',
    title: row.title,
    titleEn: row.title_en,
    location: row.location,
    person: row.person,
    color: row.color as (typeof calendarColors)[number],
    startsAt: row.starts_at ?? '',
    endsAt: row.ends_at ?? '',
    allDay: false,
    firstDay: dayIn(timeZone, Date.parse(row.starts_at ?? '')),
    lastDay: dayIn(timeZone, Date.parse(row.ends_at ?? '')),
    timeZone,
    answer: null,
    busy: false,
    editable: false,
    version: 0,
    struck: true,
    change: {
      kind: row.kind as 'cancelled' | 'moved',
      at: row.now_starts_at,
      location: row.now_location,
      note: row.note,
    },
  }))
}
