import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase, openPool } from '#platform/database/db.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { openSecret } from '#platform/secret.ts'
import { openFiles } from '#platform/storage/files.ts'
import { fillDemo } from '../demo/fill.ts'
import { createDatabase, dropDatabase, migrateAt } from '../src/database.ts'
import { makeVolatile } from './volatile-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** connection string of the test server, with `{database}` for the name */
    server: string
    /** a migrated database with the demo institution; each test file copies it */
    template: string
    /** the demo's files and secret */
    dataDir: string
  }
}

/** The secret of every test installation; the keys in the template are sealed with it. */
export const testSecret = 'a secret that only the tests know, 40 characters'

/** One PostgreSQL and one filled template per run: embedded, or the server in ATRIUM_TEST_DATABASE_URL. */
export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'atrium-test-'))
  // As root the database runs as another user, who must be able to traverse the folder.
  chmodSync(dataDir, 0o711)
  const given = process.env.ATRIUM_TEST_DATABASE_URL
  const embedded = given ? undefined : await startEmbeddedPostgres(dataDir)
  const server = given
    ? given.replace(/\/[^/?]*($|\?)/, '/{database}$1')
    : (embedded?.url('{database}') as string)
  const template = `atrium_test_${process.pid}_template`
  const admin = server.replace('{database}', 'postgres')
  if (embedded) await makeVolatile(admin)
  await createDatabase(admin, template)
  const url = server.replace('{database}', template)
  await migrateAt(url)
  const db = openDatabase(openPool(url, 2))
  const files = await openFiles({ ATRIUM_DATA_DIR: dataDir }, openSecret(testSecret))
  await fillDemo(db, { today: new Date(), files })
  await db.destroy()
  project.provide('server', server)
  project.provide('template', template)
  project.provide('dataDir', dataDir)
  return async () => {
    // Including copies left behind by test files that were killed.
    for (const name of await listDatabases(admin, template)) await dropDatabase(admin, name)
    await embedded?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function listDatabases(url: string, prefix: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  )
  await client.end()
  return rows.map((row) => row.datname)
}
