import type { IncomingHttpHeaders } from 'node:http'
import type { ConfigKey } from '@atrium/contract/config-keys'

/**
 * The prefix of a registered address: siblings of a file (`/app/index.html`) belong to it, siblings of a folder do not.
 */
export function folderOf(address: string): string {
  if (!URL.canParse(address)) return address
  const { origin, pathname } = new URL(address)
  return origin + pathname.replace(/[^/]*\.[^/]*$/, '')
}

/** Addresses in the configuration that open inside the app: logins, tabs, web page screens, and sign-on targets. */
export function operatorAddresses(settings: Record<ConfigKey, string>): string[] {
  const hosts = textsOf(settings.casHosts).map((host) =>
    host.includes('://') ? host : `https://${host}`,
  )
  const tabs = (JSON.parse(settings.footTabs) as unknown[]).flatMap((tab) =>
    textsOf([(tab as { externalUrl?: unknown } | null)?.externalUrl]),
  )
  const pages = [settings.newsUrl, settings.newtaskUrl, settings.scheduleUrl]
  const signedOn = [
    ...textsOf(settings.casArry),
    ...Object.keys(JSON.parse(settings.authCollects) as object),
  ]
  return [...hosts, ...signedOn, ...[...tabs, ...pages].filter(Boolean).map(folderOf)]
}

/** A list in the settings may contain anything. */
function textsOf(list: unknown): string[] {
  const items: unknown = typeof list === 'string' ? JSON.parse(list) : list
  return Array.isArray(items) ? items.filter((item) => typeof item === 'string') : []
}

/**
 * Whether a site's response allows our origin to frame it. X-Frame-Options counts only without `frame-ancestors`
 * (https://www.w3.org/TR/CSP3/#frame-ancestors-and-frame-options).
 */
export function allowsFraming(headers: IncomingHttpHeaders, site: URL, ours: URL): boolean {
  const policies = textOf(headers['content-security-policy']).split(',')
  const lists = policies.flatMap((policy) => frameAncestors(policy) ?? [])
  if (lists.length > 0)
    return lists.every((sources) => sources.some((source) => admits(source, site, ours)))
  const options = textOf(headers['x-frame-options']).toLowerCase().split(',')
  // We never share the site's origin, and browsers ignore other values.
  return !options.some((option) => ['deny', 'sameorigin'].includes(option.trim()))
}

const textOf = (header: string | string[] | undefined) => [header ?? ''].flat().join(',')

/** The sources of a policy's `frame-ancestors` as a single-item list; undefined if it has none. */
function frameAncestors(policy: string): string[][] | undefined {
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.trim().toLowerCase().split(/\s+/)
    if (name === 'frame-ancestors') return [sources]
  }
  return undefined
}

function admits(source: string, site: URL, ours: URL): boolean {
  if (source === '*') return true
  if (source === "'self'") return site.origin === ours.origin
  if (/^[a-z][a-z0-9+.-]*:$/.test(source)) return sameScheme(source, ours)
  const [, scheme, host = '', port] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d+|\*))?(?:\/.*)?$/.exec(
      source,
    ) ?? []
  if (!host) return false
  // A source without a scheme uses the site's.
  if (!sameScheme(scheme ?? site.protocol, ours)) return false
  const wanted = host.startsWith('*') ? host.slice(1) : undefined
  if (wanted === undefined ? host !== ours.hostname : !ours.hostname.endsWith(wanted)) return false
  return port === '*' || (port ?? defaultPort(ours)) === (ours.port || defaultPort(ours))
}

/** http in a policy also matches https. */
const sameScheme = (scheme: string, { protocol }: URL) =>
  scheme === protocol || (scheme === 'http:' && protocol === 'https:')
const defaultPort = ({ protocol }: URL) => (protocol === 'https:' ? '443' : '80')
