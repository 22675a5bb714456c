import { isIP } from 'node:net'
import type { FaultKind } from '#platform/errors.ts'
import { mayReach, readOutboundAllow } from '#platform/outbound.ts'

/** A screen of the portal, as `launch` reads it. */
const screen =
  /^(pages|pagesA|page|study-center|addressBook|onlineSend)\/|^(addressList|onlineSend)$/

/**
 * What is wrong with the address of a service; nothing when it may be kept. Names are not looked up: many a service can be
 * found from the campus alone, and who goes there is the member's phone. An address that is none but this machine's or the
 * inner network's is refused unless it was opened.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 */
export function serviceAddressFault(
  address: string,
  allow: string | undefined,
): FaultKind | undefined {
  // Browsers drop tabs and line breaks inside an address, and read a backslash as a slash.
  if (address.length > 2000 || /[\p{Cc}\p{Cf}\s\\]/u.test(address)) return 'format'
  if (/^\/(?!\/)/.test(address) || screen.test(address)) return undefined
  if (!/^https?:\/\/[^/?#]/i.test(address) || !URL.canParse(address)) return 'format'
  const url = new URL(address)
  if (url.username || url.password) return 'credentials'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const literal = /(^|\.)localhost$/.test(host) ? '127.0.0.1' : host
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  return isIP(literal) && !mayReach(literal, port, readOutboundAllow(allow)) ? 'closed' : undefined
}
