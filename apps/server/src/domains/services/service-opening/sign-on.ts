import type { Launch } from '@atrium/contract/services/service-opening'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import type { TokenTransport } from '#domains/services/services/token-accept.ts'
import { issueJumpToken, jumpSeconds } from '#domains/sso/consent/jump.ts'
import { mayUseService } from '#domains/sso/consent/queries.ts'
import { findPartyAt, type Party } from '#domains/sso/registry/parties.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { cookieDomain, withQueryParameter } from './rules.ts'

export type SignOn = {
  viewer: Member
  /** possible terminal codes; undefined: not given */
  terminals: readonly string[] | undefined
  /** may get a Set-Cookie header */
  reply: FastifyReply
  /** a web address of another origin */
  url: string
  ways: readonly TokenTransport[]
  settings: Settings
  /** which registered systems get a token; by default those of services the viewer may use */
  only?: (party: Party) => boolean
}

type SignOnResult = {
  /** the address to open, including the token if it is passed there; for `cas` the central login */
  url: string
  /** to be sent by a host app */
  tokens: Launch['tokens']
  /** set if consent is missing; no token was issued */
  consentDue?: Party
}

/**
 * Tells the system at an address who the member is: by the central login, or with a token for that system only, if it
 * is registered and the member has consented. A host app sends headers and cookies itself; in a browser, a cookie works
 * only within one domain, otherwise the token goes into the address.
 */
export async function signOn(
  platform: Platform,
  { viewer, terminals, reply, url: address, ways: transports, settings, only }: SignOn,
): Promise<SignOnResult> {
  if (transports.some(({ tokenType }) => tokenType === 'cas'))
    return {
      url: withQueryParameter(
        settings.casUrl ? loginOf(settings.casUrl) : `${platform.origin()}/cas/login`,
        'service',
        address,
      ),
      tokens: [],
    }
  const match = await findPartyAt(platform, address)
  const withoutToken = { url: address, tokens: [] }
  if (!match) return withoutToken
  const { party } = match
  const isAllowed = only
    ? only(party)
    : !party.serviceId || (await mayUseService(platform.db, viewer, party.serviceId))
  if (!isAllowed) return withoutToken
  const issued = await issueJumpToken(platform, viewer, party)
  if (!issued) return { ...withoutToken, consentDue: party }
  const inApp = terminals?.includes('2') ?? false
  const tokens: Launch['tokens'] = []
  let url = address
  for (const { tokenType, tokenKey } of transports) {
    if (inApp && (tokenType === 'header' || tokenType === 'cookie'))
      tokens.push({
        type: tokenType,
        key: tokenKey,
        value: issued.token,
        expiresAt: issued.expiresAt,
      })
    else if (tokenType !== 'cookie' || !setCookie(platform, reply, tokenKey, issued.token, url))
      url = withQueryParameter(url, tokenKey, issued.token)
  }
  return { url, tokens }
}

/** `casUrl` may or may not include `/login`. */
const loginOf = (casUrl: string) =>
  /\/login\/?$/.test(casUrl) ? casUrl : `${casUrl.replace(/\/+$/, '')}/login`

/** @returns whether the browser will send the cookie there */
function setCookie(
  platform: Platform,
  reply: FastifyReply,
  key: string,
  token: string,
  address: string,
) {
  const portalUrl = new URL(platform.origin())
  const service = new URL(address)
  const domain = cookieDomain(portalUrl.hostname, service.hostname)
  if (domain === undefined || service.protocol !== portalUrl.protocol) return false
  // The cookie plugin is not registered for service requests, so the header is set directly.
  reply.header(
    'set-cookie',
    fastifyCookie.serialize(key, token, {
      ...(domain && { domain }),
      path: '/',
      httpOnly: true,
      secure: portalUrl.protocol === 'https:',
      sameSite: 'lax',
      maxAge: jumpSeconds,
    }),
  )
  return true
}
