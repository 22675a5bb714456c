import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { sessionLives } from '#platform/http/guard.ts'

/**
 * The ways of being told that a session has ended; each has its address in the registry. Where a sign-in was used stands in
 * `relying_party_session`, with what the other system knows the session by (a service ticket, a sid), sealed: it is the
 * only proof of a logout.
 */
export type Protocol = 'cas' | 'oidc'

/**
 * Remembers that a sign-in was used at another system, which is told when it ends.
 * @param sealedKey what that system knows the session by (a service ticket, a sid), sealed: it is the only proof of a logout
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

/** Puts what is to be told about these sessions on its way, in the transaction that ends them. */
export const queueLogouts = (db: Db, sessionIds: readonly string[]) =>
  queue(db, sql<boolean>`session_id = any(${sessionIds as string[]}::uuid[])`)

/** The same for one system alone, where a member has taken back what was agreed; their other sessions go on. */
export const queueLogoutsOf = (db: Db, accountId: string, partyId: string) =>
  queue(
    db,
    sql<boolean>`relying_party_id = ${partyId} and session_id in (select id from session where account_id = ${accountId})`,
  )

async function queue(db: Db, which: ReturnType<typeof sql<boolean>>) {
  // The row stays for a while: its ticket must not be good a second time, where the sign-in itself goes on.
  const { rows } = await sql`
    with ended as (
      update relying_party_session set session_id = null where ${which} returning relying_party_id, protocol, sealed_key)
    insert into logout_notice (relying_party_id, protocol, sealed_key)
    select party.id, protocol, sealed_key from ended join relying_party party on party.id = ended.relying_party_id
    returning 1`.execute(db)
  if (rows.length > 0) await announce(db, { kind: 'logout', key: '' })
}

/** What was used goes on under a new session. */
export const moveUses = (db: Db, from: string, to: string) =>
  sql`update relying_party_session set session_id = ${to} where session_id = ${from}`.execute(db)

/** Systems hear of sessions, too, that ran out by themselves or are gone with their account: the same hour. */
export const queueLogoutsOfOver = (db: Db) =>
  db.transaction().execute((db) =>
    queue(
      db,
      sql<boolean>`session_id in (
        select used.session_id from relying_party_session used left join session on session.id = used.session_id
        where used.session_id is not null and ${sessionLives} is not true)`,
    ),
  )

/** Of one sign-in at one system; a client that asks for a ticket over and over keeps the latest. */
const maxKept = 50

/**
 * What the hourly job clears away: tickets of which nobody is told, and some of a sign-in that lives for months and must not
 * remember every ticket. A row outlives its ticket, also where the clocks of two nodes differ.
 */
export async function forgetOldSessions(db: Db) {
  const longOver = sql`created_at < now() - interval '5 minutes'`
  await sql`delete from relying_party_session where session_id is null and ${longOver}`.execute(db)
  await sql`
    delete from relying_party_session where ${longOver} and id in (
      select id from (
        select id, row_number() over (partition by session_id, relying_party_id order by created_at desc) as place
        from relying_party_session where session_id is not null) as kept
      where place > ${maxKept})`.execute(db)
}
