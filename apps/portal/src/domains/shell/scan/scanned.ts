import { matchesPrefix } from '@atrium/rules/address-prefix'
import { readWebAddress } from '@atrium/rules/web-address'

export type Scanned =
  /** One of our own screens. */
  | { is: 'screen'; href: string }
  /** An address the operators allow a scan to open. */
  | { is: 'address'; url: string }
  /** Everything else: shown, never opened by itself. */
  | { is: 'text'; text: string }

/** An address that signs somebody in is followed by nobody who was only shown a picture of it. */
const credentials = ['token', 'idToken', 'ticket']

/** What a scanned text is. `whiteList` is the setting scanWhiteList as stored; one that cannot be read allows nothing. */
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
  // Both readings: what the operators meant is the address as written.
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
