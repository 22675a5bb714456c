import type { Integration, Releasable } from '@atrium/contract/sso/registry'
import { matchesPrefix } from '@atrium/rules/address-prefix'
import { LRUCache } from 'lru-cache'
import { normalizeService } from '#domains/identity/identity/service-address.ts'
import { cachedRead } from '#platform/area-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { SigningAlg } from '#platform/signing-keys.ts'
import { listPartyRows, type PartyRow } from './queries.ts'
import { addressIssue, normalizeAddress } from './rules.ts'

/** A system that members can sign in to with this one, as the protocols need it: CAS, OpenID Connect, jump token. */
export type Party = {
  id: string
  /** also the OpenID Connect client_id */
  code: string
  name: string
  nameEn: string
  serviceId: string | null
  addresses: readonly string[]
  redirectUris: readonly string[]
  postLogoutRedirectUris: readonly string[]
  logoutUrl: string
  backchannelLogoutUrl: string
  attributes: readonly Releasable[]
  purpose: string
  purposeEn: string
  consentNeeded: boolean
  /** `aud` of its tokens */
  audience: string
  publicClient: boolean
  idTokenAlg: SigningAlg
  /** a JWK set; empty if there is none or it is at jwksUrl */
  jwks: string
  jwksUrl: string
  pairwise: boolean
  offlineAccess: boolean
  integrations: readonly Integration[]
  attributeNames: Readonly<Record<string, string>>
  secretHash: string | null
}

type Found = { party: Party; address: string }
type Known = {
  byCode: Map<string, Party>
  byService: Map<string, Party>
  byOrigin: Map<string, Party[]>
  /** cache by requested address: a system always uses the same few */
  found: LRUCache<string, Found | 'nobody'>
}
/** The enabled systems, cached on this node. */
const currentParties = cachedRead(['registry', 'services'], (platform) => read(platform))

async function read(platform: Platform): Promise<Known> {
  const rows = await listPartyRows(platform.db)
  const parties = rows.filter((row) => row.enabled).map((row) => toParty(platform, row))
  const byOrigin = new Map<string, Party[]>()
  for (const party of parties)
    for (const origin of new Set(party.addresses.map((address) => new URL(address).origin)))
      byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), party])
  return {
    byCode: new Map(parties.map((party) => [party.code, party])),
    byService: new Map(
      parties.flatMap((party) => (party.serviceId ? [[party.serviceId, party] as const] : [])),
    ),
    byOrigin,
    found: new LRUCache({ max: 2000 }),
  }
}

function toParty(platform: Platform, row: PartyRow): Party {
  const loopback = allowsLoopback(platform)
  const linked = row.service_url && !addressIssue(row.service_url, { loopback, query: true })
  return {
    id: row.id,
    code: row.code,
    name: row.name || (row.service_name ?? row.code),
    nameEn: row.name_en || row.service_name_en || row.name || (row.service_name ?? row.code),
    serviceId: row.service_id,
    addresses:
      row.addresses.length === 0 && linked
        ? [normalizeAddress(row.service_url ?? '')]
        : row.addresses.filter((address) => !addressIssue(address, { loopback })),
    redirectUris: row.redirect_uris,
    postLogoutRedirectUris: row.post_logout_redirect_uris,
    logoutUrl: row.logout_url,
    backchannelLogoutUrl: row.backchannel_logout_url,
    attributes: row.attributes as Releasable[],
    purpose: row.purpose,
    purposeEn: row.purpose_en || row.purpose,
    consentNeeded: row.consent_needed,
    audience: row.token_audience || row.code,
    publicClient: row.public_client,
    idTokenAlg: row.id_token_alg as SigningAlg,
    jwks: row.jwks,
    jwksUrl: row.jwks_url,
    pairwise: row.pairwise,
    offlineAccess: row.offline_access,
    integrations: row.integrations as Integration[],
    attributeNames: row.attribute_names as Record<string, string>,
    secretHash: row.secret_hash,
  }
}

/** http addresses are allowed for this machine only, and only in a demo or trial. */
export const allowsLoopback = ({ env }: Pick<Platform, 'env'>) =>
  env.ATRIUM_DEMO || !env.ATRIUM_PUBLIC_URL

/**
 * The system an address belongs to, with the normalised address to compare and redirect to; the longest match wins.
 * @param address untrusted input
 */
export async function findPartyAt(platform: Platform, address: string): Promise<Found | undefined> {
  const known = await currentParties(platform)
  const before = known.found.get(address)
  if (before) return before === 'nobody' ? undefined : before
  const found = closestTo(known, address)
  // Do not cache long addresses: anybody can send a new one each time.
  if (address.length <= 500) known.found.set(address, found ?? 'nobody')
  return found
}

function closestTo({ byOrigin }: Known, address: string): Found | undefined {
  const plain = normalizeService(address)
  if (!plain) return undefined
  let best: (Found & { length: number }) | undefined
  for (const party of byOrigin.get(new URL(plain).origin) ?? [])
    for (const prefix of party.addresses)
      if (prefix.length > (best?.length ?? -1) && matchesPrefix(plain, [prefix]))
        best = { party, address: plain, length: prefix.length }
  return best && { party: best.party, address: best.address }
}

/** By code; for OpenID Connect the client_id. */
export const findParty = async (platform: Platform, code: string) =>
  (await currentParties(platform)).byCode.get(code)

/** The system linked to a catalogue service. */
export const findPartyOfService = async (platform: Platform, serviceId: string) =>
  (await currentParties(platform)).byService.get(serviceId)
