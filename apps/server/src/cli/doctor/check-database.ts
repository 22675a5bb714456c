import { existsSync, statSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { listFailedJobs } from '#domains/shell/failed-jobs/queries.ts'
import { knownMigrations, pendingMigrations } from '#platform/database/migrate.ts'
import { openSecret, readSecret, secretFile } from '#platform/secret.ts'
import type { Installation } from '../installation.ts'
import { checkTimeoutMs, type Finding, failed, ok, warning } from './finding.ts'

export async function checkDatabase({ db, env, shared }: Installation): Promise<Finding[]> {
  const { rows } = await sql<{
    version: string
    major: number
    encoding: string
    writable: boolean
    free: number
  }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::integer / 10000 as major,
           current_setting('server_encoding') as encoding, not pg_is_in_recovery() as writable,
           current_setting('max_connections')::integer - (select count(*)::integer from pg_stat_activity) as free`.execute(
    db,
  )
  const found = rows[0]
  if (!found) throw new Error('the database returned nothing')
  const kind = env.DATABASE_URL
    ? 'server'
    : shared
      ? 'embedded, shared with the running server'
      : 'embedded, can run here'
  const findings = [
    found.major < 15
      ? failed(`PostgreSQL ${found.version}; Atrium needs 15 or newer`)
      : ok(`PostgreSQL ${found.version} (${kind})`),
  ]
  if (found.encoding !== 'UTF8')
    findings.push(failed(`its encoding is ${found.encoding}; create it with encoding UTF8`))
  if (!found.writable)
    findings.push(failed('it is a read-only copy; DATABASE_URL must name the primary'))
  if (env.DATABASE_URL && found.free < env.ATRIUM_DB_POOL)
    findings.push(
      warning(
        `only ${found.free} connections are free, and a node uses up to ${env.ATRIUM_DB_POOL + 4}; raise max_connections or lower ATRIUM_DB_POOL`,
      ),
    )
  return findings
}

export async function checkClock({ db }: Installation): Promise<Finding> {
  await sql`select 1`.execute(db)
  const before = Date.now()
  const { rows } = await sql<{
    now: number
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
  const apart = Math.abs((before + Date.now()) / 2 - (rows[0]?.now ?? 0)) / 1000
  const says = `this machine and the database are ${apart.toFixed(1)} s apart`
  if (apart > 30)
    return failed(`${says}; sign-ins would end too early or too late: synchronise both with NTP`)
  return apart > 2 ? warning(`${says}; synchronise both with NTP`) : ok(says)
}

export async function checkMigrations(
  { db }: Installation,
  applied: readonly string[],
): Promise<Finding> {
  const known = await knownMigrations()
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown)
    return failed(`the database was migrated by a newer Atrium (${unknown}); start that version`)
  if (applied.length === 0)
    return warning(
      'the database is empty; the first start or npx atrium migrate creates the tables',
    )
  const waiting = await pendingMigrations(db)
  return waiting.length > 0
    ? warning(`pending: ${waiting.join(', ')}; make a backup, then run npx atrium migrate`)
    : ok(`up to date (${applied.at(-1)})`)
}

export async function checkSecret(
  { env, db }: Installation,
  hasTables: boolean,
): Promise<Finding[]> {
  const file = secretFile(env.ATRIUM_DATA_DIR)
  const keys = hasTables
    ? await db.selectFrom('signing_key').select('sealed_private_jwk').execute()
    : []
  if (!env.ATRIUM_SECRET && !existsSync(file)) {
    return [
      keys.length > 0
        ? failed(
            `there is no secret, but the signing keys are encrypted with one: put it into ${file} or ATRIUM_SECRET`,
          )
        : ok('will be created at the first start'),
    ]
  }
  const findings: Finding[] = []
  const from = env.ATRIUM_SECRET ? 'ATRIUM_SECRET' : file
  if (!env.ATRIUM_SECRET && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    findings.push(warning(`${file} can be read by other users: chmod 600 ${file}`))
  const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
  const closed = keys.filter((key) => secret.decrypt(key.sealed_private_jwk) === undefined).length
  findings.push(
    closed > 0
      ? failed(
          `${from} does not decrypt the signing keys; give this node the secret they were encrypted with`,
        )
      : ok(
          `${from} decrypts ${keys.length === 1 ? 'the signing key' : `${keys.length} signing keys`}`,
        ),
  )
  return findings
}

/** LISTEN needs a session: a pooler in transaction mode breaks it. */
export async function checkPooler({ url }: Installation): Promise<Finding> {
  const clients = [0, 1].map(
    () => new pg.Client({ connectionString: url, connectionTimeoutMillis: checkTimeoutMs }),
  )
  const [listener, sender] = clients as [pg.Client, pg.Client]
  for (const client of clients) client.on('error', () => {})
  try {
    await Promise.all(clients.map((client) => client.connect()))
    const channel = `atrium_doctor_${process.pid}`
    const heard = new Promise<boolean>((resolve) => {
      listener.once('notification', () => resolve(true))
      setTimeout(resolve, 3000, false).unref()
    })
    await listener.query(`listen ${channel}`)
    await sender.query(`notify ${channel}`)
    return (await heard)
      ? ok('a notification arrives: connections keep their session')
      : failed(
          'a notification does not arrive, so nodes would serve outdated caches: pool by session (PgBouncer: pool_mode = session), or name the database itself in DATABASE_URL',
        )
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

export async function checkFailedJobs({ db }: Installation): Promise<Finding> {
  const jobs = await listFailedJobs(db)
  if (jobs.length === 0) return ok('no job failed permanently')
  const kinds = [...new Set(jobs.map(({ job }) => job))].join(', ')
  return warning(
    `${jobs.length} failed permanently (${kinds}); the last error: ${jobs[0]?.error.slice(0, 200)}. GET /console-api/v1/failed-jobs lists them, to retry or to discard`,
  )
}

/** Age in days after which the newest backup causes a warning. */
const oldestBackup = 7

/** Age of the newest backup made with `atrium backup`. Backups made by the database server are unknown here. */
export async function checkBackup({ db }: Installation): Promise<Finding> {
  const newest = await db
    .selectFrom('audit_entry')
    .select(({ fn }) => fn.max('happened_at').as('at'))
    .where('channel', '=', 'cli')
    .where('action', '=', 'backup')
    .executeTakeFirst()
  const advice =
    'make one with npx atrium backup; ignore this if the database is backed up in another way'
  if (!newest?.at) return warning(`none was made yet; ${advice}`)
  const days = Math.floor((Date.now() - Date.parse(newest.at)) / 86_400_000)
  const says = `the newest is from ${newest.at.slice(0, 10)}`
  return days > oldestBackup ? warning(`${says}, ${days} days ago; ${advice}`) : ok(says)
}
