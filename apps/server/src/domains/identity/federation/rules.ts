import { isIP } from 'node:net'
import type { ProviderSettings } from '@atrium/contract/identity/federation'
import type { providerKinds } from '@atrium/contract/identity/identity'
import { isOwnPath } from '@atrium/contract/own-path'
import { matchesPrefix } from '@atrium/rules/address-prefix'
import type { IssueKind } from '#platform/http/errors.ts'
import { mayReach } from '#platform/outbound/outbound.ts'

export type Kind = (typeof providerKinds)[number]
type Field = keyof ProviderSettings

const everybodys = ['nameAttribute', 'matchUsername', 'usernameAttribute'] as const
/** What a kind needs, and what it may have beside that. */
export const fieldsOf: Record<Kind, { needs: readonly Field[]; has: readonly Field[] }> = {
  cas: { needs: ['serverUrl'], has: ['validateUrl', 'renew', 'signOutThere', ...everybodys] },
  openid: { needs: ['issuer', 'clientId'], has: ['scope', 'signOutThere', ...everybodys] },
  // A WeChat user has no username: nothing could match.
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

/** What is wrong with a provider, by field. */
export function providerIssues(
  kind: Kind,
  settings: ProviderSettings,
  hasSecret: boolean,
): Record<string, IssueKind> {
  const { needs, has } = fieldsOf[kind]
  const issues: Record<string, IssueKind> = {}
  for (const [name, value] of Object.entries(settings) as [Field, unknown][]) {
    if (![...needs, ...has].includes(name)) issues[`settings.${name}`] = 'unknown'
    else if (typeof value === 'string' && value !== '' && !fits(name, value))
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
const fits = (name: Field, value: string) =>
  addresses.includes(name) ? isOutsideAddress(value) : (shapes[name]?.test(value) ?? true)

/**
 * An address of a login: by https, for what is said there opens sessions. Plain http is for a server inside the institution's
 * own network that is named by its number: no name server can then lead elsewhere.
 */
export function isOutsideAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  if (url.username || url.password || url.search || url.hash) return false
  if (url.protocol === 'https:') return true
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return url.protocol === 'http:' && isIP(host) > 0 && !mayReach(host, Number(url.port || 80), [])
}

/** Without a slash at the end. */
export const baseOf = (address: string) => address.replace(/\/+$/, '')

/** Where names are unique: the subject of one realm says nothing about another's. */
export function realmOf(kind: Kind, settings: ProviderSettings): string {
  const { serverUrl = '', issuer = '', appId = '', corpId = '' } = settings
  return {
    cas: baseOf(serverUrl),
    openid: issuer,
    'wechat-mini': appId,
    'wechat-mp': appId,
    wecom: corpId,
  }[kind]
}

type Offered = { code: string; kind: Kind; settings: ProviderSettings }

/** The outside login that stands for the central one: `casUrl` names its server, or where it begins with us. */
export function centralProvider<P extends Offered>(
  settings: { casUrl: string; oriCasUrl: string },
  providers: readonly P[],
): P | undefined {
  const { casUrl, oriCasUrl } = settings
  const begin = /^\/token\/federation\/begin\/([a-z0-9-]+)$/.exec(casUrl)?.[1]
  if (begin) return providers.find(({ code }) => code === begin)
  if (!casUrl || casUrl.startsWith('/')) return undefined
  // The same server may have a second name, from before.
  return providers.find(
    ({ kind, settings: { serverUrl = '' } }) =>
      kind === 'cas' &&
      [casUrl, oriCasUrl].some((address) => address && matchesPrefix(address, [baseOf(serverUrl)])),
  )
}

export const beginPath = (code: string) => `/token/federation/begin/${code}`

/** Where people are sent to sign in: an outside login where operators have set one, else ours. */
export function centralLoginOf(
  settings: { casUrl: string; oriCasUrl: string },
  providers: readonly Offered[],
): string {
  const provider = centralProvider(settings, providers)
  return provider ? beginPath(provider.code) : '/cas/login'
}

/** Where people in WeCom are sent to sign in; empty where nothing is set up for it. */
export function wecomLoginOf(providers: readonly Offered[]): string {
  const provider = providers.find(({ kind }) => kind === 'wecom')
  return provider ? beginPath(provider.code) : ''
}

/** Whether people may be sent to this address for login: the provider's own host, or one of `casHosts`. */
export function maySendTo(address: string, provider: string, casHosts: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(provider)) return false
  const { host, protocol } = new URL(address)
  const own = new URL(provider)
  if (host === own.host && protocol === own.protocol) return true
  return (JSON.parse(casHosts) as unknown[]).some((entry) => {
    if (typeof entry !== 'string' || protocol !== 'https:') return false
    const listed = entry.includes('://') ? entry : `https://${entry}`
    return URL.canParse(listed) && new URL(listed).host === host
  })
}

/** What may name somebody elsewhere: two names stay two names where it is kept. */
export const isName = (text: string, longest: number) =>
  text !== '' && text.length <= longest && text.isWellFormed() && !/\p{Cc}/u.test(text)

/**
 * The username of ours that a provider means; empty where it is none. Letters are made small as people write them: by the
 * rules of Unicode the sign of a kelvin would be somebody's k.
 */
export function plainUsername(text: string): string {
  const name = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return isName(name, 64) && name === name.toLowerCase() ? name : ''
}

/** One line that the database can hold. */
export const plainDisplay = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()

/** One text of an attribute that may come as a single value or as several. */
export function firstText(value: unknown): string {
  const [first] = Array.isArray(value) ? value : [value]
  if (typeof first === 'number') return String(first)
  return typeof first === 'string' ? first.trim() : ''
}

/** An address of our central login to go on to, or nothing. */
export function ownOnwards(given: string | undefined, origin: string): string {
  if (!given || !URL.canParse(given, origin)) return ''
  const { origin: of, pathname, search } = new URL(given, origin)
  return of === origin && pathname === '/cas/login' ? pathname + search : ''
}

/** A screen of ours to show afterwards. Which fields of it count, the portal knows. */
export const ownTarget = (given: string | undefined): string =>
  given && isOwnPath(given.replaceAll(' ', '%20')) ? given : ''
