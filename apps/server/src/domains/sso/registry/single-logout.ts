import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { isSessionActive } from '#platform/http/guard.ts'

/**
 * Protocols for logout notices; each has its address in the registry. `relying_party_session` records where a sign-in
 * was used, with the sealed key by which that system knows the session (a service ticket, a sid). The key is the only
 * proof of a logout.
 */
export type Protocol = 'cas' | 'oidc'

/**
 * Records that a sign-in was used at another system, which is notified when it ends.
 * @param sealedKey sealed key by which that system knows the session (a service ticket, a sid); it proves a logout
 */
export const insertPartySession = (
  db: Db,
  session: { sessionId: string; partyId: string; protocol: Protocol; sealedKey: string },
) =>
  db
    .insertInto('relying_party_session')
    .values({
      session_id: session.sessionId,
      relying_party_id: session.partyId,
      protocol: session.protocol,
      sealed_key: session.sealedKey,
    })
    .execute()

/** Queues logout notices for these sessions, in the transaction that ends them. */
export const queueLogouts = (db: Db, sessionIds: readonly string[]) =>
  queue(db, sql<boolean>`session_id = any(${sessionIds as string[]}::uuid[])`)

/** Queues logout notices for one system only, after a member has withdrawn consent; the sessions continue. */
export const queueLogoutsOf = (db: Db, accountId: string, partyId: string) =>
  queue(
    db,
    sql<boolean>`relying_party_id = ${partyId} and session_id in (select id from session where account_id = ${accountId})`,
  )

async function queue(db: Db, which: ReturnType<typeof sql<boolean>>) {
  // Keep the row for a while: if the sign-in itself continues, its ticket must not be valid a second time.
  const { rows } = await sql`
    with ended as (
      update relying_party_session set session_id = null where ${which} returning relying_party_id, protocol, sealed_key)
    insert into logout_notice (relying_party_id, protocol, sealed_key)
    select party.id, protocol, sealed_key from ended join relying_party party on party.id = ended.relying_party_id
    returning 1`.execute(db)
  if (rows.length > 0) await announce(db, { kind: 'logout', key: '' })
}

/** Moves the uses of a session to the one that replaces it. */
export const moveSessionUses = (db: Db, from: string, to: string) =>
  sql`update relying_party_session set session_id = ${to} where session_id = ${from}`.execute(db)

/** Queues notices for sessions that expired or were deleted with their account; runs hourly. */
export const queueLogoutsOfEnded = (db: Db) =>
  db.transaction().execute((db) =>
    queue(
      db,
      sql<boolean>`session_id in (
        select used.session_id from relying_party_session used left join session on session.id = used.session_id
        where used.session_id is not null and ${isSessionActive} is not true)`,
    ),
  )

/** Rows kept per session and system; a client that requests many tickets keeps the latest. */
const maxKept = 50

/**
 * The hourly cleanup: deletes tickets that need no notice, and the oldest of long sessions with very many. A row
 * outlives its ticket by minutes, because the clocks of nodes can differ.
 */
export async function deleteOldSessionUses(db: Db) {
  const longOver = sql`created_at < now() - interval '5 minutes'`
  await sql`delete from relying_party_session where session_id is null and ${longOver}`.execute(db)
  await sql`
    delete from relying_party_session where ${longOver} and id in (
      select id from (
        select id, row_number() over (partition by session_id, relying_party_id order by created_at desc) as place
        from relying_party_session where session_id is not null) as kept
      where place > ${maxKept})`.execute(db)
}
