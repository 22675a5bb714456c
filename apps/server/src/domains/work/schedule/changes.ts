import type { OccurrenceChange } from '@atrium/contract/work/schedule'
import { sql } from 'kysely'
import { type Db, prepared } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'

const mostListed = 50
/** Marks of lessons of last term tell nobody anything. */
const keptDays = 120

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
    // Of a lesson that was moved several times the last is told.
    .where(
      sql<boolean>`(change.now_starts_at is null or not exists (select from occurrence_change later
        where later.event_id = change.event_id and later.now_starts_at = change.now_starts_at and later.id > change.id))`,
    )
    .where(
      sql<boolean>`not exists (select from calendar_hidden hidden
        where hidden.calendar_id = member.calendar_id and hidden.account_id = ${accountId})`,
    )
    .orderBy(sql`coalesce(change.starts_at, change.now_starts_at)`)
    .limit(mostListed),
)

/** What became of lessons of the member's courses since a moment, of those that are still to come. */
export const listChanges = (db: Db, { accountId }: Pick<Member, 'accountId'>, since: string) =>
  selectChanges(db, { accountId, since }) as Promise<OccurrenceChange[]>

export const deleteOldChanges = (db: Db) =>
  db
    .deleteFrom('occurrence_change')
    .where('changed_at', '<', sql<string>`now() - make_interval(days => ${keptDays})`)
    .execute()
