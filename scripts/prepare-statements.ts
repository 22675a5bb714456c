// Prepares every statement sent by the API tests on another PostgreSQL, in a database created by our migrations: `node
// scripts/prepare-statements.ts <folder of statements> <address>`. A statement accepted by our version but not by the
// other is a failure. Last line: `N prepared, M refused`.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createDatabase, dropDatabase, migrateAt } from '../apps/server/src/database.ts'
import { openPool } from '../apps/server/src/platform/database/db.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'

const [folder = '', otherUrl = ''] = process.argv.slice(2)
const statements = await readStatements()
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'atrium-statements-'))
chmodSync(dataDir, 0o711)
const embedded = await startEmbeddedPostgres(dataDir)
const databaseName = `atrium_statements_${process.pid}`
const servers = [embedded.url('{database}'), otherUrl.replace(/\/[^/?]*($|\?)/, '/{database}$1')]
try {
  const [ours = [], theirs = []] = await Promise.all(servers.map(prepareAll))
  const refused = statements.filter((_, index) => ours[index] === '' && theirs[index] !== '')
  for (const statement of refused)
    console.error(
      `${theirs[statements.indexOf(statement)]}\n  ${statement.replaceAll(/\s+/g, ' ')}`,
    )
  const prepared = ours.filter((issue) => issue === '').length
  console.log(`${prepared - refused.length} prepared, ${refused.length} refused`)
  process.exitCode = refused.length > 0 || prepared === 0 ? 1 : 0
} finally {
  await dropDatabase((servers[1] ?? '').replace('{database}', 'postgres'), databaseName).catch(
    () => {},
  )
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Queries and changes only; table definitions are in the migrations, which run on both. */
async function readStatements() {
  const files = await readdir(folder)
  const all = await Promise.all(
    files.map(
      async (file) => JSON.parse(await readFile(path.join(folder, file), 'utf8')) as string[],
    ),
  )
  const isPreparable = (text: string) =>
    /^\s*(select|insert|update|delete|with|merge|values)\b/i.test(text)
  return [...new Set(all.flat())].filter(isPreparable)
}

/** The server's error for each statement; empty if it was accepted. */
async function prepareAll(server: string): Promise<string[]> {
  await createDatabase(server.replace('{database}', 'postgres'), databaseName)
  const url = server.replace('{database}', databaseName)
  await migrateAt(url)
  // One connection: prepared statements are per connection.
  const pool = openPool(url, 1)
  const issues: string[] = []
  for (const statement of statements)
    issues.push(
      await pool
        .query(`prepare one as ${statement}`)
        .then(() => pool.query('deallocate one'))
        .then(() => '')
        .catch((error: Error) => error.message),
    )
  await pool.end()
  return issues
}
