import { sql } from 'kysely'
import { admittedAccounts, type Rule } from '#platform/audience.ts'
import type { Database } from '#platform/database/db.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import type { Platform } from '#platform/platform.ts'
import { deliver } from './send.ts'

/** Accounts per transaction. */
const accountsPerBatch = 5000
/** Pause after a batch while the database is in use, as a multiple of the batch's duration. */
const busyPauseFactor = 3

/** Delivers messages sent to an audience, right after the sender's transaction and on one node at a time. */
export function startBroadcasts(platform: Platform): { stop: () => Promise<void> } {
  const queue = startDueQueue(platform.log, {
    name: 'message broadcasts',
    batch: 1,
    takeBatch: () => deliverBroadcastBatch(platform.db),
    secondsToNext: async () => null,
    pause: async () => ((await isInUse(platform.db)) ? busyPauseFactor : 0),
  })
  platform.topics.on(({ kind }) => {
    if (kind === 'broadcast') queue.kick()
  })
  return queue
}

/** Whether any other client, on whichever node, is currently running a query. */
async function isInUse(db: Database) {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and state = 'active'
        and pid <> pg_backend_pid()) as busy`.execute(db)
  return rows[0]?.busy ?? false
}

/**
 * Delivers one batch of the oldest broadcast not being processed elsewhere. Deliveries and progress are one
 * transaction: if a node dies, nobody is skipped and nobody is notified twice.
 * @returns number of batches processed
 */
export const deliverBroadcastBatch = (db: Database, batch = accountsPerBatch): Promise<number> =>
  db.transaction().execute(async (db) => {
    const message = await db
      .selectFrom('message')
      .select(['id', 'rules', 'spread_after as after'])
      .where('spread_after', 'is not', null)
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!message) return 0
    const accounts = await db
      .selectFrom('account')
      .innerJoin('organization', 'organization.id', 'account.organization_id')
      .select('account.id')
      .where('account.id', '>', message.after ?? '0')
      .where('account.status', '<>', 'disabled')
      .where(admittedAccounts(message.rules as unknown as readonly Rule[]))
      .orderBy('account.id')
      .limit(batch)
      .execute()
    await deliver(
      db,
      message.id,
      accounts.map(({ id }) => id),
    )
    const last = accounts.length < batch ? null : (accounts.at(-1)?.id ?? null)
    await db
      .updateTable('message')
      .set({ spread_after: last })
      .where('id', '=', message.id)
      .execute()
    return 1
  })
