import os from 'node:os'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { logRecoverable } from '#platform/database/outage.ts'
import { environmentTable } from './environment.ts'
import type { Platform } from './platform.ts'
import type { Secret } from './secret.ts'
import { version } from './version.ts'

/** Heartbeat interval, in milliseconds. */
const heartbeat = 30_000
/** Seconds without a heartbeat after which a node counts as gone. */
const goneAfter = 100

/** Not recorded: readers of the record have the database connection and the secret already. */
const leftOut = ['ATRIUM_SECRET', 'DATABASE_URL']
const recorded = Object.keys(environmentTable).filter((name) => !leftOut.includes(name))

/** The environment variables of a node, as set. */
export type NodeSettings = Record<string, string>
export type RunningNode = {
  host: string
  version: string
  startedAt: string
  /** undefined if they were encrypted with another secret */
  settings: NodeSettings | undefined
}

/**
 * Records this node and its settings, encrypted, while it runs: the command line checks the settings really in use.
 * @param source the environment the node was started with
 */
export function recordNode({ db, secret, log }: Platform, source: NodeJS.ProcessEnv) {
  const id = crypto.randomUUID()
  const settings = Object.fromEntries(
    recorded.flatMap((name) => (source[name] ? [[name, source[name]]] : [])),
  )
  const write = () =>
    db
      .insertInto('running_node')
      .values({
        id,
        host: os.hostname(),
        version,
        sealed_settings: secret.encrypt(JSON.stringify(settings)),
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql`now()` }))
      .execute()
      .then(() => removeGone(db))
      .catch((error) => logRecoverable(log, error, 'this node could not be recorded'))
  let last: Promise<unknown> = write()
  const timer = setInterval(() => {
    last = write()
  }, heartbeat)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await last
      await db.deleteFrom('running_node').where('id', '=', id).execute()
    },
  }
}

const isGone = sql<boolean>`(seen_at < now() - make_interval(secs => ${goneAfter}))`
const removeGone = (db: Db) => db.deleteFrom('running_node').where(isGone).execute()

/** The running nodes, oldest first. */
export async function listRunningNodes(db: Db, secret: Secret): Promise<RunningNode[]> {
  const rows = await db
    .selectFrom('running_node')
    .select(['host', 'version', 'started_at as startedAt', 'sealed_settings'])
    .where(isGone, '=', false)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return rows.map(({ sealed_settings, ...row }) => {
    const opened = secret.decrypt(sealed_settings)
    return { ...row, settings: opened === undefined ? undefined : JSON.parse(opened) }
  })
}
