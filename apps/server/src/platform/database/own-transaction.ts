import { PostgresDialect } from 'kysely'
import type { PoolClient } from 'pg'
import { type Database, type Db, OwnKysely, openPool } from './db.ts'

/** Thrown inside to end the transaction without writing; its value is the answer. */
class Undo<T> extends Error {
  readonly value: T
  constructor(value: T) {
    super('undone on purpose')
    this.value = value
  }
}
export type OwnTransaction = {
  db: Db
  /** The same connection as the driver knows it: COPY needs it. */
  client: PoolClient
  /** Ends the work and writes nothing of it. */
  undo: (value: unknown) => never
}

/**
 * Long work in one transaction on a connection of its own, without the time limit of requests: everything is written, or
 * nothing, whatever happens to this process or to the disk.
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
  client.on('error', () => {}) // a lost connection fails the statement that waits for it; the event would end the process
  // Without it a server goes on with a statement whose caller was killed long ago. Not every system can.
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

/** A Kysely over one connection. */
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
