import type { Releasable } from '@atrium/contract/registry'
import type { AdapterPayload } from 'oidc-provider'
import type { Party } from '#areas/registry/parties.ts'

/** What a registered system is to the provider; nothing for one that does not speak OpenID Connect. */
export function clientOf(party: Party): AdapterPayload | undefined {
  if (party.redirectUris.length === 0) return undefined
  if (!party.publicClient && !party.secretHash) return undefined
  return {
    client_id: party.code,
    client_name: party.name,
    redirect_uris: [...party.redirectUris],
    post_logout_redirect_uris: [...party.postLogoutRedirectUris],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signed_response_alg: 'ES256',
    require_auth_time: true,
    ...(party.publicClient
      ? { token_endpoint_auth_method: 'none' as const }
      : {
          token_endpoint_auth_method: 'client_secret_basic' as const,
          client_secret: party.secretHash ?? '',
        }),
    ...(party.backchannelLogoutUrl && {
      backchannel_logout_uri: party.backchannelLogoutUrl,
      backchannel_logout_session_required: true,
    }),
  }
}

/** Under which claims a system is told what it is registered for: the standard's names where it has one. */
const claimsOf = {
  name: ['name'],
  identityType: ['identityTypeCode', 'identityTypeName'],
  organization: ['organizationCode', 'organizationName'],
  email: ['email'],
  mobile: ['phone_number'],
  groups: ['groups'],
  accountId: ['accountId'],
} as const satisfies Record<Releasable, readonly string[]>

/** The claims each scope asks for. The username is told to everybody. */
export const scopeClaims = {
  openid: ['sub', 'sid'],
  profile: [
    'preferred_username',
    ...claimsOf.name,
    ...claimsOf.identityType,
    ...claimsOf.organization,
    ...claimsOf.groups,
    ...claimsOf.accountId,
  ],
  email: [...claimsOf.email],
  phone: [...claimsOf.mobile],
}

/** The claims a system may be told at all. */
export const allowedClaims = (attributes: readonly Releasable[]) =>
  new Set<string>(attributes.flatMap((attribute) => [...claimsOf[attribute]]))

/** The attributes behind the claims these scopes ask for, of those a system is registered for. */
export function attributesBehind(scopes: readonly string[], attributes: readonly Releasable[]) {
  const asked = new Set(
    scopes.flatMap((scope) => scopeClaims[scope as keyof typeof scopeClaims] ?? []) as string[],
  )
  return attributes.filter((attribute) => claimsOf[attribute].some((claim) => asked.has(claim)))
}
