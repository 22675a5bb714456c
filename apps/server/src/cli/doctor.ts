import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { type ConfigEntry, type ConfigKey, configKeys } from '@atrium/contract/config-keys'
import type { Command } from 'commander'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { readSettings } from '#areas/config/queries.ts'
import { openDirectory } from '#areas/directory/check-password.ts'
import { listDirectories } from '#areas/directory/queries.ts'
import { testDirectory } from '#areas/directory/test-connection.ts'
import { listOffered } from '#areas/federation/queries.ts'
import { centralProvider } from '#areas/federation/rules.ts'
import { type Environment, readEnvironment, StartError } from '#platform/environment.ts'
import { appliedMigrations, knownMigrations, pendingMigrations } from '#platform/migrate.ts'
import { fetchOutside } from '#platform/outbound.ts'
import { openSecret, readSecret, secretFile } from '#platform/secret.ts'
import { type Installation, withInstallation } from './installation.ts'

type Finding = { state: 'ok' | 'warning' | 'failed'; says: string }
const ok = (says: string): Finding => ({ state: 'ok', says })
const warning = (says: string): Finding => ({ state: 'warning', says })
const failed = (says: string): Finding => ({ state: 'failed', says })

export function addDoctorCommand(program: Command) {
  program
    .command('doctor')
    .description('check the installation and say what to do')
    .addHelpText('after', '\nExample:\n  npx atrium doctor\n\nExit code: 1 when a check failed.')
    .action(runDoctor)
}

/** Checks everything an installation needs and prints one line each; the exit code is 1 when one failed. */
async function runDoctor() {
  let bad = false
  const tell = (name: string, findings: Finding | readonly Finding[]) => {
    for (const { state, says } of [findings].flat()) {
      bad ||= state === 'failed'
      console.log(`${state.padEnd(8)} ${name.padEnd(12)} ${says}`)
    }
  }
  const check = async (
    name: string,
    run: () => Promise<Finding | Finding[]> | Finding | Finding[],
  ) => {
    try {
      tell(name, await run())
    } catch (error) {
      tell(name, failed((error as Error).message))
    }
  }
  let env: Environment | undefined
  await check('environment', () => {
    env = readEnvironment(process.env)
    return ok('every variable can be read')
  })
  if (env) {
    const checked = env
    await check('data folder', () => checkDataFolder(checked))
    await check('address', () => checkAddress(checked))
    if (checked.REDIS_URL) await check('redis', () => checkRedis(checked.REDIS_URL as string))
    try {
      await withInstallation('any', async (installation) => {
        await check('database', () => checkDatabase(installation))
        await check('clock', () => checkClock(installation))
        const applied = await appliedMigrations(installation.db)
        await check('migrations', () => checkMigrations(installation, applied))
        await check('secret', () => checkSecret(installation, applied.length > 0))
        if (applied.length > 0) await check('bases', () => checkBases(installation))
        if (applied.length > 0) await check('login', () => checkCentralLogin(installation))
        if (applied.length > 0) await check('directories', () => checkDirectories(installation))
      })
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      tell('database', failed(error.message))
    }
  }
  process.exitCode = bad ? 1 : 0
}

const enough = { warn: 2000, fail: 300 }

function checkDataFolder({ ATRIUM_DATA_DIR: folder }: Environment): Finding[] {
  return [folder, path.join(folder, 'files')].map((place) => {
    try {
      mkdirSync(place, { recursive: true })
      accessSync(place, constants.W_OK)
    } catch (error) {
      return failed(
        `${place} cannot be written (${(error as NodeJS.ErrnoException).code}); give this user the right to, or choose another folder with ATRIUM_DATA_DIR`,
      )
    }
    const { bavail, bsize } = statfsSync(place)
    const free = Math.floor((bavail * bsize) / 1e6)
    const says = `${place} can be written, ${free.toLocaleString('en')} MB are free`
    if (free < enough.fail) return failed(`${says}: too little to go on; free some`)
    return free < enough.warn ? warning(`${says}: that will not last; free some`) : ok(says)
  })
}

function checkAddress({
  ATRIUM_PUBLIC_URL: url,
  ATRIUM_TRUST_PROXY: proxy,
  ATRIUM_DEMO: demo,
  HOST,
}: Environment): Finding {
  const inside = HOST === '127.0.0.1' || HOST === '::1' || HOST === 'localhost'
  if (!url)
    return demo || inside
      ? ok('only this machine uses it')
      : warning(
          'ATRIUM_PUBLIC_URL is not set: sign-in works on this machine only; set it to the address members use',
        )
  if (new URL(url).protocol !== 'https:')
    return warning(
      `${url} is not encrypted; members’ phones refuse cameras, places and installing. Put a proxy with https before the server`,
    )
  return proxy
    ? ok(url)
    : warning(
        `${url} needs a proxy before the server, and ATRIUM_TRUST_PROXY does not name it: every member has the proxy’s address, and limits hit all at once`,
      )
}

async function checkRedis(url: string): Promise<Finding> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return ok('answers')
  } catch (error) {
    return failed(
      `REDIS_URL cannot be reached (${(error as Error).message}); start it, or leave the variable out: each node then counts for itself`,
    )
  } finally {
    redis.disconnect()
  }
}

async function checkDatabase({ db, env, shared }: Installation): Promise<Finding[]> {
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
  if (!found) throw new Error('the database answers nothing')
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
        `only ${found.free} connections are free, and a node takes up to ${env.ATRIUM_DB_POOL + 4}; raise max_connections or lower ATRIUM_DB_POOL`,
      ),
    )
  return findings
}

async function checkClock({ db }: Installation): Promise<Finding> {
  await sql`select 1`.execute(db)
  const before = Date.now()
  const { rows } = await sql<{
    now: number
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
  const apart = Math.abs((before + Date.now()) / 2 - (rows[0]?.now ?? 0)) / 1000
  const says = `this machine and the database are ${apart.toFixed(1)} s apart`
  if (apart > 30)
    return failed(`${says}; sign-ins would end too early or too late: set both by NTP`)
  return apart > 2 ? warning(`${says}; set both by NTP`) : ok(says)
}

async function checkMigrations({ db }: Installation, applied: readonly string[]): Promise<Finding> {
  const known = await knownMigrations()
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown)
    return failed(`the database was made by a newer Atrium (${unknown}); start that version`)
  if (applied.length === 0)
    return warning('the database is empty; the first start or npx atrium migrate makes the tables')
  const waiting = await pendingMigrations(db)
  return waiting.length > 0
    ? warning(`waiting: ${waiting.join(', ')}; make a backup, then npx atrium migrate`)
    : ok(`up to date (${applied.at(-1)})`)
}

async function checkSecret({ env, db }: Installation, hasTables: boolean): Promise<Finding[]> {
  const file = secretFile(env.ATRIUM_DATA_DIR)
  const keys = hasTables
    ? await db.selectFrom('signing_key').select('sealed_private_jwk').execute()
    : []
  if (!env.ATRIUM_SECRET && !existsSync(file)) {
    return [
      keys.length > 0
        ? failed(
            `there is no secret, and the signing keys need the one they were made with: put it into ${file} or ATRIUM_SECRET`,
          )
        : ok('will be made at the first start'),
    ]
  }
  const findings: Finding[] = []
  const from = env.ATRIUM_SECRET ? 'ATRIUM_SECRET' : file
  if (!env.ATRIUM_SECRET && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    findings.push(warning(`${file} can be read by other users: chmod 600 ${file}`))
  const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
  const closed = keys.filter((key) => secret.open(key.sealed_private_jwk) === undefined).length
  findings.push(
    closed > 0
      ? failed(
          `${from} does not open the signing keys; give this node the secret they were made with`,
        )
      : ok(
          `${from} opens ${keys.length === 1 ? 'the signing key' : `${keys.length} signing keys`}`,
        ),
  )
  return findings
}

/** A central login elsewhere that nobody answers for sends members to our own. */
async function checkCentralLogin({ db }: Installation): Promise<Finding[]> {
  const settings = await readSettings(db)
  const { casUrl } = settings
  if (!casUrl || casUrl === '/cas/login') return [ok('members sign in at our own central login')]
  const provider = centralProvider(settings, await listOffered(db))
  return provider
    ? [ok(`members sign in at ${provider.code} (${provider.kind})`)]
    : [
        warning(
          `casUrl ${casUrl} belongs to no enabled outside login, so members are sent to our own. See npx atrium provider list`,
        ),
      ]
}

/** Every directory members sign in with or come from, asked as the server asks it. */
async function checkDirectories({ db, env }: Installation): Promise<Finding[]> {
  const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
  const rows = await listDirectories(db)
  if (rows.length === 0) return [ok('no directory is configured')]
  return Promise.all(
    rows.map(async (row) => {
      const tried = await testDirectory(
        openDirectory({ secret }, row),
        env.ATRIUM_OUTBOUND_ALLOW,
        undefined,
      )
      if (tried.ok)
        return ok(
          `${row.code} answers, and has members, organisations and groups where they are asked for`,
        )
      const wrong = tried.steps.filter((step) => !step.ok).at(-1)
      return failed(`${row.code}: ${wrong?.step} at ${wrong?.server}: ${wrong?.detail}`)
    }),
  )
}

/** Every address the configuration names: can this machine reach it? */
async function checkBases({ db, env }: Installation): Promise<Finding[]> {
  const settings = await readSettings(db)
  const keys = (Object.entries(configKeys) as [ConfigKey, ConfigEntry][]).filter(
    ([key, { kind }]) =>
      (kind === 'address' || kind === 'eventAddress') && /^https?:/.test(settings[key]),
  )
  if (keys.length === 0) return [ok('no outside address is configured')]
  return Promise.all(
    keys.map(async ([key]) => {
      try {
        const { status } = await fetchOutside(settings[key], {
          allow: env.ATRIUM_OUTBOUND_ALLOW,
          method: 'HEAD',
          seconds: 8,
        })
        return status >= 500
          ? warning(`${key} ${settings[key]} answers with the status ${status}`)
          : ok(`${key} ${settings[key]} answers`)
      } catch (error) {
        // Without these nobody signs in; the others are links that members follow.
        const needed = key === 'casUrl' || key === 'oriCasUrl'
        return (needed ? failed : warning)(`${key}: ${(error as Error).message}`)
      }
    }),
  )
}
