import os from 'node:os'
import pg from 'pg'
import { writeAudit } from '#platform/audit.ts'
import {
  beforeCommit,
  type Database,
  type Db,
  openDatabase,
  openPool,
} from '#platform/database/db.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { appliedMigrations, knownMigrations, migrate } from '#platform/database/migrate.ts'
import { type Environment, readEnvironment, StartError } from '#platform/environment.ts'
import { createDatabase } from '../database.ts'

/** The installation that the environment describes, with a reachable database. */
export type Installation = { env: Environment; url: string; db: Database; shared: boolean }

/**
 * Runs work on the installation. The embedded database is shared with a running server, or started for the duration of the
 * work.
 * @param schema `current`: the database must be up to date (an empty one is migrated); `any`: no check
 */
export async function withInstallation<T>(
  schema: 'current' | 'any',
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const env = readEnvironment(process.env)
  const { url, shared, stop } = await openDatabaseOf(env)
  // Stop the embedded database on a signal too, or it would keep running without an owner.
  const interrupted = (signal: NodeJS.Signals) =>
    void stop().finally(() => {
      console.error('Stopped. Unfinished work was not written.')
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  try {
    const db = openDatabase(openPool(url, 2))
    try {
      if (schema === 'any') return await work({ env, url, db, shared })
      await assertCurrent(db)
      return await beforeCommit.run(writeCommand, () => work({ env, url, db, shared }))
    } finally {
      await db.destroy()
    }
  } finally {
    await stop()
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
  }
}

let command: { name: string; details: unknown } | undefined
/** Sets the command line of this process for the audit log. */
export function setCommand(name: string, details: unknown) {
  command = { name, details }
}

/**
 * Writes the audit entry of a command that commits no transaction of its own: it read, replaced or migrated the whole
 * database. Does nothing if the database is older than the audit log.
 */
export async function recordCommand(url: string) {
  const db = openDatabase(openPool(url, 1))
  try {
    const tables = await db.introspection.getTables()
    if (!tables.some(({ name }) => name === 'audit_entry')) return
    const written = await db.transaction().execute(writeCommand)
    written()
  } finally {
    await db.destroy()
  }
}

/** Writes the audit entry in the command's first committed transaction. */
async function writeCommand(db: Db) {
  if (command)
    await writeAudit(db, {
      channel: 'cli',
      operator: os.userInfo().username,
      address: os.hostname(),
      action: command.name,
      details: command.details,
    })
  return () => {
    command = undefined
  }
}

async function openDatabaseOf(env: Environment) {
  const stop = async () => {}
  if (env.DATABASE_URL) {
    await answer(
      env.DATABASE_URL,
      0,
      'Check DATABASE_URL, and that the database server is running.',
    )
    return { url: env.DATABASE_URL, shared: true, stop }
  }
  const running = await findRunningPostgres(env.ATRIUM_DATA_DIR)
  if (running) {
    await answer(running, 15_000, 'Check the log of the server that uses this data folder.')
    return { url: running, shared: true, stop }
  }
  const embedded = await startEmbeddedPostgres(env.ATRIUM_DATA_DIR)
  let stopping: Promise<void> | undefined
  const stopOnce = () => (stopping ??= embedded.stop())
  try {
    await createDatabase(embedded.url('postgres'), 'atrium')
  } catch (error) {
    await stopOnce()
    throw error
  }
  return { url: embedded.url('atrium'), shared: false, stop: stopOnce }
}

/** @param patience milliseconds to retry while the server is starting */
async function answer(url: string, patience: number, advice: string) {
  for (
    const deadline = Date.now() + patience;
    ;
    await new Promise((resolve) => setTimeout(resolve, 300))
  ) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (Date.now() > deadline)
        throw new StartError(`The database cannot be reached (${message || code}). ${advice}`)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

async function assertCurrent(db: Database) {
  const [applied, known] = [await appliedMigrations(db), await knownMigrations()]
  if (applied.length === 0 || applied.some((name) => !known.includes(name))) await migrate(db)
  else if (applied.length < known.length)
    throw new StartError('The database is not up to date with this Atrium. Run: npx atrium migrate')
}
