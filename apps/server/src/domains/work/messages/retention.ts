import { sql } from 'kysely'
import type { Database } from '#platform/database/db.ts'
import { logSetback } from '#platform/database/outage.ts'
import {
  dropPartitionsBefore,
  ensurePartitions,
  monthAfter,
  monthOf,
} from '#platform/database/time-partitions.ts'
import type { Platform } from '#platform/platform.ts'

/** A quarter: a list reads all partitions of a year at once, and each costs it some microseconds. */
const deliveries = { name: 'message_delivery', months: 3 } as const
const monthsAhead = 3
const messagesPerBatch = 500
/** Days that a message of an older release is kept, which has no kind. */
const keptWithoutKind = 365

/** The partitions of this quarter and the next are there: after a restore, or a long time without a server, they may not be. */
const createPartitions = (db: Database, now: Date) =>
  ensurePartitions(db, deliveries, monthOf(now), monthAfter(monthOf(now), monthsAhead))

/** Creates them at the start; later a nightly job does. */
export function startPartitions({ db, log }: Platform): { stop: () => Promise<void> } {
  const created = createPartitions(db, new Date()).catch((error) =>
    logSetback(log, error, 'partitions of messages could not be created'),
  )
  return { stop: async () => void (await created) }
}

/**
 * Removes what its kind keeps no longer. Partitions that are older than every kind keeps are dropped whole; what a kind keeps
 * for a shorter time goes message by message. Also creates the partitions of the months to come.
 */
export async function removeOldMessages(db: Database, now = new Date()) {
  await createPartitions(db, now)
  const { keptDays } = await db
    .selectFrom('message_kind')
    .select(sql<number>`coalesce(max(keep_days), 3650)`.as('keptDays'))
    .executeTakeFirstOrThrow()
  const oldest = new Date(now.getTime() - keptDays * 86_400_000)
  await dropPartitionsBefore(db, deliveries, monthOf(oldest), (db, partition) =>
    sql`
      update message_box box set unread = box.unread - gone.unread
      from (
        select account_id, app_id, count(*) as unread from ${sql.table(partition)}
        where read_at is null and hidden is null group by 1, 2
      ) gone
      where box.account_id = gone.account_id and box.app_id = gone.app_id`.execute(db),
  )
  while ((await removeBatch(db, now)) === messagesPerBatch);
}

/** @returns how many messages it removed */
const removeBatch = (db: Database, now: Date): Promise<number> =>
  db.transaction().execute(async (db) => {
    const old = await db
      .selectFrom('message')
      .leftJoin('message_kind as kind', 'kind.id', 'message.kind_id')
      .select('message.id')
      .where(
        sql<boolean>`message.sent_at < ${now.toISOString()}::timestamptz - make_interval(days => coalesce(kind.keep_days, ${keptWithoutKind}))`,
      )
      .limit(messagesPerBatch)
      .execute()
    const ids = sql<string>`any(${old.map(({ id }) => id)}::bigint[])`
    // Before the messages: what goes by a foreign key goes one by one, each with its own count of the boxes.
    await db.deleteFrom('message_delivery').where('message_id', '=', ids).execute()
    await db.deleteFrom('message').where('id', '=', ids).execute()
    return old.length
  })
