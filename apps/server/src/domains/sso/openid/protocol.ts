import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { isCoveredByConsent } from '#domains/sso/consent/queries.ts'
import { findParty } from '#domains/sso/registry/parties.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { findMember } from './queries.ts'

/** A pairwise sub: the same for clients of one host, and not traceable to the member (OpenID Connect Core, 8.1). */
export const pairwiseSub = (platform: Platform, client: Client, accountId: string) =>
  platform.secret.sign(
    'openid-pairwise',
    JSON.stringify([new URL(client.redirectUris?.[0] ?? '').host, accountId]),
  )

/** The provider's `fetch`: reads a client's keys from its registered address, under the rules for outgoing requests. */
export async function fetchKeys({ env }: Platform, address: string | URL | Request) {
  const { status, bytes, headers } = await fetchExternal(String(address), {
    allow: env.ATRIUM_OUTBOUND_ALLOW,
    seconds: 5,
    redirects: 0,
    maxBytes: 100_000,
  })
  return new Response(new Uint8Array(bytes), {
    status,
    headers: { 'content-type': headers['content-type'] ?? 'application/json' },
  })
}

type Token = {
  clientId?: string | undefined
  accountId?: string
  sessionUid?: string
  expiresWithSession?: boolean
  iat?: number
  iiat?: number
}

/** Who may introspect a token (RFC 7662): the client it was issued to, while it is still valid there. */
export async function mayIntrospect(
  platform: Platform,
  ctx: KoaContextWithOIDC,
  client: Client,
  given: object,
): Promise<boolean> {
  const token = given as Token
  if (client.clientAuthMethod === 'none' || token.clientId !== client.clientId) return false
  const { accountId } = token
  if (!accountId) return true
  const party = await findParty(platform, client.clientId)
  if (!party || !(await findMember(platform.db, accountId))) return false
  if (!(await isCoveredByConsent(platform.db, party, accountId, token))) return false
  if (!token.expiresWithSession) return true
  const session = await ctx.oidc.provider.Session.findByUid(token.sessionUid ?? '')
  return session?.accountId === accountId
}
