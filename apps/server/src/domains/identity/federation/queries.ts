import type { ProviderSettings } from '@atrium/contract/identity/federation'
import type { LoginProvider } from '@atrium/contract/identity/identity'
import { sql } from 'kysely'
import { passwordSources } from '#domains/identity/identity/extensions.ts'
import { findPersonByMobile, normalizeMobile } from '#domains/identity/passwordless/queries.ts'
import type { Db } from '#platform/database/db.ts'
import type { Kind } from './rules.ts'

export type Provider = {
  id: string
  code: string
  kind: Kind
  name: string
  nameEn: string
  settings: ProviderSettings
  sealedSecret: string | null
  enabled: boolean
  position: number
  updatedAt: string
}

const providers = (db: Db) =>
  db
    .selectFrom('identity_provider')
    .select([
      'id',
      'code',
      'kind',
      'name',
      'name_en as nameEn',
      'settings',
      'sealed_secret as sealedSecret',
      'enabled',
      'position',
      'updated_at as updatedAt',
    ])
    .orderBy('position')
    .orderBy('id')
    .$narrowType<{ kind: Kind }>()
    .$castTo<Provider>()

export const listProviders = (db: Db) => providers(db).execute()

/** The enabled providers, with their settings. */
export const listOffered = (db: Db) => providers(db).where('enabled', '=', true).execute()

/** The enabled providers as shown to members. */
export const listLoginProviders = async (db: Db): Promise<LoginProvider[]> =>
  (await listOffered(db)).map(({ code, kind, name, nameEn }) => ({ code, kind, name, nameEn }))

/** An enabled provider by its code. */
export const findOffered = (db: Db, code: string) =>
  providers(db).where('enabled', '=', true).where('code', '=', code).executeTakeFirst()

export const findProvider = (db: Db, id: string) =>
  providers(db).where('id', '=', id).executeTakeFirst()

/** Number of bound identities by provider id. */
export async function countIdentities(db: Db) {
  const rows = await db
    .selectFrom('federated_identity')
    .select(['provider_id as id', sql<number>`count(*)::integer`.as('count')])
    .groupBy('provider_id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, count]))
}

type ProviderFields = Pick<Provider, 'name' | 'nameEn' | 'enabled' | 'position' | 'settings'>

/** @returns its id; undefined if the code is taken */
export async function insertProvider(
  db: Db,
  provider: ProviderFields & Pick<Provider, 'code' | 'kind' | 'sealedSecret'>,
) {
  const row = await db
    .insertInto('identity_provider')
    .values({
      code: provider.code,
      kind: provider.kind,
      name: provider.name,
      name_en: provider.nameEn,
      enabled: provider.enabled,
      position: provider.position,
      settings: JSON.stringify(provider.settings),
      sealed_secret: provider.sealedSecret,
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** @param provider without `sealedSecret`, the stored secret stays */
export const updateProvider = (
  db: Db,
  id: string,
  provider: ProviderFields & { sealedSecret?: string | null },
) =>
  db
    .updateTable('identity_provider')
    .set({
      name: provider.name,
      name_en: provider.nameEn,
      enabled: provider.enabled,
      position: provider.position,
      settings: JSON.stringify(provider.settings),
      ...(provider.sealedSecret !== undefined && { sealed_secret: provider.sealedSecret }),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()

export async function deleteProvider(db: Db, id: string) {
  const { numDeletedRows } = await db
    .deleteFrom('identity_provider')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

// ---- logins: identities confirmed by a provider, each for one sign-in ----

export type Login = {
  id: string
  providerId: string
  realm: string
  subject: string
  display: string
  username: string
  browserHash: string
}

const loginMinutes = 10

/** @returns whether it is the first login with this nonce */
export async function insertLogin(
  db: Db,
  login: Omit<Login, 'id'> & { nonceHash: string; sessionHash: string | null },
) {
  const row = await db
    .insertInto('federated_login')
    .values({
      nonce_hash: login.nonceHash,
      provider_id: login.providerId,
      realm: login.realm,
      subject: login.subject,
      display: login.display.slice(0, 100),
      username: login.username.slice(0, 100),
      browser_hash: login.browserHash,
      session_hash: login.sessionHash,
      expires_at: sql<string>`now() + make_interval(mins => ${loginMinutes})`,
    })
    .onConflict((conflict) => conflict.column('nonce_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** An unused, unexpired login. */
export const findLogin = (db: Db, nonceHash: string) =>
  db
    .selectFrom('federated_login')
    .select([
      'id',
      'provider_id as providerId',
      'realm',
      'subject',
      'display',
      'username',
      'browser_hash as browserHash',
    ])
    .where('nonce_hash', '=', nonceHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()

/** Consumes a login; of two concurrent calls only one succeeds. */
export async function markLoginUsed(db: Db, id: string, { binds }: { binds: boolean }) {
  const row = await db
    .updateTable('federated_login')
    .set({ used_at: sql`now()`, binds })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes expired logins that no session or pending sign-in refers to. */
export const deleteOldLogins = (db: Db) =>
  db
    .deleteFrom('federated_login')
    .where('expires_at', '<', sql<string>`now() - interval '1 hour'`)
    .where(
      sql<boolean>`not exists (select from session where session.federated_login_id = federated_login.id)
        and not exists (select from sign_in where sign_in.federated_login_id = federated_login.id)`,
    )
    .execute()

// ---- identities: bindings of persons to provider identities ----

/** The person who bound this identity. */
export async function findIdentityOwner(
  db: Db,
  login: Pick<Login, 'providerId' | 'realm' | 'subject'>,
) {
  const row = await db
    .selectFrom('federated_identity')
    .select('person_id as personId')
    .where('provider_id', '=', login.providerId)
    .where('realm', '=', login.realm)
    .where('subject', '=', login.subject)
    .executeTakeFirst()
  return row?.personId
}

export const listOwnIdentities = (db: Db, personId: string) =>
  db
    .selectFrom('federated_identity')
    .innerJoin('identity_provider', 'identity_provider.id', 'federated_identity.provider_id')
    .select([
      'federated_identity.id',
      'identity_provider.code as provider',
      'identity_provider.kind',
      'identity_provider.name as providerName',
      'identity_provider.name_en as providerNameEn',
      'federated_identity.display',
      'identity_provider.enabled',
      'federated_identity.created_at as createdAt',
      'federated_identity.last_used_at as lastUsedAt',
    ])
    .where('federated_identity.person_id', '=', personId)
    .orderBy('identity_provider.position')
    .orderBy('federated_identity.id')
    .$narrowType<{ kind: Kind }>()
    .execute()

/** Deletes an identity of this person; undefined if it is not theirs. */
export const deleteIdentity = (db: Db, personId: string, id: string) =>
  db
    .deleteFrom('federated_identity')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .returning(['provider_id as providerId', 'realm', 'subject'])
    .executeTakeFirst()

/** Active sessions opened with these logins. */
export const listSessionsOf = (
  db: Db,
  filter:
    | { providerId?: string; sessionHash: string }
    | { providerId: string; realm: string; subject: string },
) => {
  const query = db
    .selectFrom('session')
    .innerJoin('federated_login', 'federated_login.id', 'session.federated_login_id')
    .select(['session.id', 'session.account_id as accountId'])
    .where('session.revoked_at', 'is', null)
  if ('subject' in filter)
    return query
      .where('federated_login.provider_id', '=', filter.providerId)
      .where('federated_login.realm', '=', filter.realm)
      .where('federated_login.subject', '=', filter.subject)
      .execute()
  const { providerId, sessionHash } = filter
  return (providerId ? query.where('federated_login.provider_id', '=', providerId) : query)
    .where('federated_login.session_hash', '=', sessionHash)
    .execute()
}

/** The enabled provider used for the sign-in that a session belongs to. */
export const findProviderOfSession = (db: Db, sessionId: string) =>
  providers(db)
    .where('enabled', '=', true)
    .where(
      'id',
      '=',
      sql<string>`(select login.provider_id from session own
        join session together on coalesce(together.central_session_id, together.id) = coalesce(own.central_session_id, own.id)
        join federated_login login on login.id = together.federated_login_id
        where own.id = ${sessionId} limit 1)`,
    )
    .executeTakeFirst()

/**
 * Whether the person can sign in without any external login: by a password kept here or by a directory, a passkey, or a
 * code sent to a verified mobile number.
 * @param enabled which of these methods are enabled
 */
export async function canSignInDirectly(
  db: Db,
  personId: string,
  enabled: { passkeys: boolean; sms: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ own: boolean; mobile: string | null }>`
    select password_hash is not null
        or (${enabled.passkeys}::boolean and exists (select from passkey where passkey.person_id = person.id)) as own,
      case when mobile_verified_at is not null then mobile end as mobile
    from person where id = ${personId}`.execute(db)
  const [person] = rows
  if (person?.own) return true
  for (const { managesPasswordOf } of passwordSources.all())
    if (await managesPasswordOf(db, personId)) return true
  if (!enabled.sms || !person?.mobile) return false
  const found = await findPersonByMobile(db, normalizeMobile(person.mobile))
  return found?.personId === personId && found.active
}

/** Query of the persons who use a provider: somebody who controls it could impersonate them. */
export const providerPersons = (providerId: string) =>
  sql`select person_id from federated_identity where provider_id = ${providerId}`
