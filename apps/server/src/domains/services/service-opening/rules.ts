import { matchesPrefix } from '@atrium/rules/address-prefix'
import { readWebAddress } from '@atrium/rules/web-address'
import {
  defaultTransport,
  readTransports,
  type TokenTransport,
} from '#domains/services/services/token-accept.ts'

/** Settings about addresses, as stored in the configuration. */
export type AddressSettings = {
  authCollects: string
  casArry: string
  disableCasArry: string
}

/** Reads `url,token,header,X-Token`: pairs of type and key. */
export function readPairs(text: string): TokenTransport[] {
  const parts = text.split(/[,;]/).map((part) => part.trim())
  const pairs = []
  for (let index = 0; index < parts.length; index += 2)
    if (parts[index]) pairs.push({ tokenType: parts[index], tokenKey: parts[index + 1] })
  return readTransports(pairs)
}

/**
 * How a token is passed to the service at this address: as configured for the service; else by the setting for the
 * longest matching prefix; else by the central login if the address is listed for it; else not at all.
 */
export function tokenTransportsFor(
  url: string,
  tokenAccept: unknown,
  settings: AddressSettings,
): TokenTransport[] {
  if (tokenAccept !== null && tokenAccept !== undefined) return readTransports(tokenAccept)
  const collects = JSON.parse(settings.authCollects) as Record<string, string>
  const [longestPrefix] = Object.keys(collects)
    .filter((prefix) => matchesPrefix(url, [prefix]))
    .sort((a, b) => b.length - a.length)
  if (longestPrefix) return readPairs(collects[longestPrefix] ?? '')
  const isListed =
    settings.disableCasArry !== '1' && matchesPrefix(url, JSON.parse(settings.casArry) as string[])
  return isListed ? [{ tokenType: 'cas', tokenKey: defaultTransport.tokenKey }] : []
}

/** Addresses with these prefixes are screens (specification, shell 2: navigation rules). */
const internal = /^\/?(pages|pagesA|page|study-center|addressBook|onlineSend)\//
/** A built-in quick service is identified by the last part of its address. */
const builtIn = /^(?:.*\/)?(addressList|onlineSend)$/

export type LaunchTarget =
  | { kind: 'internal'; url: string }
  | { kind: 'web'; url: string }
  /** never opened */
  | { kind: 'hostile' }

/** Classifies a service's address, relative to our own origin. */
export function targetOf(input: string, origin: string): LaunchTarget {
  const address = input.trim()
  const path = internal.test(address) ? address.replace(/^\/?/, '/') : address
  const isPath = /^\/(?![/\\])/.test(path)
  if (!isPath && !/^https?:\/\//i.test(path))
    return builtIn.test(address) && !/[:\\?#]/.test(address)
      ? { kind: 'internal', url: address }
      : { kind: 'hostile' }
  const url = readWebAddress(path, origin)
  if (!url) return { kind: 'hostile' }
  if (builtIn.test(address)) return { kind: 'internal', url: isPath ? path : url.href }
  if (url.origin === origin) return { kind: 'internal', url: url.pathname + url.search + url.hash }
  return isPath ? { kind: 'hostile' } : { kind: 'web', url: url.href }
}

/** Public second-level domains of countries: browsers reject cookies for them. */
const publicSuffix = /^(ac|co|com|edu|gov|net|org|or|ne|go)\.[a-z]{2}$/

/**
 * The domain of a cookie visible to both the portal and a service; empty: host-only (same host); undefined: no common
 * domain.
 */
export function cookieDomain(ownHost: string, serviceHost: string): string | undefined {
  if (ownHost === serviceHost) return ''
  if (/^[\d.]+$|:/.test(ownHost) || !ownHost.includes('.')) return undefined
  if (serviceHost.endsWith(`.${ownHost}`)) return ownHost
  const parent = ownHost.slice(ownHost.indexOf('.') + 1)
  if (!parent.includes('.') || publicSuffix.test(parent)) return undefined
  return serviceHost === parent || serviceHost.endsWith(`.${parent}`) ? parent : undefined
}

/** Sets a query parameter of an address. */
export function withQueryParameter(address: string, key: string, value: string) {
  const url = new URL(address)
  url.searchParams.set(key, value)
  return url.href
}
