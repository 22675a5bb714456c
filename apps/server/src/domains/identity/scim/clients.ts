import { createHash, randomBytes } from 'node:crypto'
import type { ScimSettings } from '@atrium/contract/identity/scim'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

export type ScimClient = { id: string; name: string; settings: ScimSettings }

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Finds a client by its token. `last_used_at` is updated at most once a minute. */
export async function findClientByToken(db: Db, token: string): Promise<ScimClient | undefined> {
  const client = await db
    .selectFrom('scim_client')
    .select([
      'id',
      'name',
      sql<ScimSettings>`settings`.as('settings'),
      sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('stale'),
    ])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst()
  if (!client) return undefined
  const { stale, ...found } = client
  if (stale)
    await db
      .updateTable('scim_client')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', found.id)
      .execute()
  return found
}

export const listClients = (db: Db, id?: string) =>
  db
    .selectFrom('scim_client')
    .select([
      'id',
      'name',
      sql<ScimSettings>`settings`.as('settings'),
      sql<boolean>`token_hash is not null`.as('hasToken'),
      'token_made_at as tokenMadeAt',
      'last_used_at as lastUsedAt',
      sql<number>`(select count(*)::integer from scim_user where client_id = scim_client.id and deleted_at is null)`.as(
        'users',
      ),
      sql<number>`(select count(*)::integer from scim_group where client_id = scim_client.id)`.as(
        'groups',
      ),
    ])
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('id')
    .execute()

export const insertClient = (db: Db, { name, settings }: Omit<ScimClient, 'id'>) =>
  db
    .insertInto('scim_client')
    .values({ name, settings: JSON.stringify(settings) })
    .returning('id')
    .executeTakeFirstOrThrow()

export const updateClient = (db: Db, id: string, { name, settings }: Omit<ScimClient, 'id'>) =>
  db
    .updateTable('scim_client')
    .set({ name, settings: JSON.stringify(settings) })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

export const deleteClient = (db: Db, id: string) =>
  db.deleteFrom('scim_client').where('id', '=', id).returning('id').executeTakeFirst()

/** @returns the token, of which only the hash is stored; undefined if there is no such client */
export async function createToken(db: Db, id: string): Promise<string | undefined> {
  const token = `scim_${randomBytes(32).toString('base64url')}`
  const updated = await db
    .updateTable('scim_client')
    .set({ token_hash: hashOf(token), token_made_at: sql`now()` })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return updated && token
}

export const revokeToken = (db: Db, id: string) =>
  db
    .updateTable('scim_client')
    .set({ token_hash: null, token_made_at: null })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

/** Query of the persons whose accounts a client provisions. */
export const clientPersons = (id: string) =>
  sql`select person_id from account join scim_user on scim_user.account_id = account.id where scim_user.client_id = ${id}`

/** Issues with codes in the settings that do not exist. */
export async function settingsIssues(db: Db, settings: ScimSettings) {
  const { identities, identityElse, organizationElse } = settings
  const { rows } = await sql<{ identities: boolean; else: boolean; place: boolean }>`
    select (select count(*) from identity_type where code = any(${[...new Set(Object.values(identities))]}::text[]))
             = ${new Set(Object.values(identities)).size} as identities,
           exists (select from identity_type where code = ${identityElse}) as else,
           exists (select from organization where code = ${organizationElse}) as place`.execute(db)
  const [known] = rows
  return {
    ...(!known?.identities && { 'settings.identities': 'unknown' as const }),
    ...(!known?.else && { 'settings.identityElse': 'unknown' as const }),
    ...(!known?.place && { 'settings.organizationElse': 'unknown' as const }),
  }
}
