import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import { callWebhook } from '#platform/outbound/webhook.ts'
import type { Platform } from '#platform/platform.ts'

/** Systems called in parallel, and events per call. */
const batch = 10
const eventsPerCall = 500
/** If a node dies while calling, another node retries after this time. */
const leaseSeconds = 60
const [firstPause, maxPause] = [5, 3600]
/** Events that could not be delivered for this long are dropped. */
const retentionDays = 3

/**
 * Reports to systems what recipients of their messages did, immediately and in order. Failed calls are retried until
 * the system answers. A retry repeats the same events under the same id, so that a system whose answer was lost can
 * ignore them.
 */
export function startCallbacks(platform: Platform): { stop: () => Promise<void> } {
  const { db, log, topics } = platform
  const queue = startDueQueue(log, {
    name: 'callbacks of message systems',
    batch,
    async takeBatch() {
      const apps = await claim(db)
      await Promise.all(apps.map((app) => tell(platform, app)))
      return apps.length
    },
    secondsToNext: () => secondsToNext(db),
  })
  topics.on(({ kind }) => {
    if (kind === 'callback') queue.kick()
  })
  return { stop: queue.stop }
}

type App = {
  id: string
  code: string
  address: string
  sealed_secret: string | null
  failures: number
  /** ids of the events to report, ascending */
  events: string[]
}

/** Leases due systems, each with the events to report: those of the previous call until it has succeeded. */
async function claim(db: Db): Promise<App[]> {
  const { rows } = await sql<App>`
    update message_app app set callback_due_at = now() + make_interval(secs => ${leaseSeconds}),
      callback_events = case
        when exists (select from message_event where id = any(app.callback_events)) then app.callback_events
        else array(select id from message_event where app_id = app.id order by id limit ${eventsPerCall}) end
    where id in (
      select id from message_app due
      where callback_url <> '' and callback_due_at <= now()
        and exists (select from message_event where app_id = due.id)
      order by callback_due_at limit ${batch} for update skip locked)
    returning id, code, callback_url as address, sealed_callback_secret as sealed_secret, callback_failures as failures,
      callback_events as events`.execute(db)
  return rows
}

async function secondsToNext(db: Db) {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from min(callback_due_at) - now())::float8 as seconds from message_app app
    where callback_url <> '' and exists (select from message_event where app_id = app.id)`.execute(
    db,
  )
  return rows[0]?.seconds
}

const listEvents = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('message_event as event')
    .innerJoin('message', 'message.id', 'event.message_id')
    .innerJoin('account', 'account.id', 'event.account_id')
    .select([
      'event.id',
      'event.message_id as messageId',
      'message.source_key as key',
      'event.kind as type',
      'account.username',
      'event.happened_at as at',
      'event.answer',
    ])
    .where('event.id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .orderBy('event.id')
    .execute()

async function tell({ db, env, secret, log }: Platform, app: App) {
  const events = await listEvents(db, app.events)
  // Delivered or deleted concurrently.
  if (events.length === 0) {
    await setDue(db, app.id, 0, 0, '')
    return
  }
  const body = JSON.stringify({
    type: 'message.events',
    timestamp: new Date().toISOString(),
    data: { app: app.code, events },
  })
  const key = app.sealed_secret ? secret.decrypt(app.sealed_secret) : undefined
  const issue = await post(
    app.address,
    body,
    // Of the claimed events, because the last one may have been deleted since the first attempt.
    `${app.code}-${app.events.at(-1)}`,
    key,
    env.ATRIUM_OUTBOUND_ALLOW,
  )
  if (issue === undefined) {
    // Only these events: one with a smaller id may have been committed since.
    await db
      .deleteFrom('message_event')
      .where('id', '=', sql<string>`any(${events.map(({ id }) => id)}::bigint[])`)
      .execute()
    await setDue(db, app.id, 0, 0, '')
    return
  }
  const failures = app.failures + 1
  const pause = Math.min(firstPause * 2 ** Math.min(failures - 1, 20), maxPause)
  log.warn({ app: app.code, failures }, `the callback of a message system failed: ${issue}`)
  await setDue(db, app.id, failures, pause, issue)
}

const setDue = (db: Db, id: string, failures: number, seconds: number, error: string) =>
  db
    .updateTable('message_app')
    .set({
      callback_failures: failures,
      callback_due_at: sql<string>`now() + make_interval(secs => ${seconds})`,
      callback_error: error.slice(0, 300),
    })
    .where('id', '=', id)
    .execute()

/** @returns why it failed; undefined on success */
async function post(
  address: string,
  body: string,
  id: string,
  key: string | undefined,
  allow: string | undefined,
): Promise<string | undefined> {
  try {
    const { status } = await callWebhook(address, { id, body, key, allow })
    return status >= 200 && status < 300 ? undefined : `status ${status}`
  } catch (error) {
    return (error as Error).message
  }
}

export async function deleteOldEvents({ db, log }: Platform) {
  const { numDeletedRows } = await db
    .deleteFrom('message_event')
    .where('happened_at', '<', sql<string>`now() - make_interval(days => ${retentionDays})`)
    .executeTakeFirst()
  if (numDeletedRows > 0n)
    log.error(
      { events: Number(numDeletedRows) },
      'callbacks to message systems failed for three days: their events were deleted',
    )
}
