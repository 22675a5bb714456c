import pg from 'pg'
import type { Logger } from 'pino'
import { openDatabase, openPool, sqlState } from '#platform/database/db.ts'
import type { EmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { migrate } from '#platform/database/migrate.ts'
import { isOutage } from '#platform/database/outage.ts'
import { type Environment, StartError } from '#platform/environment.ts'

const oldestMajor = 15

/**
 * Waits for the configured database, retrying with growing pauses, and migrates it.
 * @param embedded the embedded server, used if the configuration has no DATABASE_URL
 * @returns its connection string
 * @throws StartError if the database cannot be used
 */
export async function openConfiguredDatabase(
  env: Environment,
  log: Logger,
  embedded: EmbeddedPostgres | undefined,
): Promise<string> {
  const url = env.DATABASE_URL ?? (embedded as EmbeddedPostgres).url('atrium')
  await retryDuringOutage(log, async () => {
    if (embedded) await createDatabase(embedded.url('postgres'), 'atrium')
    await assertUsable(url)
    await migrateAt(url)
  })
  return url
}

/** Runs work that needs the database; retries with growing pauses during an outage. */
export async function retryDuringOutage<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  for (let pause = 500; ; pause = Math.min(pause * 2, 15_000)) {
    try {
      return await work()
    } catch (error) {
      const met = isOutage(error) ? error : (error as Error).cause
      if (!isOutage(met)) throw error
      log.warn(
        `the database cannot be used now (${(met as Error).message}); next try in ${pause / 1000} s`,
      )
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** @param url of any database on the server */
export const createDatabase = (url: string, name: string, template?: string) =>
  asAdministrator(url, async (client) => {
    const from = template ? ` template ${client.escapeIdentifier(template)}` : ''
    await client.query(`create database ${client.escapeIdentifier(name)}${from}`).catch((error) => {
      if (sqlState(error) !== '42P04') throw error // already exists
    })
  })

export const dropDatabase = (url: string, name: string) =>
  asAdministrator(url, (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`),
  )

async function asAdministrator(url: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

export async function migrateAt(url: string): Promise<string[]> {
  const db = openDatabase(openPool(url, 1))
  try {
    return await migrate(db)
  } finally {
    await db.destroy()
  }
}

async function assertUsable(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ major: number }>(
      "select current_setting('server_version_num')::integer / 10000 as major",
    )
    const major = rows[0]?.major ?? 0
    if (major < oldestMajor)
      throw new StartError(
        `The database server is PostgreSQL ${major}; Atrium needs ${oldestMajor} or newer.`,
      )
  } catch (error) {
    // Wrong credentials or names count as an outage while a server runs, but not before its first start.
    const refused = /^(28|3D)/.test(sqlState(error) ?? '')
    if (error instanceof StartError || (isOutage(error) && !refused)) throw error
    throw new StartError(
      `The database refused the connection: ${(error as Error).message}. Check DATABASE_URL.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}
