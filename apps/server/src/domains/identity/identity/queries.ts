import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Device } from '#domains/identity/browsers/device.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { sessionListeners } from './extensions.ts'
import type { AuthMethod } from './sign-in.ts'

/** Account data needed for sign-in; undefined if there is none with this name. */
export const findAccountByUsername = (db: Db, username: string) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select([
      'account.id',
      'account.status',
      'account.username',
      'person.id as personId',
      'person.password_hash as passwordHash',
    ])
    .where('account.username', '=', username.trim().toLowerCase())
    .executeTakeFirst()

/** Organization paths of a person's accounts: codes from the root down. */
export async function listOrganizationPaths(db: Db, personId: string): Promise<string[][]> {
  const rows = await db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select('organization.path')
    .where('account.person_id', '=', personId)
    .execute()
  return rows.map(({ path }) => path)
}

/** Contacts for notices to the person of an account. */
export const getNoticeRecipient = (db: Db, accountId: string) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['account.username', 'person.mobile', 'person.email'])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()

/** Names of the accounts that exist, in the given order. */
export async function listAccountNames(db: Db, usernames: readonly string[]) {
  const rows = await db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['account.username', 'person.name', 'person.name_en as nameEn'])
    .where('account.username', '=', sql<string>`any(${usernames as string[]}::text[])`)
    .execute()
  return usernames.flatMap((username) => rows.find((row) => row.username === username) ?? [])
}

/** Account data for the claims of an id token. */
export const getTokenAccount = (db: Db, accountId: string) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'account.username',
      'person.name',
      'account.identity_type_code as identityTypeCode',
      'organization.id as organizationId',
      'organization.code as organizationCode',
      'organization.name as organizationName',
    ])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()

type NewSession = {
  kind: 'portal' | 'central'
  accountId: string
  device: Device
  address: string
  way: AuthMethod
  strong: boolean
  /** days without use until it expires, and its maximum age in days */
  idleDays: number
  days: number
  secret?: string
  /** its cookie outlives the browser session */
  remembered?: boolean
  centralSessionId?: string | null
  /** when the person last proved their identity; now if omitted */
  confirmedAt?: string | undefined
  /** the external login it was opened with */
  federatedLoginId?: string | null | undefined
}

/** @returns the session's id */
export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const { id } = await db
    .insertInto('session')
    .values({
      kind: session.kind,
      account_id: session.accountId,
      device: JSON.stringify(session.device),
      address: session.address,
      way: session.way,
      strong: session.strong,
      idle_days: session.idleDays,
      secret_hash: session.secret ? hashSecret(session.secret) : null,
      central_session_id: session.centralSessionId ?? null,
      remembered: session.remembered ?? false,
      federated_login_id: session.federatedLoginId ?? null,
      ...(session.confirmedAt && { confirmed_at: session.confirmedAt }),
      expires_at: sql<string>`now() + make_interval(days => ${session.days})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Marks the session as used now. */
export const touchSession = (db: Db, sessionId: string) =>
  db.updateTable('session').set({ last_seen_at: sql`now()` }).where('id', '=', sessionId).execute()

/** A person's active accounts. */
export const listOwnAccounts = (db: Db, personId: string) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('identity_type', 'identity_type.code', 'account.identity_type_code')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'account.id as accountId',
      'account.username',
      'person.name',
      'person.name_en as nameEn',
      'identity_type.code as identityTypeCode',
      'identity_type.name as identityTypeName',
      'identity_type.name_en as identityTypeNameEn',
      'organization.name as organizationName',
      'organization.name_en as organizationNameEn',
    ])
    .where('account.person_id', '=', personId)
    .where('account.status', '=', 'active')
    .orderBy('identity_type.position')
    .orderBy('account.id')
    .execute()

/** Why a session ended early; `switch`: replaced by another one. */
export type EndReason =
  | 'logout'
  | 'member'
  | 'operator'
  | 'password'
  | 'reuse'
  | 'switch'
  | 'account'

/**
 * Identifies one sign-in: a central session with the portal sessions opened from it, or a standalone portal session.
 */
export const signInId = sql<string>`coalesce(session.central_session_id, session.id)`

/** The account of a session, including ended ones. */
export const findSessionAccount = async (db: Db, sessionId: string) =>
  (
    await db
      .selectFrom('session')
      .select('account_id')
      .where('id', '=', sessionId)
      .executeTakeFirst()
  )?.account_id

/** Whether two sessions belong to one sign-in. */
export async function isSameSignIn(db: Db, sessionId: string, otherId: string): Promise<boolean> {
  const signIns = await db
    .selectFrom('session')
    .select(signInId.as('of'))
    .distinct()
    .where('id', 'in', [sessionId, otherId])
    .execute()
  return signIns.length === 1
}

/** Ends a session; for a central one, also every portal session opened from it. */
export const revokeSession = (
  db: Db,
  sessionId: string,
  reason: EndReason = 'logout',
): Promise<string[]> =>
  endSessions(
    db,
    reason,
    sql<boolean>`(session.id = ${sessionId} or session.central_session_id = ${sessionId})`,
  )

/** Ends all sessions of this session's sign-in including the central one, so that it cannot be used to get back in. */
export const revokeSignIn = (db: Db, sessionId: string, reason: EndReason): Promise<string[]> =>
  endSessions(
    db,
    reason,
    sql<boolean>`${signInId} = (select ${signInId} from session where id = ${sessionId})`,
  )

/** Ends the sessions of accounts that may no longer be used. @param accounts a query of their ids */
export const revokeAccounts = (db: Db, accounts: RawBuilder<unknown>) =>
  endSessions(db, 'operator', sql<boolean>`session.account_id in (${accounts})`)

/**
 * Ends the active sessions among these and deletes their refresh tokens; notifies all nodes and, through the listeners,
 * the services that were used.
 */
export async function endSessions(
  db: Db,
  reason: EndReason,
  condition: RawBuilder<boolean>,
): Promise<string[]> {
  if (!db.isTransaction) return db.transaction().execute((db) => endSessions(db, reason, condition))
  const ended = await db
    .updateTable('session')
    .set({ revoked_at: sql`now()`, end_reason: reason })
    .where(condition)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  const ids = ended.map(({ id }) => id)
  if (ids.length === 0) return ids
  await db
    .deleteFrom('refresh_token')
    .where('session_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  for (const { ended } of sessionListeners.all()) await ended(db, ids)
  for (const id of ids) await announce(db, { kind: 'session', key: id })
  return ids
}

/** Moves the sessions of one sign-in to a new central session, after the member re-authenticated. */
export async function moveSessions(db: Db, from: string, to: string) {
  await sql`update session set central_session_id = ${to} where central_session_id = ${from}`.execute(
    db,
  )
  for (const { moved } of sessionListeners.all()) await moved(db, from, to)
}

/** Activates an account; used when another system has already verified its owner. */
export const activateAccount = (db: Db, accountId: string) =>
  db
    .updateTable('account')
    .set({ status: 'active' })
    .where('id', '=', accountId)
    .where('status', '=', 'inactive')
    .execute()

export const insertTicket = (
  db: Db,
  ticket: { id: string; sessionId: string; service: string; seconds: number },
) =>
  db
    .insertInto('ticket')
    .values({
      id: hashSecret(ticket.id),
      session_id: ticket.sessionId,
      service: ticket.service,
      expires_at: sql<string>`now() + make_interval(secs => ${ticket.seconds})`,
    })
    .execute()

/**
 * Deletes and returns a ticket; of two concurrent calls only one gets it. A ticket for another service is consumed too.
 */
export const consumeTicket = (db: Db, id: string) =>
  db
    .deleteFrom('ticket')
    .where('id', '=', hashSecret(id))
    .returning(['session_id as sessionId', 'service', sql<boolean>`expires_at > now()`.as('alive')])
    .executeTakeFirst()

/**
 * Failures in the last hour by key, and the seconds until the next attempt is allowed for all of them (0: now). Uses
 * clock_timestamp(): with now(), the time of the transaction start, a failure counted since then would cause a wait.
 */
export async function findThrottle(db: Db, keys: string[]) {
  const rows = await db
    .selectFrom('login_throttle')
    .select([
      'key',
      'failures',
      sql<number>`greatest(0, ceil(extract(epoch from blocked_until - clock_timestamp())))::integer`.as(
        'seconds',
      ),
    ])
    .where('key', '=', sql<string>`any(${keys})`)
    .where('updated_at', '>', sql<string>`now() - interval '1 hour'`)
    .execute()
  return {
    failures: new Map(rows.map((row) => [row.key, row.failures])),
    blockedSeconds: Math.max(0, ...rows.map((row) => row.seconds)),
  }
}

/**
 * Counts a failed attempt. After `free` failures the next attempt has to wait 1 s, doubled with each further failure up
 * to `maxSeconds`. An hour without failures resets the counter.
 */
export const countFailure = (
  db: Db,
  key: string,
  { free, maxSeconds }: { free: number; maxSeconds: number },
) =>
  sql`
    insert into login_throttle as throttle (key, failures, blocked_until) values (${key}, 1, now())
    on conflict (key) do update set
      failures = case when throttle.updated_at < now() - interval '1 hour' then 1 else throttle.failures + 1 end,
      blocked_until = case
        when throttle.updated_at < now() - interval '1 hour' or throttle.failures + 1 < ${free}::integer then now()
        else now() + least(power(2, least(throttle.failures + 1 - ${free}::integer, 20)), ${maxSeconds}::integer) * interval '1 second' end,
      updated_at = now()`.execute(db)

export const clearFailures = (db: Db, key: string) =>
  db.deleteFrom('login_throttle').where('key', '=', key).execute()

/** Resets the failure counters of a person's accounts, both the general ones and those of known devices. */
export async function clearFailuresOf(db: Db, personId: string, usernames: readonly string[]) {
  for (const username of usernames) await clearFailures(db, `account:${username}`)
  await db
    .deleteFrom('login_throttle')
    .where(sql<boolean>`starts_with(key, ${`known:${personId}:`})`)
    .execute()
}

/** Replaces the verified hash, unless the password was changed concurrently. */
export const replacePasswordHash = (db: Db, personId: string, old: string, hash: string) =>
  db
    .updateTable('person')
    .set({ password_hash: hash })
    .where('id', '=', personId)
    .where('password_hash', '=', old)
    .execute()

/** Auth method of a session and the time of its last confirmation; undefined once it has ended. */
export const findSessionProof = (db: Db, sessionId: string) =>
  db
    .selectFrom('session')
    .select([
      'way',
      'strong',
      'confirmed_at as confirmedAt',
      'federated_login_id as federatedLoginId',
    ])
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

/**
 * Consumes a pending sign-in of this person whose second factor was given; of two concurrent calls only one gets it.
 */
export const consumeStrongSignIn = (db: Db, state: string, personId: string) =>
  db
    .deleteFrom('sign_in')
    .where('key_hash', '=', hashSecret(state))
    .where('person_id', '=', personId)
    .where('strong', '=', true)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('person_id')
    .executeTakeFirst()

/** Deletes expired rows, none of which can be used any more. */
export async function deleteExpired(db: Db) {
  await db.deleteFrom('ticket').where('expires_at', '<', sql<string>`now()`).execute()
  await db.deleteFrom('sign_in').where('expires_at', '<', sql<string>`now()`).execute()
  await db.deleteFrom('captcha_used').where('expires_at', '<', sql<string>`now()`).execute()
  // Rotated tokens need no row: a signed token without one is recognised as reused.
  await db
    .deleteFrom('refresh_token')
    .where('rotated_at', '<', sql<string>`now() - interval '1 hour'`)
    .execute()
  await db
    .deleteFrom('login_throttle')
    .where('updated_at', '<', sql<string>`now() - interval '1 day'`)
    .execute()
}

export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')
