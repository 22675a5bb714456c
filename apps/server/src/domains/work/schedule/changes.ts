import type { OccurrenceChange } from '@atrium/contract/work/schedule'
import { roomInEnglish } from '@atrium/rules/places/room-in-english'
import { sql } from 'kysely'
import { listAllPlaces } from '#domains/shell/map/queries.ts'
import { type Db, prepared } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

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
export async function listChanges(
  platform: Platform,
  { accountId }: Pick<Member, 'accountId'>,
  since: string,
): Promise<OccurrenceChange[]> {
  const places = await listAllPlaces(platform)
  const rows = await selectChanges(platform.db, { accountId, since })
  return rows.map((row) => ({
    ...row,
    kind: row.kind as OccurrenceChange['kind'],
    locationEn: roomInEnglish(row.location, places),
    nowLocationEn: roomInEnglish(row.nowLocation, places),
  }))
}

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

/**
 * Lessons of the member's courses that were cancelled or moved from this span, with the columns of an occurrence in the
 * order of `selectOccurrences`, which unites them by position. No lesson is longer than a day.
 */
export const selectStruck = (db: Db, { accountId, from, to, calendarIds }: Span) =>
  db
    .selectFrom('calendar_member as member')
    .innerJoin('occurrence_change as change', 'change.calendar_id', 'member.calendar_id')
    .innerJoin('calendar', 'calendar.id', 'member.calendar_id')
    .select([
      sql<boolean>`true`.as('struck'),
      sql<string | null>`change.kind`.as('change'),
      'change.now_starts_at as change_at',
      sql<string | null>`change.now_location`.as('change_location'),
      sql<string | null>`change.note`.as('change_note'),
      sql<string>`coalesce(change.event_id, 0)`.as('id'),
      'change.calendar_id',
      sql<string>`'course'`.as('kind'),
      sql<boolean>`false`.as('all_day'),
      sql<string>`''`.as('time_zone'),
      sql<boolean>`false`.as('busy'),
      sql<number>`0`.as('version'),
      sql<string | null>`null`.as('answer'),
      'calendar.color',
      sql<string>`change.starts_at`.as('starts_at'),
      sql<string>`change.ends_at`.as('ends_at'),
      sql<boolean>`false`.as('editable'),
      sql<boolean>`false`.as('busy_only'),
      'change.title_en',
      'change.person',
      'change.title',
      'change.location',
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
