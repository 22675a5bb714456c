import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import { extension } from '#platform/extension.ts'
import { messagesSent } from '#platform/metrics.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import type { Protocol } from './single-logout.ts'

/** The message posted to a system when a session has ended. */
export type LogoutMessage = { contentType: string; body: string }
/** Creates the message of a protocol. */
export type LogoutMessageFactory = {
  protocol: Protocol
  /** @param key identifies the session at that system */
  make: (platform: Platform, key: string, code: string) => LogoutMessage | Promise<LogoutMessage>
}
export const logoutMessageFactories = extension<LogoutMessageFactory>()

type Row = {
  id: string
  code: string
  protocol: Protocol
  sealed_key: string
  tries: number
  address: string
}

/** Seconds between tries; after the last one the notice is dropped. */
const pauses = [2, 15, 120, 900]
const batch = 20
/** Lease: if a node dies while sending, another one takes the notice after this long. */
const leaseSeconds = 60
const patienceSeconds = 5

/**
 * Notifies other systems of ended sessions: immediately after a transaction on any node has ended one, and failed
 * notices again after growing pauses. Only registered addresses are called, under the rules for outgoing requests and
 * without redirects.
 */
export function startLogouts(platform: Platform): { stop: () => Promise<void> } {
  const { db, log } = platform
  const queue = startDueQueue(log, {
    name: 'telling services of logouts',
    batch,
    async takeBatch() {
      const rows = await claim(db)
      await Promise.all(rows.map((row) => tell(platform, row)))
      return rows.length
    },
    secondsToNext: () => secondsToNext(db),
  })
  platform.topics.on(({ kind }) => {
    if (kind === 'logout') queue.kick()
  })
  return { stop: queue.stop }
}

/** Claims due notices; other nodes skip them. `tell` drops those without an address. */
async function claim(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    update logout_notice as notice
    set tries = notice.tries + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
    from relying_party as party
    where party.id = notice.relying_party_id and notice.id in (
      select id from logout_notice where due_at <= now()
      order by due_at, id limit ${batch} for update skip locked)
    returning notice.id, party.code, notice.protocol, notice.sealed_key, notice.tries,
      case notice.protocol when 'cas' then party.logout_url else party.backchannel_logout_url end as address`.execute(
    db,
  )
  return rows
}

async function tell(platform: Platform, row: Row) {
  const { db, env, log, secret } = platform
  const done = () => db.deleteFrom('logout_notice').where('id', '=', row.id).execute()
  const key = secret.decrypt(row.sealed_key)
  const maker = logoutMessageFactories.all().find(({ protocol }) => protocol === row.protocol)
  if (!row.address || !key || !maker) return done()
  try {
    const { contentType, body } = await maker.make(platform, key, row.code)
    const { status } = await fetchExternal(row.address, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
      headersOnly: true,
      seconds: patienceSeconds,
      redirects: 0,
    })
    if (status < 200 || status > 299) throw new Error(`it answered with the status ${status}`)
    messagesSent.inc({ kind: 'logout', result: 'sent' })
    await done()
  } catch (error) {
    const pause = pauses[row.tries - 1]
    messagesSent.inc({ kind: 'logout', result: pause ? 'again' : 'failed' })
    if (pause)
      return db
        .updateTable('logout_notice')
        .set({ due_at: sql<string>`now() + make_interval(secs => ${pause})` })
        .where('id', '=', row.id)
        .execute()
    log.warn(
      { service: row.code, reason: (error as Error).message },
      'a service could not be notified that a session has ended',
    )
    await done()
  }
}

async function secondsToNext(db: Db) {
  const row = await db
    .selectFrom('logout_notice')
    .select(sql<number | null>`extract(epoch from min(due_at) - now())::float8`.as('seconds'))
    .executeTakeFirst()
  return row?.seconds
}
