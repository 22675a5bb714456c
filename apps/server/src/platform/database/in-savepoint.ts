import { sql } from 'kysely'
import type { Db } from './db.ts'
import { isOutage } from './outage.ts'

/**
 * Runs one item of a batch in a transaction so that it cannot block the others: if it fails, its changes are undone and
 * `failed` is called. An outage of the database fails the whole batch, which is tried again later.
 */
export async function inSavepoint(
  db: Db,
  work: () => Promise<unknown>,
  failed: (error: unknown) => unknown,
): Promise<void> {
  await sql`savepoint item`.execute(db)
  try {
    await work()
    await sql`release savepoint item`.execute(db)
  } catch (error) {
    if (isOutage(error)) throw error
    await sql`rollback to savepoint item`.execute(db)
    await sql`release savepoint item`.execute(db)
    await failed(error)
  }
}
