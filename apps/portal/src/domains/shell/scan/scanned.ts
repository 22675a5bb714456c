import { matchesPrefix } from '@atrium/rules/address-prefix'
import { readWebAddress } from '@atrium/rules/web-address'

export type Scanned =
  /** One of our own screens. */
  | { is: 'screen'; href: string }
  /** An address that operators allow a scan to open. */
  | { is: 'address'; url: string }
  /** Anything else: shown, never opened automatically. */
  | { is: 'text'; text: string }

/** Addresses with these parameters sign somebody in and are not followed from a scanned picture. */
const credentials = ['token', 'idToken', 'ticket']

/** Classifies a scanned text. `whiteList` is the raw setting scanWhiteList; an unreadable one allows nothing. */
export function readScan(
  text: string,
  whiteList: string | undefined,
  origin: string,
  isScreen: (path: string) => boolean,
): Scanned {
  const url = /^\s*https?:/i.test(text) ? readWebAddress(text.trim(), origin) : undefined
  if (!url) return { is: 'text', text }
  if (url.origin === origin && isScreen(url.pathname)) {
    const signsIn = credentials.some((name) => url.searchParams.has(name))
    return signsIn ? { is: 'text', text } : { is: 'screen', href: url.pathname + url.search }
  }
  // Both forms must match: operators list addresses as written.
  return matchesPrefix(text, prefixes(whiteList)) && matchesPrefix(url.href, prefixes(whiteList))
    ? { is: 'address', url: url.href }
    : { is: 'text', text }
}

function prefixes(setting = '[]'): string[] {
  try {
    const list: unknown = JSON.parse(setting)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}
