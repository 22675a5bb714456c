import { sql } from 'kysely'
import type { Logger } from 'pino'
import { sendMessage } from '#domains/work/messages/send.ts'
import { nextReminder, setNextReminders } from '#domains/work/schedule/write-occurrences.ts'
import type { Db } from '#platform/database/db.ts'
import { inSavepoint } from '#platform/database/in-savepoint.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import type { Platform } from '#platform/platform.ts'
import { describeTime } from './describe-time.ts'
import { appointmentMessages, detailPage } from './messages.ts'

const batch = 200
/** Maximum delay: after a long downtime, nobody is reminded of events that began hours ago. */
const maxLateMinutes = 30

export type Reminder = { accountId: string; minutes: number }

/** Reminders for members who have not set any for the event. */
export async function defaultReminders(
  db: Db,
  eventId: string,
  accounts: readonly string[],
): Promise<Reminder[]> {
  const { rows } = await sql<Reminder>`
    select account.id::text as "accountId", unnest(case when event.all_day
      then coalesce(setting.all_day_reminders, '{-540}') else coalesce(setting.reminders, '{15}') end) as minutes
    from unnest(${accounts as string[]}::bigint[]) as account (id)
    join event on event.id = ${eventId}
    left join schedule_setting setting on setting.account_id = account.id`.execute(db)
  return rows
}

/** Adds reminders. Call in a transaction, after the occurrences are written. */
export async function insertReminders(db: Db, eventId: string, reminders: readonly Reminder[]) {
  if (reminders.length === 0) return
  await db
    .insertInto('event_reminder')
    .values(
      reminders.map(({ accountId, minutes }) => ({
        event_id: eventId,
        account_id: accountId,
        minutes,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await setNextReminders(db, [eventId])
}

/** Replaces a member's reminders of an event. Call in a transaction. */
export async function setReminders(
  db: Db,
  eventId: string,
  accountId: string,
  minutes: readonly number[],
) {
  await db
    .deleteFrom('event_reminder')
    .where('event_id', '=', eventId)
    .where('account_id', '=', accountId)
    .execute()
  await insertReminders(
    db,
    eventId,
    minutes.map((one) => ({ accountId, minutes: one })),
  )
}

/** Sends event reminders, on one node at a time. */
export function startEventReminders({ db, log, topics }: Platform): { stop: () => Promise<void> } {
  const queue = startDueQueue(log, {
    name: 'reminders of events',
    batch,
    takeBatch: () => db.transaction().execute((db) => remind(db, log)),
    async secondsToNext() {
      const { seconds } = await db
        .selectFrom('event_reminder')
        .select(sql<number | null>`extract(epoch from min(next_at) - now())::float8`.as('seconds'))
        .executeTakeFirstOrThrow()
      return seconds
    },
  })
  topics.on(({ kind }) => {
    if (kind === 'event-reminder') queue.kick()
  })
  return queue
}

/**
 * Sends due reminders. Skips members who have declined or no longer see the event, and occurrences that no longer
 * exist. Call in a transaction. @returns number of reminders that were due
 */
export async function remind(db: Db, log: Logger): Promise<number> {
  const { rows } = await sql<{
    taken: number
    eventId: string
    title: string
    titleEn: string
    startsAt: string
    accounts: string[]
  }>`
    with due as (
      select event_id, account_id, minutes, next_at from event_reminder where next_at <= now()
      order by next_at limit ${batch} for update skip locked
    ), moved as (
      update event_reminder reminder set next_at = ${nextReminder} from due
      where reminder.event_id = due.event_id and reminder.account_id = due.account_id and reminder.minutes = due.minutes
      returning due.event_id, due.account_id, due.minutes, due.next_at
    )
    select (select count(*)::integer from due) as taken, event.id as "eventId", coalesce(changed.title, event.title) as title,
      case when changed.title is null then event.title_en else '' end as "titleEn", o.starts_at as "startsAt",
      array_agg(moved.account_id::text order by moved.account_id) filter (where moved.next_at > now() - make_interval(mins => ${maxLateMinutes})
        and part.answer is distinct from 'no'
        and (part.id is not null or calendar.owner_account_id = moved.account_id or calendar.owner_account_id is null
          or share.access in ('read', 'write'))) as accounts
    from moved
    join event on event.id = moved.event_id
    join calendar on calendar.id = event.calendar_id
    left join event_participant part on part.event_id = event.id and part.account_id = moved.account_id
    left join calendar_share share on share.calendar_id = calendar.id and share.account_id = moved.account_id
    left join event_occurrence o on o.event_id = event.id
      and o.starts_at = moved.next_at + make_interval(mins => moved.minutes)
    left join event_override changed on changed.event_id = o.event_id and changed.original_local = o.original_local
    group by event.id, moved.minutes, changed.title, o.starts_at`.execute(db)
  for (const { eventId, title, titleEn, startsAt, accounts } of rows) {
    if (!startsAt || !accounts?.length) continue
    await inSavepoint(
      db,
      async () =>
        sendMessage(db, {
          kind: appointmentMessages.kinds.reminder,
          to: { accounts },
          title: { zh: `日程提醒：${title}`, en: `Coming up: ${titleEn || title}` },
          summary: await describeTime(db, eventId, startsAt),
          url: detailPage(eventId, startsAt),
        }),
      (error) => log.error({ err: error, eventId }, 'a reminder of an event could not be sent'),
    )
  }
  return rows[0]?.taken ?? 0
}
