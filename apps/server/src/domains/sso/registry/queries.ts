import type { Releasable, RelyingParty, RelyingPartyContent } from '@atrium/contract/sso/registry'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

/** Every system as operators wrote it, with what it takes over from its service of the catalogue. */
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

/** As operators see and send it. */
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

/** Of two writers at the same time the second sees what the first wrote: addresses must not be given twice. */
export const lockParties = (db: Db) =>
  sql`lock table relying_party in share row exclusive mode`.execute(db)

/** @returns whether the code was free */
export async function insertParty(db: Db, code: string, content: RelyingPartyContent) {
  const made = await db
    .insertInto('relying_party')
    .values({ code, ...toColumns(content) })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** A client that cannot keep a secret has none. @returns whether there is such a system */
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

/** @returns whether there was such a system. @throws 23503 when it was told of members */
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
