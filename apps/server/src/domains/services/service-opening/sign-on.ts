import type { Launch } from '@atrium/contract/services/service-opening'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import type { TokenWay } from '#domains/services/services/token-accept.ts'
import { issueJumpToken, jumpSeconds } from '#domains/sso/consent/jump.ts'
import { maySee } from '#domains/sso/consent/queries.ts'
import { findPartyAt, type Party } from '#domains/sso/registry/parties.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { cookieDomain, withField } from './rules.ts'

export type SignOn = {
  viewer: Member
  /** terminal codes the member may be on; undefined: not given */
  terminals: readonly string[] | undefined
  /** a cookie may be set on it */
  reply: FastifyReply
  /** a web address of another origin */
  url: string
  ways: readonly TokenWay[]
  settings: Settings
  /** Which registered systems get a token; those of services the viewer may use where it is left out. */
  only?: (party: Party) => boolean
}

type SignedOn = {
  /** the address to open, with the token where it goes in the address; for `cas` the central login */
  url: string
  /** for a host app to send along */
  tokens: Launch['tokens']
  /** the member has not agreed yet: no token was issued */
  consentDue?: Party
}

/**
 * Tells the system at an address who the member is: by the central login, or with a token for that system alone where it is
 * registered and the member has agreed. A header and a cookie are sent by the host app; a browser can send a cookie within
 * one domain, and otherwise the token goes in the address.
 */
export async function signOn(
  platform: Platform,
  { viewer, terminals, reply, url: address, ways, settings, only }: SignOn,
): Promise<SignedOn> {
  if (ways.some(({ tokenType }) => tokenType === 'cas'))
    return {
      url: withField(
        settings.casUrl ? loginOf(settings.casUrl) : `${platform.origin()}/cas/login`,
        'service',
        address,
      ),
      tokens: [],
    }
  const found = await findPartyAt(platform, address)
  const untold = { url: address, tokens: [] }
  if (!found) return untold
  const { party } = found
  const admitted = only
    ? only(party)
    : !party.serviceId || (await maySee(platform.db, viewer, party.serviceId))
  if (!admitted) return untold
  const made = await issueJumpToken(platform, viewer, party)
  if (!made) return { ...untold, consentDue: party }
  const inApp = terminals?.includes('2') ?? false
  const tokens: Launch['tokens'] = []
  let url = address
  for (const { tokenType, tokenKey } of ways) {
    if (inApp && (tokenType === 'header' || tokenType === 'cookie'))
      tokens.push({ type: tokenType, key: tokenKey, value: made.token, expiresAt: made.expiresAt })
    else if (tokenType !== 'cookie' || !setCookie(platform, reply, tokenKey, made.token, url))
      url = withField(url, tokenKey, made.token)
  }
  return { url, tokens }
}

/** Operators write the central login with and without its page. */
const loginOf = (casUrl: string) =>
  /\/login\/?$/.test(casUrl) ? casUrl : `${casUrl.replace(/\/+$/, '')}/login`

/** @returns whether the browser will send it there */
function setCookie(
  platform: Platform,
  reply: FastifyReply,
  key: string,
  token: string,
  address: string,
) {
  const own = new URL(platform.origin())
  const service = new URL(address)
  const domain = cookieDomain(own.hostname, service.hostname)
  if (domain === undefined || service.protocol !== own.protocol) return false
  // Written by hand: requests for services are not searched for cookies, so their replies know none.
  reply.header(
    'set-cookie',
    fastifyCookie.serialize(key, token, {
      ...(domain && { domain }),
      path: '/',
      httpOnly: true,
      secure: own.protocol === 'https:',
      sameSite: 'lax',
      maxAge: jumpSeconds,
    }),
  )
  return true
}
