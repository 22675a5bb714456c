import { isOwnPath } from '@atrium/contract/own-path'
import type { IssueKind } from '#platform/http/errors.ts'
import { namesClosedNetwork } from '#platform/outbound/outbound.ts'

/** A screen of the portal, as `launch` reads it. */
const screen =
  /^(pages|pagesA|page|study-center|addressBook|onlineSend)\/|^(addressList|onlineSend)$/

/**
 * What is wrong with the address of a service; nothing when it may be kept. One of this machine or the inner network is
 * refused unless it was opened.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 */
export function serviceAddressIssue(
  address: string,
  allow: string | undefined,
): IssueKind | undefined {
  // Browsers drop tabs and line breaks inside an address, and read a backslash as a slash.
  if (address.length > 2000 || /[\p{Cc}\p{Cf}\s\\]/u.test(address)) return 'format'
  const own = screen.test(address) ? `/${address}` : address
  if (own.startsWith('/')) return isOwnPath(own) ? undefined : 'format'
  if (!/^https?:\/\/[^/?#]/i.test(address) || !URL.canParse(address)) return 'format'
  const url = new URL(address)
  if (url.username || url.password) return 'credentials'
  return namesClosedNetwork(url, allow) ? 'closed' : undefined
}
