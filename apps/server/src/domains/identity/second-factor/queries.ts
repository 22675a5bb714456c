import type { Factor, SecondFactors } from '@atrium/contract/identity/second-factor'
import { sql } from 'kysely'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import type { Db } from '#platform/database/db.ts'

/** Second factors the person can use now. Recovery codes alone do not count. */
export async function listFactors(db: Db, personId: string): Promise<Factor[]> {
  const has = await db
    .selectNoFrom((query) => [
      query
        .exists(query.selectFrom('totp').select('person_id').where('person_id', '=', personId))
        .as('totp'),
      query
        .exists(query.selectFrom('passkey').select('id').where('person_id', '=', personId))
        .as('passkey'),
      query
        .exists(
          query.selectFrom('recovery_code').select('person_id').where('person_id', '=', personId),
        )
        .as('recovery'),
    ])
    .executeTakeFirstOrThrow()
  if (!has.totp && !has.passkey) return []
  return (['totp', 'passkey', 'recovery'] as const).filter((factor) => has[factor])
}

/** @param required whether the identity type requires one */
export async function readFactors(
  db: Db,
  personId: string,
  required: boolean,
): Promise<SecondFactors> {
  const [totp, passkeys, codes] = await Promise.all([
    db
      .selectFrom('totp')
      .select(['created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('person_id', '=', personId)
      .executeTakeFirst(),
    db
      .selectFrom('passkey')
      .select(passkeyColumns)
      .where('person_id', '=', personId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('recovery_code')
      .select(sql<number>`count(*)::integer`.as('left'))
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow(),
  ])
  return { totp: totp ?? null, passkeys, recoveryCodesLeft: codes.left, required }
}

const passkeyColumns = [
  'id',
  'name',
  'backed_up as backedUp',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

/** Stores the secret of an authenticator app, replacing any other; `step` is that of the code just entered. */
export const upsertTotp = (db: Db, personId: string, secret: string, step: number) =>
  db
    .insertInto('totp')
    .values({ person_id: personId, secret, last_step: String(step) })
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet({
        secret,
        last_step: String(step),
        created_at: sql`now()`,
        last_used_at: null,
      }),
    )
    .execute()

export const findTotpSecret = async (db: Db, personId: string) =>
  (
    await db
      .selectFrom('totp')
      .select('secret')
      .where('person_id', '=', personId)
      .executeTakeFirst()
  )?.secret

/**
 * Consumes this time step and earlier ones; of two concurrent calls only one succeeds.
 * @returns false if it was already used
 */
export async function consumeTotpStep(db: Db, personId: string, step: number): Promise<boolean> {
  const taken = await db
    .updateTable('totp')
    .set({ last_step: String(step), last_used_at: sql`now()` })
    .where('person_id', '=', personId)
    .where('last_step', '<', String(step))
    .returning('person_id')
    .executeTakeFirst()
  return taken !== undefined
}

export const deleteTotp = (db: Db, personId: string) =>
  db.deleteFrom('totp').where('person_id', '=', personId).returning('person_id').executeTakeFirst()

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(db: Db, personId: string, hashes: string[]) {
  await deleteRecoveryCodes(db, personId)
  await db
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ person_id: personId, code_hash })))
    .execute()
}

/** Consumes a recovery code; of two concurrent calls only one succeeds. @returns false if there is none */
export async function consumeRecoveryCode(
  db: Db,
  personId: string,
  hash: string,
): Promise<boolean> {
  const taken = await db
    .deleteFrom('recovery_code')
    .where('person_id', '=', personId)
    .where('code_hash', '=', hash)
    .returning('person_id')
    .executeTakeFirst()
  return taken !== undefined
}

export const deleteRecoveryCodes = (db: Db, personId: string) =>
  db.deleteFrom('recovery_code').where('person_id', '=', personId).returning('person_id').execute()

export const listPasskeyKeys = (db: Db, personId: string) =>
  db
    .selectFrom('passkey')
    .select(['credential_id as id', 'transports', 'user_handle as userHandle'])
    .where('person_id', '=', personId)
    .execute()

export const findPasskey = (db: Db, credentialId: string) =>
  db
    .selectFrom('passkey')
    .select([
      'id',
      'person_id as personId',
      'credential_id as credentialId',
      'public_key as publicKey',
      'counter',
      'user_handle as userHandle',
    ])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>

/** @returns undefined if the credential is already registered, by anybody */
export const insertPasskey = (
  db: Db,
  passkey: {
    personId: string
    credentialId: string
    publicKey: Buffer
    counter: number
    userHandle: string
    transports: string[]
    backedUp: boolean
    name: string
  },
) =>
  db
    .insertInto('passkey')
    .values({
      person_id: passkey.personId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: String(passkey.counter),
      user_handle: passkey.userHandle,
      transports: passkey.transports,
      backed_up: passkey.backedUp,
      name: passkey.name,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(passkeyColumns)
    .executeTakeFirst()

/**
 * Records a use. A non-zero counter must increase; otherwise the key may have been cloned.
 * @returns false if it did not
 */
export async function recordPasskeyUse(
  db: Db,
  id: string,
  counter: number,
  backedUp: boolean,
): Promise<boolean> {
  const used = await db
    .updateTable('passkey')
    .set({ counter: String(counter), backed_up: backedUp, last_used_at: sql`now()` })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('counter', '<', String(counter)),
        where.and([where('counter', '=', '0'), where(sql`${counter}::bigint`, '=', 0)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

export const updatePasskeyName = (db: Db, personId: string, id: string, name: string) =>
  db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .returning('id')
    .executeTakeFirst()

export const deletePasskey = (db: Db, personId: string, id: string) =>
  db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .returning('name')
    .executeTakeFirst()

/** @returns the factors removed */
export async function deleteFactors(db: Db, personId: string): Promise<Factor[]> {
  const before = await listFactors(db, personId)
  await db.deleteFrom('totp').where('person_id', '=', personId).execute()
  await db.deleteFrom('passkey').where('person_id', '=', personId).execute()
  await deleteRecoveryCodes(db, personId)
  return before
}

export type Purpose = 'register' | 'login' | 'second-factor'

/** @param key the session, sign-in or issued key that the answer must come with */
export const insertChallenge = (
  db: Db,
  challenge: string,
  purpose: Purpose,
  key: string,
  userHandle: string | null = null,
) =>
  db
    .insertInto('webauthn_challenge')
    .values({
      challenge_hash: hashSecret(challenge),
      purpose,
      bound_to: hashSecret(key),
      user_handle: userHandle,
      expires_at: sql<string>`now() + interval '5 minutes'`,
    })
    .execute()

/** Consumes a challenge; of two concurrent calls only one succeeds. */
export const consumeChallenge = (db: Db, challenge: string, purpose: Purpose, key: string) =>
  db
    .deleteFrom('webauthn_challenge')
    .where('challenge_hash', '=', hashSecret(challenge))
    .where('purpose', '=', purpose)
    .where('bound_to', '=', hashSecret(key))
    .where('expires_at', '>', sql<string>`now()`)
    .returning('user_handle as userHandle')
    .executeTakeFirst()

export async function deleteExpiredChallenges(db: Db) {
  await db.deleteFrom('webauthn_challenge').where('expires_at', '<', sql<string>`now()`).execute()
}

/** The person of a pending sign-in. */
export const findSignIn = (db: Db, state: string) =>
  db
    .selectFrom('sign_in')
    .innerJoin('person', 'person.id', 'sign_in.person_id')
    .leftJoin('account', 'account.id', 'sign_in.account_id')
    .select([
      'person.id as personId',
      'person.name',
      'account.username',
      'sign_in.account_id as accountId',
      'sign_in.way',
    ])
    .where('sign_in.key_hash', '=', hashSecret(state))
    .where('sign_in.expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()

const freeTries = 5
const maxSeconds = 900

/**
 * Counts an attempt before it is checked, so that parallel attempts gain nothing over sequential ones. After five the
 * next one has to wait 15 s, doubled with each further one; a right code or an hour without attempts resets the
 * counter. Uses clock_timestamp(), not the start of the transaction, which may have waited for a lock.
 * @param counted the person, or a device or session of theirs with its own counter
 * @returns seconds to wait; 0: proceed
 */
export async function countAttempt(db: Db, counted: string): Promise<number> {
  const key = triesOf(counted)
  const { rows } = await sql<{ key: string }>`
    insert into login_throttle as throttle (key, failures, blocked_until) values (${key}, 1, now())
    on conflict (key) do update set
      failures = case when throttle.updated_at < now() - interval '1 hour' then 1 else throttle.failures + 1 end,
      blocked_until = case
        when throttle.updated_at < now() - interval '1 hour' or throttle.failures + 1 < ${freeTries}::integer then now()
        else clock_timestamp() + least(15 * power(2, least(throttle.failures + 1 - ${freeTries}::integer, 10)), ${maxSeconds}::integer) * interval '1 second' end,
      updated_at = now()
    where throttle.blocked_until <= clock_timestamp()
    returning key`.execute(db)
  if (rows.length > 0) return 0
  const row = await db
    .selectFrom('login_throttle')
    .select(
      sql<number>`ceil(extract(epoch from blocked_until - clock_timestamp()))::integer`.as(
        'seconds',
      ),
    )
    .where('key', '=', key)
    .executeTakeFirst()
  return Math.max(1, row?.seconds ?? 1)
}

export const clearAttempts = (db: Db, counted: string) =>
  db.deleteFrom('login_throttle').where('key', '=', triesOf(counted)).execute()

/** Resets all counters of a person, including those of devices and sessions. */
export const clearAllAttempts = (db: Db, personId: string) =>
  db
    .deleteFrom('login_throttle')
    .where(sql<boolean>`key = ${triesOf(personId)} or starts_with(key, ${`${triesOf(personId)}:`})`)
    .execute()

const triesOf = (counted: string) => `factor:${counted}`
