import { isIP } from 'node:net'
import type { ProviderSettings } from '@atrium/contract/identity/federation'
import type { providerKinds } from '@atrium/contract/identity/identity'
import { isOwnPath } from '@atrium/contract/own-path'
import { matchesPrefix } from '@atrium/rules/address-prefix'
import type { IssueKind } from '#platform/http/errors.ts'
import { mayReach } from '#platform/outbound/outbound.ts'

export type Kind = (typeof providerKinds)[number]
type Field = keyof ProviderSettings

const commonFields = ['nameAttribute', 'matchUsername', 'usernameAttribute'] as const
/** Required and optional settings of each kind. */
export const settingsByKind: Record<Kind, { needs: readonly Field[]; has: readonly Field[] }> = {
  cas: { needs: ['serverUrl'], has: ['validateUrl', 'renew', 'signOutThere', ...commonFields] },
  openid: { needs: ['issuer', 'clientId'], has: ['scope', 'signOutThere', ...commonFields] },
  // WeChat users have no username, so there is nothing to match.
  'wechat-mini': {
    needs: ['appId'],
    has: ['apiUrl', 'templateId', 'templateFields', 'templatePage'],
  },
  'wechat-mp': { needs: ['appId'], has: ['apiUrl', 'templateId', 'templateFields'] },
  wecom: { needs: ['corpId', 'agentId'], has: ['apiUrl', 'matchUsername'] },
}
const needsSecret: readonly Kind[] = ['wechat-mini', 'wechat-mp', 'wecom']

const shapes: Partial<Record<Field, RegExp>> = {
  clientId: /^[\x21-\x7e]{1,255}$/,
  appId: /^wx[0-9a-f]{16}$/,
  corpId: /^w[\w-]{4,63}$/,
  templateId: /^[\w-]{10,64}$/,
  templateFields:
    /^(title|summary|app|time)=[a-z_]{1,20}\d{1,3}(,(title|summary|app|time)=[a-z_]{1,20}\d{1,3}){0,4}$/,
  templatePage: /^[\w./-]{1,200}(\?[\w=&.{}-]{0,300})?$/,
  agentId: /^\d{1,20}$/,
  scope: /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
  nameAttribute: /^[\w.:/-]{1,100}$/,
  usernameAttribute: /^[\w.:/-]{1,100}$/,
}

/** Issues with a provider's settings, by field. */
export function providerIssues(
  kind: Kind,
  settings: ProviderSettings,
  hasSecret: boolean,
): Record<string, IssueKind> {
  const { needs, has } = settingsByKind[kind]
  const issues: Record<string, IssueKind> = {}
  for (const [name, value] of Object.entries(settings) as [Field, unknown][]) {
    if (![...needs, ...has].includes(name)) issues[`settings.${name}`] = 'unknown'
    else if (typeof value === 'string' && value !== '' && !isValidSetting(name, value))
      issues[`settings.${name}`] = !addresses.includes(name)
        ? 'format'
        : value.startsWith('https://')
          ? 'plainAddress'
          : 'https'
  }
  for (const name of needs) if (!settings[name]) issues[`settings.${name}`] = 'required'
  if (needsSecret.includes(kind) && !hasSecret) issues.secret = 'required'
  return issues
}

const addresses: readonly Field[] = ['serverUrl', 'issuer', 'validateUrl', 'apiUrl']
const isValidSetting = (name: Field, value: string) =>
  addresses.includes(name) ? isExternalAddress(value) : (shapes[name]?.test(value) ?? true)

/**
 * Whether a provider address is acceptable: https, because its answers open sessions. Plain http is allowed only for an
 * IP address in the institution's own network, which DNS cannot redirect.
 */
export function isExternalAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  if (url.username || url.password || url.search || url.hash) return false
  if (url.protocol === 'https:') return true
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return url.protocol === 'http:' && isIP(host) > 0 && !mayReach(host, Number(url.port || 80), [])
}

/** Removes trailing slashes. */
export const trimSlashes = (address: string) => address.replace(/\/+$/, '')

/** The namespace in which subjects are unique; subjects of different realms are unrelated. */
export function realmOf(kind: Kind, settings: ProviderSettings): string {
  const { serverUrl = '', issuer = '', appId = '', corpId = '' } = settings
  return {
    cas: trimSlashes(serverUrl),
    openid: issuer,
    'wechat-mini': appId,
    'wechat-mp': appId,
    wecom: corpId,
  }[kind]
}

type Offered = { code: string; kind: Kind; settings: ProviderSettings }

/** The external provider that acts as central login: `casUrl` is its server, or its begin address. */
export function centralProvider<P extends Offered>(
  settings: { casUrl: string; oriCasUrl: string },
  providers: readonly P[],
): P | undefined {
  const { casUrl, oriCasUrl } = settings
  const begin = /^\/token\/federation\/begin\/([a-z0-9-]+)$/.exec(casUrl)?.[1]
  if (begin) return providers.find(({ code }) => code === begin)
  if (!casUrl || casUrl.startsWith('/')) return undefined
  // The server may also have a former address.
  return providers.find(
    ({ kind, settings: { serverUrl = '' } }) =>
      kind === 'cas' &&
      [casUrl, oriCasUrl].some(
        (address) => address && matchesPrefix(address, [trimSlashes(serverUrl)]),
      ),
  )
}

export const beginPath = (code: string) => `/token/federation/begin/${code}`

/** The sign-in address: an external login if operators configured one, else ours. */
export function centralLoginOf(
  settings: { casUrl: string; oriCasUrl: string },
  providers: readonly Offered[],
): string {
  const provider = centralProvider(settings, providers)
  return provider ? beginPath(provider.code) : '/cas/login'
}

/** The sign-in address inside WeCom; empty if none is configured. */
export function wecomLoginOf(providers: readonly Offered[]): string {
  const provider = providers.find(({ kind }) => kind === 'wecom')
  return provider ? beginPath(provider.code) : ''
}

/** Whether people may be redirected to this address for login: the provider's own host, or one of `casHosts`. */
export function mayRedirectTo(address: string, provider: string, casHosts: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(provider)) return false
  const { host, protocol } = new URL(address)
  const providerUrl = new URL(provider)
  if (host === providerUrl.host && protocol === providerUrl.protocol) return true
  return (JSON.parse(casHosts) as unknown[]).some((entry) => {
    if (typeof entry !== 'string' || protocol !== 'https:') return false
    const listed = entry.includes('://') ? entry : `https://${entry}`
    return URL.canParse(listed) && new URL(listed).host === host
  })
}

/** Whether a text is acceptable as an external name; excludes characters that storage would alter or merge. */
export const isValidName = (text: string, longest: number) =>
  text !== '' && text.length <= longest && text.isWellFormed() && !/\p{Cc}/u.test(text)

/**
 * Normalises a username sent by a provider; empty if invalid. Only ASCII letters are lowercased: under Unicode rules,
 * the Kelvin sign would become somebody's k.
 */
export function normalizeUsername(text: string): string {
  const name = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return isValidName(name, 64) && name === name.toLowerCase() ? name : ''
}

/** Normalises to one line that the database can store. */
export const normalizeDisplay = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()

/** The first value of an attribute that may be a single value or an array. */
export function firstText(value: unknown): string {
  const [first] = Array.isArray(value) ? value : [value]
  if (typeof first === 'number') return String(first)
  return typeof first === 'string' ? first.trim() : ''
}

/** Returns the address if it is our central login; otherwise empty. */
export function centralLoginPath(address: string | undefined, origin: string): string {
  if (!address || !URL.canParse(address, origin)) return ''
  const { origin: of, pathname, search } = new URL(address, origin)
  return of === origin && pathname === '/cas/login' ? pathname + search : ''
}

/** Returns the target if it is a path of ours; the portal interprets its fields. */
export const allowedTarget = (target: string | undefined): string =>
  target && isOwnPath(target.replaceAll(' ', '%20')) ? target : ''
