import type { TokenAccept } from '@atrium/contract/services'
import { matchesPrefix } from '@atrium/rules/address-prefix'
import { readWebAddress } from '@atrium/rules/web-address'

export type TokenWay = TokenAccept[number]

/** What operators have set about addresses, as the configuration keeps it. */
export type AddressSettings = {
  authCollects: string
  casArry: string
  disableCasArry: string
}

const types = ['header', 'cookie', 'url', 'cas'] as const
/** A plain link's token: in the address, as `token`. */
const plainWay: TokenWay = { tokenType: 'url', tokenKey: 'token' }
/** A name that a header, a cookie and a field of an address may have; ours and those of the browser are nobody else's. */
const isKey = (key: string) =>
  /^[a-z][\w.-]{0,59}$/i.test(key) && !/^atrium|^cookie$|^host$/i.test(key)

/** Ways as an operator wrote them: what is none is left out, what is not said is as for a plain link. */
export function readWays(given: unknown): TokenWay[] {
  if (!Array.isArray(given)) return []
  return given.flatMap((one: unknown): TokenWay[] => {
    if (typeof one !== 'object' || one === null) return []
    const { tokenType, tokenKey } = one as Record<string, unknown>
    const type = types.find((known) => known === (tokenType || plainWay.tokenType))
    const key = tokenKey || plainWay.tokenKey
    return type && typeof key === 'string' && isKey(key) ? [{ tokenType: type, tokenKey: key }] : []
  })
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
