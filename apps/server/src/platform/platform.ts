import type { Logger } from 'pino'
import { type Database, openDatabase, openPool, type Pool } from '#platform/database/db.ts'
import { openTopics, type Topics } from '#platform/database/topics.ts'
import { type BodyCache, openBodyCache } from '#platform/http/body-cache.ts'
import { type Guard, openGuard } from '#platform/http/guard.ts'
import { type Files, openFiles } from '#platform/storage/files.ts'
import { type AreaStates, openAreaStates } from './area-state.ts'
import type { Environment } from './environment.ts'
import { openSecret, readSecret, type Secret } from './secret.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'

/** The services areas are built on. Opened once, when the database is reachable and migrated. */
export type Platform = {
  env: Environment
  log: Logger
  /** Connection string of the database, for long work on a separate connection. */
  url: string
  pool: Pool
  db: Database
  secret: Secret
  topics: Topics
  keys: SigningKeys
  guard: Guard
  /** undefined if the configuration turns response caching off */
  bodies: BodyCache | undefined
  files: Files
  /** state of the areas; see defineState */
  states: AreaStates
  /** Our public origin, without a trailing slash. */
  origin: () => string
  /** Whether an origin is ours: the public one, and in a demo or trial every loopback name. */
  isOwnOrigin: (origin: string) => boolean
  close: () => Promise<void>
}

export async function openPlatform(
  env: Environment,
  log: Logger,
  url: string,
  port: () => number,
): Promise<Platform> {
  const pool = openPool(url, env.ATRIUM_DB_POOL)
  const db = openDatabase(pool)
  const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
  const origin = () =>
    env.ATRIUM_PUBLIC_URL ? new URL(env.ATRIUM_PUBLIC_URL).origin : `http://localhost:${port()}`
  const topics = await openTopics(url, log)
  const states = openAreaStates()
  async function close() {
    await states
      .close()
      .catch((error) => log.error({ err: error }, 'the state of an area was not closed cleanly'))
    await topics.close()
    await db.destroy()
  }
  const openKeys = async () => {
    const keys = await openSigningKeys(db, secret, origin)
    return { keys, guard: await openGuard(db, keys, topics) }
  }
  // The database may fail in between: close what is open, so that the caller can retry from the start.
  const { keys, guard } = await openKeys().catch(async (error) => {
    await close()
    throw error
  })
  return {
    env,
    log,
    url,
    pool,
    db,
    secret,
    topics,
    keys,
    guard,
    bodies:
      env.ATRIUM_BODY_CACHE_MB > 0
        ? openBodyCache(env.ATRIUM_BODY_CACHE_MB * 1_000_000)
        : undefined,
    files: await openFiles(env, secret),
    states,
    origin,
    isOwnOrigin(candidate) {
      if (candidate === origin()) return true
      if (env.ATRIUM_PUBLIC_URL) return false
      return ['localhost', '127.0.0.1', '[::1]'].some(
        (host) => candidate === `http://${host}:${port()}`,
      )
    },
    close,
  }
}
