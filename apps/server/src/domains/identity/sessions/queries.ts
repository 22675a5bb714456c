import { sql } from 'kysely'
import type { Device } from '#domains/identity/browsers/device.ts'
import { type EndReason, revokeSignIn, signInId } from '#domains/identity/identity/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { isSessionActive } from '#platform/http/guard.ts'
import { pageOf } from '#platform/http/paging.ts'

/** A person's sign-ins with all accounts: one row per sign-in. */
export const listSignIns = (db: Db, personId: string) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select([
      signInId.as('id'),
      sql<string[]>`array_agg(session.id::text)`.as('sessionIds'),
      latest<string>('account.username').as('username'),
      latest<string>('session.way').as('way'),
      sql<boolean>`bool_or(session.strong)`.as('strong'),
      sql<string>`min(session.created_at)`.as('firstUsedAt'),
      sql<string>`max(session.last_seen_at)`.as('lastUsedAt'),
      latest<Device>('session.device').as('device'),
      latest<string>('session.address').as('address'),
    ])
    .where('account.person_id', '=', personId)
    .where(isSessionActive)
    .groupBy(signInId)
    .orderBy('lastUsedAt', 'desc')
    // More than any real person has; limits programs that sign in repeatedly.
    .limit(100)
    .execute()

/** Value of the most recently used portal session; the central session knows only the browser. */
const latest = <T>(column: string) =>
  sql<T>`(array_agg(${sql.ref(column)} order by session.kind desc, session.last_seen_at desc))[1]`

/** The person of an active sign-in. */
export async function findSignInPerson(db: Db, id: string): Promise<string | undefined> {
  const session = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select('account.person_id as personId')
    .where(signInId, '=', id)
    .where('session.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return session?.personId
}

/** Ends a sign-in if it belongs to this person. Returns the ended sessions. */
export async function endSignInOf(db: Db, personId: string, id: string, reason: EndReason) {
  const session = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select('session.id')
    .where(signInId, '=', id)
    .where('session.revoked_at', 'is', null)
    .where('account.person_id', '=', personId)
    .limit(1)
    .executeTakeFirst()
  return session ? revokeSignIn(db, session.id, reason) : []
}

export async function listRecords(
  db: Db,
  personId: string,
  query: { pageNo?: number; pageSize?: number },
) {
  const { pageNo, pageSize, offset } = pageOf(query)
  const entries = db
    .selectFrom('authentication_log')
    .where('authentication_log.person_id', '=', personId)
  const { total } = await entries
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  const rows = await entries
    .leftJoin('account', 'account.id', 'authentication_log.account_id')
    .select([
      'authentication_log.id',
      'authentication_log.happened_at as happenedAt',
      'authentication_log.way',
      'authentication_log.result',
      'authentication_log.address',
      sql<string>`coalesce(account.username, authentication_log.username)`.as('username'),
      sql<Device>`authentication_log.device`.as('device'),
    ])
    .orderBy('authentication_log.id', 'desc')
    .limit(pageSize)
    .offset(offset)
    .execute()
  return { rows, total, pageNo, pageSize }
}

/** Daily job: deletes sessions that ended long ago and unused known devices. */
export async function deleteOldSessions(db: Db) {
  await db
    .deleteFrom('session')
    .where(
      sql<boolean>`(revoked_at < now() - interval '30 days' or expires_at < now() - interval '30 days'
        or last_seen_at < now() - make_interval(days => idle_days + 30))`,
    )
    .execute()
  await db
    .deleteFrom('known_device')
    .where('last_seen_at', '<', sql<string>`now() - interval '400 days'`)
    .execute()
}
