import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'

/** Folder for the SQL statements of a run, one file per worker; unset: not recorded. */
const folder = process.env.ATRIUM_TEST_STATEMENTS
const seen = new Set<string>()

if (folder) {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | null)?.text
    if (typeof text === 'string') seen.add(text)
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
}

/** After each test file, because a worker may be killed without notice. */
export function writeStatements() {
  if (!folder || seen.size === 0) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify([...seen]))
}
