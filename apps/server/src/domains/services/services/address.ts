import { isOwnPath } from '@atrium/contract/own-path'
import type { IssueKind } from '#platform/http/errors.ts'
import { isClosedAddress } from '#platform/outbound/outbound.ts'

/** Addresses that `launch` treats as screens of the portal. */
const portalScreen =
  /^(pages|pagesA|page|study-center|addressBook|onlineSend)\/|^(addressList|onlineSend)$/

/**
 * The issue with a service's address; undefined if valid. Addresses of this machine or the inner network are rejected
 * unless allowed.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 */
export function serviceAddressIssue(
  address: string,
  allow: string | undefined,
): IssueKind | undefined {
  // Browsers strip tabs and line breaks from addresses, and treat a backslash as a slash.
  if (address.length > 2000 || /[\p{Cc}\p{Cf}\s\\]/u.test(address)) return 'format'
  const ownPath = portalScreen.test(address) ? `/${address}` : address
  if (ownPath.startsWith('/')) return isOwnPath(ownPath) ? undefined : 'format'
  if (!/^https?:\/\/[^/?#]/i.test(address) || !URL.canParse(address)) return 'format'
  const url = new URL(address)
  if (url.username || url.password) return 'credentials'
  return isClosedAddress(url, allow) ? 'closed' : undefined
}
