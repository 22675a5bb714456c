import { PostgresDialect } from 'kysely'
import type { PoolClient } from 'pg'
import { type Database, type Db, OwnKysely, openPool } from './db.ts'

/** Thrown inside to roll the transaction back; its value is the result. */
class Undo<T> extends Error {
  readonly value: T
  constructor(value: T) {
    super('undone on purpose')
    this.value = value
  }
}
export type OwnTransaction = {
  db: Db
  /** The driver's client for the same connection, needed for COPY. */
  client: PoolClient
  /** Rolls back and returns the value. */
  undo: (value: unknown) => never
}

/**
 * Runs long work in one transaction on its own connection, without the time limits of requests. Either everything is
 * written or nothing.
 */
export async function withOwnTransaction<T>(
  url: string,
  work: (transaction: OwnTransaction) => Promise<T>,
  settings: { isolationLevel?: 'repeatable read'; accessMode?: 'read only' } = {},
): Promise<T> {
  const pool = openPool(url, 1)
  const client = await pool.connect().catch(async (error) => {
    await pool.end()
    throw error
  })
  client.on('error', () => {}) // the pending statement fails; without a listener this would end the process
  // Otherwise the server continues a statement after its client was killed. Not supported on every platform.
  await client.query("set client_connection_check_interval = '2s'").catch(() => {})
  const db = databaseOn(client)
  try {
    let transaction = db.transaction()
    if (settings.isolationLevel)
      transaction = transaction.setIsolationLevel(settings.isolationLevel)
    if (settings.accessMode) transaction = transaction.setAccessMode(settings.accessMode)
    return await transaction.execute(async (db) => {
      await client.query(
        "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC'; set local work_mem = '64MB'",
      )
      return work({
        db,
        client,
        undo: (value) => {
          throw new Undo(value)
        },
      })
    })
  } catch (error) {
    if (error instanceof Undo) return error.value as T
    throw error
  } finally {
    client.release(true)
    await pool.end().catch(() => {})
  }
}

/** A Kysely on a single connection. */
function databaseOn(client: PoolClient): Database {
  const shared = {
    processID: (client as unknown as { processID?: number }).processID,
    query: (...args: unknown[]) => (client.query as (...args: unknown[]) => unknown)(...args),
    release() {},
  }
  return new OwnKysely({
    dialect: new PostgresDialect({
      pool: { connect: async () => shared, end: async () => {} } as never,
    }),
  })
}
