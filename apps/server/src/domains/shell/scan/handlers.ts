import type { ScanInfo, scan } from '@atrium/contract/shell/scan'
import { matchesPrefix } from '@atrium/rules/address-prefix'
import { readWebAddress } from '@atrium/rules/web-address'
import { querySource } from '#domains/member/personal-sources/query-source.ts'
import {
  getMemberIdentifiers,
  withCircuitBreaker,
} from '#domains/member/personal-sources/read-personal.ts'
import { knownSources } from '#domains/member/personal-sources/sources.ts'
import { listAddresses } from '#domains/services/services/queries.ts'
import { folderOf } from '#domains/shell/webview/rules.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { plainText, readScannedText } from './rules.ts'

/** Addresses with credentials are not followed: a scanned code must not sign a member in. */
const credentials = ['token', 'idToken', 'ticket']

export const scanHandlers: Handlers<typeof scan> = {
  async info({ platform, viewer, query }) {
    const text = (query.text ?? '').trim()
    return (
      (await readAddress(platform, viewer, text)) ??
      readScannedText(text) ??
      (await askSystem(platform, viewer, text)) ??
      plainText
    )
  },
  preProcess: async ({ platform, viewer, query }) =>
    (await readAddress(platform, viewer, (query.url ?? '').trim())) ?? plainText,
}

/**
 * Undefined if the text is not a web address. It is never fetched: otherwise whoever prints a code could choose what
 * the server requests.
 */
async function readAddress(
  platform: Platform,
  viewer: Viewer,
  text: string,
): Promise<ScanInfo | undefined> {
  const url = /^https?:/i.test(text) ? readWebAddress(text, platform.origin()) : undefined
  if (!url) return undefined
  const at = { ...plainText, host: url.host }
  if (credentials.some((name) => url.searchParams.has(name))) return at
  if (platform.isOwnOrigin(url.origin))
    return { ...at, kind: 'screen', href: url.pathname + url.search }
  const [service] = (await listAddresses(platform.db, viewer))
    .filter((one) => matchesPrefix(url.href, [folderOf(one.url)]))
    .sort((one, other) => folderOf(other.url).length - folderOf(one.url).length)
  if (service)
    return { ...at, kind: 'service', href: url.href, title: service.name, titleEn: service.nameEn }
  const { scanWhiteList } = await currentSettings(platform)
  const allowed = JSON.parse(scanWhiteList) as string[]
  // Check both forms: operators mean the address as written.
  if (matchesPrefix(text, allowed) && matchesPrefix(url.href, allowed))
    return { ...at, kind: 'address', href: url.href }
  return url.protocol === 'https:' ? { ...at, kind: 'leaving', href: url.href } : at
}

/** Asks a system of the institution about a code: a seat, a device, a parcel. Nothing is stored. */
async function askSystem(
  platform: Platform,
  viewer: Viewer,
  text: string,
): Promise<ScanInfo | undefined> {
  const source = viewer.signedIn ? (await knownSources(platform)).get('scan') : undefined
  if (!source || !viewer.signedIn || text === '' || text.length > 500) return undefined
  const who = { ...(await getMemberIdentifiers(platform.db, viewer.accountId)), code: text }
  const { timeZone } = await currentSettings(platform)
  const answer = await withCircuitBreaker(platform, source, (secret) =>
    querySource(
      'scan',
      source.connector,
      { secret, allow: platform.env.ATRIUM_OUTBOUND_ALLOW, who },
      timeZone,
    ),
  )
  const value = answer?.value as
    | { title: string; titleEn?: string; note?: string; url?: string; facts?: ScanInfo['facts'] }
    | null
    | undefined
  if (!value) return undefined
  const { title, titleEn = '', note = '', url = '', facts = [] } = value
  return {
    ...plainText,
    kind: 'known',
    href: url,
    host: /^https:/.test(url) ? new URL(url).host : '',
    title,
    titleEn,
    note,
    noteEn: note,
    facts,
  }
}
