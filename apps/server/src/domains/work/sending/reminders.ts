import { sql } from 'kysely'
import { insertReminders } from '#domains/work/notifications/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { listOutstanding } from './ledger.ts'

const recipientsPerBatch = 2000

/**
 * Processes the next batch of a reminder: recipients who have not done what was asked are notified again by the
 * reminder's channels, within their own notification choices.
 * @returns number of batches processed
 */
export async function remindBatch(db: Db, batch = recipientsPerBatch): Promise<number> {
  const reminder = await db
    .selectFrom('sending_reminder as reminder')
    .innerJoin('sending', 'sending.id', 'reminder.sending_id')
    .select([
      'reminder.id',
      'reminder.sending_id',
      'reminder.channels',
      'reminder.after',
      'sending.message_id',
      'sending.status',
      'sending.asks_confirmation as confirm',
      sql<boolean>`sending.choices <> '[]'`.as('asksAnswer'),
    ])
    .where('reminder.finished_at', 'is', null)
    .orderBy('reminder.id')
    .limit(1)
    .forUpdate('reminder')
    .skipLocked()
    .executeTakeFirst()
  if (!reminder) return 0
  const { id, sending_id, channels, message_id } = reminder
  const outstanding =
    message_id === null || reminder.status === 'withdrawn'
      ? []
      : await listOutstanding(
          db,
          { ...reminder, id: sending_id, message_id },
          reminder.after,
          batch,
        )
  const reminded =
    message_id === null || outstanding.length === 0
      ? []
      : await insertReminders(db, {
          messageId: message_id,
          accounts: outstanding.flatMap(({ account_id }) => account_id ?? []),
          channels,
        })
  await sql`
    update sending_recipient recipient set channels = array(select distinct unnest(recipient.channels || reached.channels))
    from jsonb_to_recordset(${JSON.stringify(reminded)}::jsonb) as reached ("accountId" bigint, channels text[])
    where recipient.sending_id = ${sending_id} and recipient.account_id = reached."accountId"`.execute(
    db,
  )
  await db
    .updateTable('sending_reminder')
    .set({
      after: outstanding.at(-1)?.id ?? reminder.after,
      reminded: sql<number>`reminded + ${reminded.length}`,
      ...(outstanding.length < batch && { finished_at: sql<string>`now()` }),
    })
    .where('id', '=', id)
    .execute()
  return 1
}
