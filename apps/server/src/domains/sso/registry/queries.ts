import type { Releasable, RelyingParty, RelyingPartyContent } from '@atrium/contract/sso/registry'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

/** Every system as stored, with the fields it inherits from its catalogue service. */
export const listPartyRows = (db: Db) =>
  db
    .selectFrom('relying_party')
    .leftJoin('service', 'service.id', 'relying_party.service_id')
    .selectAll('relying_party')
    .select([
      'service.name as service_name',
      'service.name_en as service_name_en',
      'service.url as service_url',
      'service.online as service_online',
    ])
    .orderBy('relying_party.code')
    .execute()
export type PartyRow = Awaited<ReturnType<typeof listPartyRows>>[number]

/** The operators' form of a system. */
export const toManaged = (row: PartyRow): RelyingParty => ({
  code: row.code,
  name: row.name,
  nameEn: row.name_en,
  serviceId: row.service_id,
  enabled: row.enabled,
  addresses: row.addresses,
  redirectUris: row.redirect_uris,
  postLogoutRedirectUris: row.post_logout_redirect_uris,
  logoutUrl: row.logout_url,
  backchannelLogoutUrl: row.backchannel_logout_url,
  attributes: row.attributes as Releasable[],
  purpose: row.purpose,
  purposeEn: row.purpose_en,
  consentNeeded: row.consent_needed,
  audience: row.token_audience,
  publicClient: row.public_client,
  idTokenAlg: row.id_token_alg as RelyingParty['idTokenAlg'],
  jwks: row.jwks,
  jwksUrl: row.jwks_url,
  pairwise: row.pairwise,
  offlineAccess: row.offline_access,
  integrations: row.integrations as RelyingParty['integrations'],
  attributeNames: row.attribute_names as Record<string, string>,
  hasSecret: row.secret_hash !== null,
  secretSetAt: row.secret_set_at,
  updatedAt: row.updated_at,
})

const toColumns = (content: RelyingPartyContent) => ({
  name: content.name,
  name_en: content.nameEn,
  service_id: content.serviceId ?? null,
  enabled: content.enabled,
  addresses: content.addresses,
  redirect_uris: content.redirectUris,
  post_logout_redirect_uris: content.postLogoutRedirectUris,
  logout_url: content.logoutUrl,
  backchannel_logout_url: content.backchannelLogoutUrl,
  attributes: content.attributes,
  purpose: content.purpose,
  purpose_en: content.purposeEn,
  consent_needed: content.consentNeeded,
  token_audience: content.audience,
  public_client: content.publicClient,
  id_token_alg: content.idTokenAlg,
  jwks: content.jwks,
  jwks_url: content.jwksUrl,
  pairwise: content.pairwise,
  offline_access: content.offlineAccess,
  integrations: content.integrations,
  attribute_names: JSON.stringify(content.attributeNames),
})

/** Serialises writers, so that an address is not assigned twice. */
export const lockParties = (db: Db) =>
  sql`lock table relying_party in share row exclusive mode`.execute(db)

/** @returns false if the code is taken */
export async function insertParty(db: Db, code: string, content: RelyingPartyContent) {
  const made = await db
    .insertInto('relying_party')
    .values({ code, ...toColumns(content) })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** A public client has no secret. @returns false if there is no such system */
export async function updateParty(db: Db, code: string, content: RelyingPartyContent) {
  const changed = await db
    .updateTable('relying_party')
    .set({
      ...toColumns(content),
      ...(content.publicClient && { secret_hash: null, secret_set_at: null }),
      updated_at: sql`now()`,
    })
    .where('code', '=', code)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** @returns false if there is no such system @throws 23503 if it has received members' data */
export async function deleteParty(db: Db, code: string) {
  const gone = await db
    .deleteFrom('relying_party')
    .where('code', '=', code)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

export const updateSecret = (db: Db, code: string, secretHash: string) =>
  db
    .updateTable('relying_party')
    .set({ secret_hash: secretHash, secret_set_at: sql`now()`, updated_at: sql`now()` })
    .where('code', '=', code)
    .execute()

export const findCatalogueService = (db: Db, id: string) =>
  db.selectFrom('service').select(['name', 'url']).where('id', '=', id).executeTakeFirst()
