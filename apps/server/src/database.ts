import pg from 'pg'
import type { Logger } from 'pino'
import { isOutage, openDatabase, openPool, sqlState } from '#platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { type Environment, StartError } from '#platform/environment.ts'
import { migrate } from '#platform/migrate.ts'

/** A database that answers and is up to date. */
export type OpenedDatabase = {
  url: string
  embedded: EmbeddedPostgres | undefined
  applied: string[]
}

const oldestMajor = 15

/**
 * The database of the configuration, migrated: the embedded one is started, a server is asked again and again with a
 * growing pause until it answers.
 * @throws StartError when it cannot be used at all
 */
export async function openConfiguredDatabase(
  env: Environment,
  log: Logger,
): Promise<OpenedDatabase> {
  const embedded = env.DATABASE_URL ? undefined : await startEmbeddedPostgres(env.ATRIUM_DATA_DIR)
  try {
    if (embedded) await createDatabase(embedded.url('postgres'), 'atrium')
    const url = env.DATABASE_URL ?? (embedded as EmbeddedPostgres).url('atrium')
    await waitForDatabase(url, log)
    return { url, embedded, applied: await migrateAt(url) }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** @param url of any database on the server */
export const createDatabase = (url: string, name: string, template?: string) =>
  asAdministrator(url, async (client) => {
    const from = template ? ` template ${client.escapeIdentifier(template)}` : ''
    await client.query(`create database ${client.escapeIdentifier(name)}${from}`).catch((error) => {
      if (sqlState(error) !== '42P04') throw error // it exists
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

async function waitForDatabase(url: string, log: Logger) {
  for (let pause = 500; ; pause = Math.min(pause * 2, 15_000)) {
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
      return
    } catch (error) {
      if (error instanceof StartError) throw error
      if (!isOutage(error))
        throw new StartError(
          `The database refused the connection: ${(error as Error).message}. Check DATABASE_URL.`,
        )
      log.warn(
        `the database cannot be reached (${(error as Error).message}); next try in ${pause / 1000} s`,
      )
      await new Promise((resolve) => setTimeout(resolve, pause))
    } finally {
      await client.end().catch(() => {})
    }
  }
}
