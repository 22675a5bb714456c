import { sql } from 'kysely'
import {
  eventColumns,
  listOverrides,
  toWrittenEvent,
} from '#domains/work/calendar-exchange/queries.ts'
import type { Db } from '#platform/database/db.ts'

/** Days to keep an invitation after its event is over, because replies may arrive late. */
const retentionDays = 90
const maxDescription = 2000

/** Due invitations, locked until the transaction ends. */
export const lockDueInvitations = (db: Db, batch: number) =>
  db
    .selectFrom('invitation')
    .leftJoin('event_participant as part', (join) =>
      join
        .onRef('part.event_id', '=', 'invitation.event_id')
        .onRef('part.email', '=', 'invitation.email')
        .on('part.account_id', 'is', null),
    )
    .selectAll('invitation')
    .select(['part.id as partId', 'part.answer'])
    .where('invitation.due_at', '<=', sql<string>`now()`)
    .orderBy('invitation.due_at')
    .orderBy('invitation.id')
    .limit(batch)
    .forUpdate('invitation')
    .skipLocked()
    .execute()
export type DueInvitation = Awaited<ReturnType<typeof lockDueInvitations>>[number]

/** Events prepared for outside participants, with their organiser and the end of the last occurrence. */
export async function listEvents(db: Db, ids: readonly string[], host: string) {
  const rows = await db
    .selectFrom('event')
    .innerJoin('calendar', 'calendar.id', 'event.calendar_id')
    .leftJoin('account', 'account.id', 'event.account_id')
    .leftJoin('person', 'person.id', 'account.person_id')
    .select(eventColumns)
    .select(['event.id', 'event.uid', 'event.version', 'person.name as organizer'])
    .select((query) => [
      sql<string>`left(event.description, ${maxDescription})`.as('description'),
      query
        .selectFrom('event_occurrence as occurrence')
        .whereRef('occurrence.event_id', '=', 'event.id')
        .select(sql<string | null>`max(occurrence.ends_at)`.as('ends'))
        .as('endsAt'),
    ])
    .where('event.id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()
  const overrides = await listOverrides(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(
    rows.map((row) => [
      row.id,
      {
        event: {
          ...toWrittenEvent(row, 'zh', overrides.get(row.id)),
          uid: row.uid ?? `event-${row.id}@${host}`,
          // The name of a member's calendar is private.
          calendarName: '',
        },
        version: row.version,
        organizer: row.person || row.organizer || '',
        endsAt: row.endsAt,
      },
    ]),
  )
}

/** Number of outside participants each event's organiser has invited within a day, by event. */
export async function countInvitedToday(db: Db, eventIds: readonly string[]) {
  const { rows } = await sql<{ eventId: string; count: number }>`
    select event.id as "eventId", (
      select count(*)::integer from invitation join event other on other.id = invitation.event_id
      where other.account_id = event.account_id and invitation.invited_at > now() - interval '1 day') as count
    from event where event.id = any(${eventIds as string[]}::bigint[]) and event.account_id is not null`.execute(
    db,
  )
  return new Map(rows.map(({ eventId, count }) => [eventId, count]))
}

export const updateInvitation = (
  db: Db,
  id: string,
  values: {
    sent?: string
    sequence?: number
    ends_at?: string | null
    invited_at?: ReturnType<typeof sql<string>>
    due_at?: ReturnType<typeof sql<string>> | null
  },
) =>
  db
    .updateTable('invitation')
    .set({ due_at: null, ...values })
    .where('id', '=', id)
    .execute()

export async function secondsToNext(db: Db) {
  const { seconds } = await db
    .selectFrom('invitation')
    .select(sql<number | null>`extract(epoch from min(due_at) - now())::float8`.as('seconds'))
    .executeTakeFirstOrThrow()
  return seconds
}

export const deleteOldInvitations = async (db: Db) => {
  await sql`
    delete from invitation where due_at is null
      and coalesce(ends_at, now()) < now() - make_interval(days => ${retentionDays})`.execute(db)
}
