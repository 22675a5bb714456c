import { createDatabase, dropDatabase } from '../apps/server/src/database.ts'
import { openPool } from '../apps/server/src/platform/database/db.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import type { Settings } from './main.ts'
import { startAtrium } from './processes.ts'

export type BenchDatabase = {
  /** address of the demo institution's database */
  url: string
  version: string
  /**
   * Name of the report: results of a named server are stored beside those of the embedded database, not in their place.
   */
  reportName: string
  /**
   * @returns the address of a copy of the demo institution in its current state; requires that nobody is connected to
   * it
   */
  copy: (name: string) => Promise<string>
  /** Stops the embedded database, or drops the databases created on the named server. */
  close: () => Promise<void>
}

/** The demo institution in its own database: embedded in the data directory, or on the server of `--database`. */
export async function openBenchDatabase(
  name: string,
  { database }: Settings,
  variables: Record<string, string> & { ATRIUM_DATA_DIR: string },
): Promise<BenchDatabase> {
  console.log('creating a database and filling it with the demo institution')
  if (!database) {
    await (await startAtrium(variables)).stop()
    const embedded = await startEmbeddedPostgres(variables.ATRIUM_DATA_DIR)
    return {
      url: embedded.url('atrium'),
      version: await versionOf(embedded.url('postgres')),
      reportName: name,
      async copy(to) {
        await createDatabase(embedded.url('postgres'), to, 'atrium')
        return embedded.url(to)
      },
      close: embedded.stop,
    }
  }
  const urlOf = (to: string) => {
    const url = new URL(database)
    url.pathname = `/${to}`
    return url.href
  }
  const prefix = `atrium_bench_${process.pid}`
  const made: string[] = []
  const make = async (to: string, template?: string) => {
    await createDatabase(database, to, template)
    made.push(to)
    return urlOf(to)
  }
  const close = async () => {
    for (const one of made.splice(0)) await dropDatabase(database, one)
  }
  try {
    const url = await make(prefix)
    await (await startAtrium({ ...variables, DATABASE_URL: url })).stop()
    return {
      url,
      version: await versionOf(url),
      reportName: `${name}-server`,
      copy: (to) => make(`${prefix}_${to}`, prefix),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function versionOf(url: string): Promise<string> {
  const pool = openPool(url, 1)
  const { rows } = await pool.query<{ server_version: string }>('show server_version')
  await pool.end()
  // Without a packager's suffix.
  return rows[0]?.server_version.split(' ')[0] ?? 'of unknown version'
}
