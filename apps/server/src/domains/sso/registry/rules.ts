import { isIP } from 'node:net'
import { attributeValues, type RelyingPartyContent } from '@atrium/contract/sso/registry'
import type { IssueKind } from '#platform/http/errors.ts'
import { tokenAudience } from '#platform/http/token-check.ts'

export type Issues = Record<string, IssueKind>

/** Defaults of a new system. */
export const emptyParty: RelyingPartyContent = {
  name: '',
  nameEn: '',
  serviceId: null,
  enabled: true,
  addresses: [],
  redirectUris: [],
  postLogoutRedirectUris: [],
  logoutUrl: '',
  backchannelLogoutUrl: '',
  attributes: [],
  purpose: '',
  purposeEn: '',
  consentNeeded: false,
  audience: '',
  publicClient: false,
  idTokenAlg: 'ES256',
  jwks: '',
  jwksUrl: '',
  pairwise: false,
  offlineAccess: false,
  integrations: [],
  attributeNames: {},
}

/**
 * The issue with another system's address; undefined if it is valid.
 * @param loopback allow http for this machine: a demo or a trial
 */
export function addressIssue(
  address: string,
  { loopback, query = false }: { loopback: boolean; query?: boolean },
): IssueKind | undefined {
  if (!/^[\x21-\x7e\u0080-\uffff]+$/.test(address) || !URL.canParse(address)) return 'format'
  if (address.includes('\\')) return 'format'
  const url = new URL(address)
  const local = isLoopback(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local && loopback)) return 'https'
  if (!/^https?:\/\/[^/]/i.test(address)) return 'format'
  if (url.username || url.password || address.includes('#') || address.includes('*'))
    return 'plainAddress'
  if (!query && address.includes('?')) return 'plainAddress'
  // Reject single-label names: they are local to the network, or a whole top-level domain.
  if (!local && !url.hostname.replace(/\.$/, '').includes('.') && isIP(bare(url)) === 0)
    return 'format'
  return undefined
}

const bare = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')
const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** The normalised address for storage and display, so that equal addresses compare equal. */
export const normalizeAddress = (address: string) => {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

type Linked = { name: string; url: string } | undefined

/**
 * Issues with a system's fields.
 * @param service the linked catalogue service
 * @param taken addresses of the other systems
 */
export function partyIssues(
  content: RelyingPartyContent,
  { loopback, service, taken }: { loopback: boolean; service: Linked; taken: ReadonlySet<string> },
): Issues {
  const issues: Issues = {}
  const note = (field: string, kind: IssueKind | undefined) => {
    if (kind) issues[field] ??= kind
  }
  if (content.serviceId && !service) note('serviceId', 'unknown')
  if (!content.name.trim() && !service) note('name', 'required')
  const own = content.addresses.map((address) =>
    addressIssue(address, { loopback }) ? address : normalizeAddress(address),
  )
  for (const [at, address] of content.addresses.entries()) {
    const field = `addresses.${at}`
    note(field, addressIssue(address, { loopback }))
    const plain = own[at] ?? ''
    if (own.indexOf(plain) < at || taken.has(plain)) note(field, 'twice')
  }
  if (own.length === 0 && service && addressIssue(service.url, { loopback, query: true }))
    note('addresses', 'required')
  if (
    [own, content.redirectUris, content.integrations].every((list) => list.length === 0) &&
    !service
  )
    note('addresses', 'required')
  for (const list of ['redirectUris', 'postLogoutRedirectUris'] as const)
    for (const [at, address] of content[list].entries()) {
      note(`${list}.${at}`, addressIssue(address, { loopback, query: true }))
      if (content[list].indexOf(address) < at) note(`${list}.${at}`, 'twice')
    }
  for (const field of ['logoutUrl', 'backchannelLogoutUrl', 'jwksUrl'] as const)
    if (content[field]) note(field, addressIssue(content[field], { loopback, query: true }))
  if (new Set(content.attributes).size < content.attributes.length) note('attributes', 'twice')
  // The consent page states the purpose.
  if (content.consentNeeded && content.attributes.length > 0 && !content.purpose.trim())
    note('purpose', 'required')
  // The portal's own audience must not be used by another system.
  if (!/^[\x21-\x7e]*$/.test(content.audience) || content.audience === tokenAudience)
    note('audience', 'format')
  return { ...clientIssues(content), ...issues }
}

/** Issues with the options of an OpenID Connect client and with custom names of CAS attributes. */
function clientIssues(content: RelyingPartyContent): Issues {
  const issues: Issues = {}
  const { jwks, jwksUrl, publicClient, redirectUris } = content
  if (jwks && !isKeySet(jwks)) issues.jwks = 'keySet'
  if (jwks && jwksUrl) issues.jwksUrl = 'twice'
  // A client with its own key is not public; one that makes its own calls must authenticate.
  if (publicClient && (jwks || jwksUrl || content.integrations.length > 0))
    issues.publicClient = 'keepsSecret'
  // A refresh token that outlives the session ends when consent is withdrawn, so consent is required.
  if (content.offlineAccess && !content.consentNeeded) issues.consentNeeded = 'required'
  if (content.pairwise && content.attributes.includes('accountId')) issues.attributes = 'pairwise'
  if (
    content.pairwise &&
    new Set(redirectUris.filter((uri) => URL.canParse(uri)).map(hostOf)).size > 1
  )
    issues.redirectUris = 'oneHost'
  const wanted = Object.values(content.attributeNames)
  for (const [ours, theirs] of Object.entries(content.attributeNames)) {
    const field = `attributeNames.${ours}`
    if (!(attributeValues as string[]).includes(ours)) issues[field] = 'unknown'
    else if (!/^[A-Za-z_][\w.-]{0,99}$/.test(theirs)) issues[field] = 'format'
    else if (wanted.indexOf(theirs) < wanted.lastIndexOf(theirs) || reservedNames.includes(theirs))
      issues[field] = 'twice'
  }
  return issues
}

const hostOf = (address: string) => new URL(address).host

/** Attribute names reserved by the protocol. */
const reservedNames = [
  'authenticationDate',
  'longTermAuthenticationRequestTokenUsed',
  'isFromNewLogin',
]

/** A JWK set of one to ten public signing keys. */
function isKeySet(text: string): boolean {
  try {
    const { keys } = JSON.parse(text) as { keys: Record<string, unknown>[] }
    return keys.length > 0 && keys.length <= 10 && keys.every(isPublicKey)
  } catch {
    return false
  }
}

const isPublicKey = ({ kty, crv, n, x, d, k }: Record<string, unknown>) =>
  d === undefined &&
  k === undefined &&
  ((kty === 'RSA' && typeof n === 'string' && n.length >= 342) ||
    (kty === 'EC' && crv === 'P-256' && typeof x === 'string') ||
    (kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string'))
