import { isIP } from 'node:net'
import type { RelyingPartyContent } from '@atrium/contract/registry'
import type { FaultKind } from '#platform/errors.ts'
import { tokenAudience } from '#platform/guard.ts'

export type Faults = Record<string, FaultKind>

/** characters */
const longestService = 2000

/**
 * How the address of a service is compared, where a ticket is given and where it is redeemed; null where it is none. What it
 * asks for stays byte for byte: older systems write it in GBK.
 */
export function normalisedService(service: string): string | null {
  // Browsers drop tabs and line breaks inside an address; nobody writes them in good faith.
  if (service.length > longestService || /[\t\r\n]/.test(service)) return null
  if (!/^https?:\/\//i.test(service) || !URL.canParse(service)) return null
  const url = new URL(service)
  if (url.username || url.password) return null
  url.hash = ''
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((part) => !new URLSearchParams(part).has('ticket'))
    .join('&')
  return url.href
}

/**
 * What is wrong with an address of another system; nothing when it may be kept.
 * @param loopback plain http is good for this machine: a demo or a trial
 */
export function addressFault(
  address: string,
  { loopback, query = false }: { loopback: boolean; query?: boolean },
): FaultKind | undefined {
  if (!/^[\x21-\x7e\u0080-\uffff]+$/.test(address) || !URL.canParse(address)) return 'format'
  if (address.includes('\\')) return 'format'
  const url = new URL(address)
  const local = isLoopback(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local && loopback)) return 'https'
  if (!/^https?:\/\/[^/]/i.test(address)) return 'format'
  if (url.username || url.password || address.includes('#') || address.includes('*'))
    return 'plainAddress'
  if (!query && address.includes('?')) return 'plainAddress'
  // A name without a dot is a neighbour of whoever asks; a whole top-level domain is nobody's.
  if (!local && !url.hostname.replace(/\.$/, '').includes('.') && isIP(bare(url)) === 0)
    return 'format'
  return undefined
}

const bare = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')
const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** As it is stored and shown: the parsed form, so that two ways of writing one address are the same. */
export const plainAddress = (address: string) => {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

type Linked = { name: string; url: string } | undefined

/**
 * What is wrong with a system's fields.
 * @param service the service it is linked to
 * @param taken addresses of the others
 */
export function partyFaults(
  content: RelyingPartyContent,
  { loopback, service, taken }: { loopback: boolean; service: Linked; taken: ReadonlySet<string> },
): Faults {
  const faults: Faults = {}
  const note = (field: string, kind: FaultKind | undefined) => {
    if (kind) faults[field] ??= kind
  }
  if (content.serviceId && !service) note('serviceId', 'unknown')
  if (!content.name.trim() && !service) note('name', 'required')
  const own = content.addresses.map((address) =>
    addressFault(address, { loopback }) ? address : plainAddress(address),
  )
  for (const [at, address] of content.addresses.entries()) {
    const field = `addresses.${at}`
    note(field, addressFault(address, { loopback }))
    const plain = own[at] ?? ''
    if (own.indexOf(plain) < at || taken.has(plain)) note(field, 'twice')
  }
  if (own.length === 0 && service && addressFault(service.url, { loopback, query: true }))
    note('addresses', 'required')
  if (own.length === 0 && !service && content.redirectUris.length === 0)
    note('addresses', 'required')
  for (const list of ['redirectUris', 'postLogoutRedirectUris'] as const)
    for (const [at, address] of content[list].entries()) {
      note(`${list}.${at}`, addressFault(address, { loopback, query: true }))
      if (content[list].indexOf(address) < at) note(`${list}.${at}`, 'twice')
    }
  for (const field of ['logoutUrl', 'backchannelLogoutUrl'] as const)
    if (content[field]) note(field, addressFault(content[field], { loopback, query: true }))
  if (new Set(content.attributes).size < content.attributes.length) note('attributes', 'twice')
  // Members are told why before they are asked.
  if (content.consentNeeded && content.attributes.length > 0 && !content.purpose.trim())
    note('purpose', 'required')
  // What is for the portal itself is no other system's.
  if (!/^[\x21-\x7e]*$/.test(content.audience) || content.audience === tokenAudience)
    note('audience', 'format')
  return faults
}
