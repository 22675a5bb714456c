// Generates apps/server/src/platform/database/db-schema.gen.ts from a freshly migrated database; `--check` only compares.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { openDatabase, openPool } from '../apps/server/src/platform/database/db.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'

const root = path.dirname(import.meta.dirname)
const file = 'apps/server/src/platform/database/db-schema.gen.ts'
// As platform/database/db.ts parses them: times and large numbers stay strings.
const types = { date: 'string', int8: 'string', timestamp: 'string', timestamptz: 'string' }

const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-types-'))
// As root, the embedded database runs as another user.
await chmod(folder, 0o711)
const postgres = await startEmbeddedPostgres(path.join(folder, 'data'))
let generated: string
try {
  const url = postgres.url('postgres')
  const db = openDatabase(openPool(url, 2))
  await migrate(db)
  await db.destroy()
  generated = await generate(url)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

const current = await readFile(path.join(root, file), 'utf8').catch(() => '')
if (current === generated) {
  console.log(`${file} is up to date`)
} else if (process.argv.includes('--check')) {
  console.error(`${file} does not match the migrations. Run: npm run db:types`)
  process.exitCode = 1
} else {
  await writeFile(path.join(root, file), generated)
  console.log(`wrote ${file}`)
}

async function generate(url: string): Promise<string> {
  const out = path.join(folder, 'schema.ts')
  const cli = path.join(root, 'node_modules/kysely-codegen/dist/cli/bin.js')
  const options = ['--dialect', 'postgres', '--url', url, '--out-file', out]
  await promisify(execFile)(
    process.execPath,
    [cli, ...options, '--type-mapping', JSON.stringify(types)],
    { cwd: folder },
  )
  return readFile(out, 'utf8')
}
