import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'

/*
 * Changes by members in their inbox. In the same transaction, triggers update the counters of `message_box` and
 * announce the changes to open devices.
 */

const updateOwn = (db: Db, accountId: string) =>
  db.updateTable('message_delivery').where('account_id', '=', accountId).where('hidden', 'is', null)
const idFilter = (ids: readonly string[]) => sql<string>`any(${ids as string[]}::bigint[])`

/** Marks the unread ones among these messages as read. */
export async function markRead(db: Db, accountId: string, ids: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await updateOwn(db, accountId)
    .set({ read_at: sql`now()` })
    .where('message_id', '=', idFilter(ids))
    .where('read_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function markAllRead(
  db: Db,
  accountId: string,
  appId: string | undefined,
): Promise<number> {
  let query = updateOwn(db, accountId).set({ read_at: sql`now()` }).where('read_at', 'is', null)
  if (appId) query = query.where('app_id', '=', appId)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}

/** @returns whether the star changed; undefined if the message is not in the inbox */
export async function setStar(
  db: Db,
  accountId: string,
  id: string,
  starred: boolean,
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('message_delivery')
    .select('starred')
    .where('account_id', '=', accountId)
    .where('message_id', '=', id)
    .where('hidden', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.starred === starred) return false
  await updateOwn(db, accountId).set({ starred }).where('message_id', '=', id).execute()
  return true
}

// In milliseconds, the precision of the answer: `restoreMessages` finds the rows by this exact time.
const deletedNow = { hidden: 'deleted', hidden_at: sql<string>`date_trunc('milliseconds', now())` }

async function countDeleted(query: ReturnType<typeof updateOwn>) {
  const rows = await query.set(deletedNow).returning('hidden_at').execute()
  return { changed: rows.length, deletedAt: rows[0]?.hidden_at ?? new Date().toISOString() }
}
export const deleteMessages = (db: Db, accountId: string, ids: readonly string[]) =>
  countDeleted(updateOwn(db, accountId).where('message_id', '=', idFilter(ids)))
export const deleteAppMessages = (db: Db, accountId: string, appId: string) =>
  countDeleted(updateOwn(db, accountId).where('app_id', '=', appId))

/** Restores what was deleted at exactly this time. */
export async function restoreMessages(db: Db, accountId: string, deletedAt: string) {
  const { numUpdatedRows } = await db
    .updateTable('message_delivery')
    .set({ hidden: null, hidden_at: null })
    .where('account_id', '=', accountId)
    .where('hidden', '=', 'deleted')
    .where('hidden_at', '=', deletedAt)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const isStillOpen = (until: string | null) => until === null || Date.parse(until) > Date.now()

type Outcome<T> = T | 'missing' | 'nothing asked' | 'too late'

/** Locks the delivery, so that two devices answering concurrently get the same result. */
const lockDelivery = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('message_delivery as delivery')
    .innerJoin('message', 'message.id', 'delivery.message_id')
    .select([
      'delivery.confirmed_at',
      'delivery.answer',
      'message.asks_confirmation',
      'message.confirm_until',
      'message.choices',
    ])
    .where('delivery.account_id', '=', accountId)
    .where('delivery.message_id', '=', id)
    .where('delivery.hidden', 'is', null)
    .forUpdate('delivery')
    .executeTakeFirst()

export async function confirmMessage(
  db: Db,
  accountId: string,
  id: string,
): Promise<Outcome<{ confirmedAt: string }>> {
  const delivery = await lockDelivery(db, accountId, id)
  if (!delivery) return 'missing'
  if (!delivery.asks_confirmation) return 'nothing asked'
  if (delivery.confirmed_at) return { confirmedAt: delivery.confirmed_at }
  if (!isStillOpen(delivery.confirm_until)) return 'too late'
  const { confirmed_at } = await updateOwn(db, accountId)
    .set({ confirmed_at: sql`now()`, read_at: sql`coalesce(read_at, now())` })
    .where('message_id', '=', id)
    .returning('confirmed_at')
    .executeTakeFirstOrThrow()
  return { confirmedAt: confirmed_at ?? '' }
}

export async function answerMessage(
  db: Db,
  accountId: string,
  id: string,
  value: string,
): Promise<Outcome<{ answer: string }> | 'answered'> {
  const delivery = await lockDelivery(db, accountId, id)
  if (!delivery) return 'missing'
  const choices = delivery.choices as { value: string }[]
  if (!choices.some((choice) => choice.value === value)) return 'nothing asked'
  if (delivery.answer === value) return { answer: value }
  if (delivery.answer !== null) return 'answered'
  if (!isStillOpen(delivery.confirm_until)) return 'too late'
  await updateOwn(db, accountId)
    .set({
      answer: value,
      answered_at: sql`now()`,
      read_at: sql`coalesce(read_at, now())`,
    })
    .where('message_id', '=', id)
    .execute()
  return { answer: value }
}

/** Changes one of the member's boxes. @returns whether it exists */
export async function updateBox(
  db: Db,
  accountId: string,
  appId: string,
  change: { topped?: boolean; muted?: boolean },
): Promise<boolean> {
  const updated = await db
    .updateTable('message_box')
    .set({
      ...(change.topped !== undefined && { topped_at: change.topped ? sql`now()` : null }),
      ...(change.muted !== undefined && { muted: change.muted }),
    })
    .where('account_id', '=', accountId)
    .where('app_id', '=', appId)
    .returning('app_id')
    .executeTakeFirst()
  if (updated) await announce(db, { kind: 'inbox', key: accountId })
  return updated !== undefined
}
