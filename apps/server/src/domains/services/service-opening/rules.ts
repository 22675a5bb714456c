import { matchesPrefix } from '@atrium/rules/address-prefix'
import { readWebAddress } from '@atrium/rules/web-address'
import { plainWay, readWays, type TokenWay } from '#domains/services/services/token-accept.ts'

/** What operators have set about addresses, as the configuration keeps it. */
export type AddressSettings = {
  authCollects: string
  casArry: string
  disableCasArry: string
}

/** `url,token,header,X-Token`: pairs of type and key. */
export function readPairs(text: string): TokenWay[] {
  const parts = text.split(/[,;]/).map((part) => part.trim())
  const pairs = []
  for (let at = 0; at < parts.length; at += 2)
    if (parts[at]) pairs.push({ tokenType: parts[at], tokenKey: parts[at + 1] })
  return readWays(pairs)
}

/**
 * How the service at this address is told who calls: as the service itself says; else as the configuration says for the
 * closest address; else by the central login where its address is listed for that; else not at all.
 */
export function waysOf(url: string, tokenAccept: unknown, settings: AddressSettings): TokenWay[] {
  if (tokenAccept !== null && tokenAccept !== undefined) return readWays(tokenAccept)
  const collects = JSON.parse(settings.authCollects) as Record<string, string>
  const [closest] = Object.keys(collects)
    .filter((prefix) => matchesPrefix(url, [prefix]))
    .sort((a, b) => b.length - a.length)
  if (closest) return readPairs(collects[closest] ?? '')
  const byLogin =
    settings.disableCasArry !== '1' && matchesPrefix(url, JSON.parse(settings.casArry) as string[])
  return byLogin ? [{ tokenType: 'cas', tokenKey: plainWay.tokenKey }] : []
}

/** Addresses that begin so are screens (specification, shell 2: navigation rules). */
const internal = /^\/?(pages|pagesA|page|study-center|addressBook|onlineSend)\//
/** The last part of a built-in quick service's address names its page. */
const marker = /^(?:.*\/)?(addressList|onlineSend)$/

export type Target =
  | { kind: 'internal'; url: string }
  | { kind: 'web'; url: string }
  /** Nothing that is ever opened. */
  | { kind: 'hostile' }

/** What the address of a service means, seen from our own origin. */
export function targetOf(given: string, origin: string): Target {
  const address = given.trim()
  const path = internal.test(address) ? address.replace(/^\/?/, '/') : address
  const isPath = /^\/(?![/\\])/.test(path)
  if (!isPath && !/^https?:\/\//i.test(path))
    return marker.test(address) && !/[:\\?#]/.test(address)
      ? { kind: 'internal', url: address }
      : { kind: 'hostile' }
  const url = readWebAddress(path, origin)
  if (!url) return { kind: 'hostile' }
  if (marker.test(address)) return { kind: 'internal', url: isPath ? path : url.href }
  if (url.origin === origin) return { kind: 'internal', url: url.pathname + url.search + url.hash }
  return isPath ? { kind: 'hostile' } : { kind: 'web', url: url.href }
}

/** Second-level names under which countries register for everybody: a cookie for all of them is nobody's. */
const shared = /^(ac|co|com|edu|gov|net|org|or|ne|go)\.[a-z]{2}$/

/**
 * The domain of a cookie that both the portal and a service see; empty: their one host; nothing: they share none.
 */
export function cookieDomain(ownHost: string, serviceHost: string): string | undefined {
  if (ownHost === serviceHost) return ''
  if (/^[\d.]+$|:/.test(ownHost) || !ownHost.includes('.')) return undefined
  if (serviceHost.endsWith(`.${ownHost}`)) return ownHost
  const parent = ownHost.slice(ownHost.indexOf('.') + 1)
  if (!parent.includes('.') || shared.test(parent)) return undefined
  return serviceHost === parent || serviceHost.endsWith(`.${parent}`) ? parent : undefined
}

/** An address with one more field. */
export function withField(address: string, key: string, value: string) {
  const url = new URL(address)
  url.searchParams.set(key, value)
  return url.href
}
