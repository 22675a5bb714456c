import type { Topic } from '@atrium/contract/define'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from './db.ts'

/**
 * A message between nodes. `session` and `account` carry the key of the cached sign-ins to drop, `outbox` the kind of
 * the waiting message, `inbox` and `schedule` the accounts (ids, comma-separated) whose counts or messages, or whose
 * day, have changed. `names`: the search words of some member have to be updated.
 */
export type Announcement = {
  kind:
    | 'topic'
    | 'session'
    | 'account'
    | 'signing-key'
    | 'outbox'
    | 'logout'
    | 'inbox'
    | 'broadcast'
    | 'callback'
    | 'notification'
    | 'sending'
    | 'todo'
    | 'event-reminder'
    | 'invitation'
    | 'schedule'
    | 'task-outcome'
    | 'names'
  key: string
}

/**
 * Cross-node invalidation over LISTEN/NOTIFY. A notification is part of the transaction that caused it, so listeners
 * never receive it before the change is visible, nor for a change that was rolled back.
 */
export type Topics = {
  /** A number that changes whenever one of these topics is invalidated. */
  stamp: (topics: readonly Topic[]) => number
  /** False while the channel is down: no cached value may be used then. */
  connected: () => boolean
  on: (listener: (announcement: Announcement) => void) => void
  /** Resolves once this node has received everything committed before the call: a writer reads its own writes. */
  flushed: () => Promise<void>
  close: () => Promise<void>
}

/** Notifies all nodes. Call it in the transaction that makes the change. */
export const announce = (db: Db, announcement: Announcement) =>
  sql`select pg_notify('atrium', ${JSON.stringify(announcement)})`.execute(db)

/** Drops the cached facts of all accounts of a person. */
export const announcePerson = (db: Db, personId: string) =>
  sql`select pg_notify('atrium', jsonb_build_object('kind', 'account', 'key', id::text)::text)
    from account where person_id = ${personId}`.execute(db)

export async function invalidate(db: Db, topic: Topic) {
  await db
    .insertInto('topic_version')
    .values({ topic, version: '1' })
    .onConflict((conflict) =>
      conflict.column('topic').doUpdateSet({ version: sql`topic_version.version + 1` }),
    )
    .execute()
  await announce(db, { kind: 'topic', key: topic })
}

const heartbeat = 1000

export async function openTopics(url: string, log: Logger): Promise<Topics> {
  const versions = new Map<string, number>()
  const listeners: ((announcement: Announcement) => void)[] = []
  let client: pg.Client | undefined
  let closed = false
  let lost = 0

  function hear(payload: string | undefined) {
    const announcement = JSON.parse(payload ?? '{}') as Announcement
    if (announcement.kind === 'topic')
      versions.set(announcement.key, (versions.get(announcement.key) ?? 0) + 1)
    for (const listener of listeners) listener(announcement)
  }

  async function connect() {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'atrium-topics',
      connectionTimeoutMillis: 5000,
      query_timeout: 2000,
      keepAlive: true,
    })
    next.on('notification', (message) => hear(message.payload))
    next.on('error', () => drop(next))
    next.on('end', () => drop(next))
    await next.connect()
    await next.query('listen atrium')
    // Notifications sent while disconnected are lost: treat everything cached as stale.
    lost += 1
    client = next
  }
  function drop(dead: pg.Client) {
    if (client === dead || (!client && !closed)) {
      if (client === dead)
        log.warn('the invalidation channel is down; caches are bypassed until it is back')
      client = undefined
    }
    dead.removeAllListeners()
    dead.on('error', () => {})
    dead.end().catch(() => {})
  }

  let running: Promise<unknown> | undefined
  let next: Promise<unknown> | undefined
  /** A query that begins after this call. A connection runs one at a time, so callers that wait share the next. */
  function roundTrip(): Promise<unknown> {
    if (running) {
      next ??= afterRunning()
      return next
    }
    running = Promise.resolve(client?.query('select 1')).finally(() => {
      running = undefined
    })
    return running
  }
  async function afterRunning() {
    await running?.catch(() => {})
    next = undefined
    return roundTrip()
  }

  // A connection can die silently (a firewall, a paused host): ping it, and reconnect if it does not answer.
  const timer = setInterval(async () => {
    const asked = client
    try {
      if (asked) await roundTrip()
      else if (!closed) await connect()
    } catch {
      if (asked) drop(asked)
    }
  }, heartbeat)
  timer.unref()
  await connect().catch((error) => {
    clearInterval(timer)
    throw error
  })

  return {
    stamp: (topics) => topics.reduce((sum, topic) => sum + (versions.get(topic) ?? 0), lost),
    connected: () => client !== undefined,
    on: (listener) => void listeners.push(listener),
    async flushed() {
      await roundTrip().catch(() => {})
    },
    async close() {
      closed = true
      clearInterval(timer)
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
