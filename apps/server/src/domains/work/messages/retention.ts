import { sql } from 'kysely'
import type { Database } from '#platform/database/db.ts'
import { logRecoverable } from '#platform/database/outage.ts'
import {
  dropPartitionsBefore,
  ensurePartitions,
  monthAfter,
  monthOf,
} from '#platform/database/time-partitions.ts'
import type { Platform } from '#platform/platform.ts'

/** Quarterly partitions: a list reads all partitions of a year together, and each costs a few microseconds. */
const deliveries = { name: 'message_delivery', months: 3 } as const
const monthsAhead = 3
const messagesPerBatch = 500
/** Days to keep messages of older releases, which have no kind. */
const defaultRetentionDays = 365

/** Creates the partitions of this quarter and the next if missing, as after a restore or long downtime. */
const createPartitions = (db: Database, now: Date) =>
  ensurePartitions(db, deliveries, monthOf(now), monthAfter(monthOf(now), monthsAhead))

/** Creates partitions at startup; later the nightly job does. */
export function startPartitions({ db, log }: Platform): { stop: () => Promise<void> } {
  const created = createPartitions(db, new Date()).catch((error) =>
    logRecoverable(log, error, 'partitions of messages could not be created'),
  )
  return { stop: async () => void (await created) }
}

/**
 * Removes messages past the retention of their kind. Partitions older than the longest retention are dropped whole;
 * messages with a shorter one are deleted in batches. Also creates upcoming partitions.
 */
export async function removeOldMessages(db: Database, now = new Date()) {
  await createPartitions(db, now)
  const { retentionDays } = await db
    .selectFrom('message_kind')
    .select(sql<number>`coalesce(max(keep_days), 3650)`.as('retentionDays'))
    .executeTakeFirstOrThrow()
  const oldest = new Date(now.getTime() - retentionDays * 86_400_000)
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

/** @returns the number of messages deleted */
const removeBatch = (db: Database, now: Date): Promise<number> =>
  db.transaction().execute(async (db) => {
    const expired = await db
      .selectFrom('message')
      .leftJoin('message_kind as kind', 'kind.id', 'message.kind_id')
      .select('message.id')
      .where(
        sql<boolean>`message.sent_at < ${now.toISOString()}::timestamptz - make_interval(days => coalesce(kind.keep_days, ${defaultRetentionDays}))`,
      )
      .limit(messagesPerBatch)
      .execute()
    const ids = sql<string>`any(${expired.map(({ id }) => id)}::bigint[])`
    // Delete deliveries explicitly first: the cascade would delete them one by one and update the box counters each
    // time.
    await db.deleteFrom('message_delivery').where('message_id', '=', ids).execute()
    await db.deleteFrom('message').where('id', '=', ids).execute()
    return expired.length
  })
