import type { Releasable } from '@atrium/contract/sso/registry'
import type { AdapterPayload } from 'oidc-provider'
import type { Party } from '#domains/sso/registry/parties.ts'

/** The provider's client for a registered system; undefined if it does not use OpenID Connect. */
export function clientOf(party: Party): AdapterPayload | undefined {
  const signsIn = party.redirectUris.length > 0
  const calls = party.integrations.length > 0
  const authentication = authenticationOf(party)
  if (!authentication || !(signsIn || calls)) return undefined
  return {
    client_id: party.code,
    client_name: party.name,
    redirect_uris: [...party.redirectUris],
    post_logout_redirect_uris: [...party.postLogoutRedirectUris],
    response_types: signsIn ? ['code'] : [],
    grant_types: [
      ...(signsIn ? ['authorization_code', 'refresh_token'] : []),
      ...(calls ? ['client_credentials'] : []),
    ],
    id_token_signed_response_alg: party.idTokenAlg,
    ...(signsIn && { require_auth_time: true }),
    ...(party.pairwise && signsIn && { subject_type: 'pairwise' as const }),
    ...authentication,
    ...(party.backchannelLogoutUrl && {
      backchannel_logout_uri: party.backchannelLogoutUrl,
      backchannel_logout_session_required: true,
    }),
  }
}

/** Client authentication method; undefined if a confidential client has neither a secret nor a key. */
function authenticationOf(party: Party) {
  if (party.publicClient) return { token_endpoint_auth_method: 'none' as const }
  const byKey = { token_endpoint_auth_method: 'private_key_jwt' as const }
  if (party.jwks) return { ...byKey, jwks: JSON.parse(party.jwks) }
  if (party.jwksUrl) return { ...byKey, jwks_uri: party.jwksUrl }
  return party.secretHash
    ? {
        token_endpoint_auth_method: 'client_secret_basic' as const,
        client_secret: party.secretHash,
      }
    : undefined
}

/** Claims by attribute, with standard names where they exist. */
const claimsOf = {
  name: ['name'],
  identityType: ['identityTypeCode', 'identityTypeName'],
  organization: ['organizationCode', 'organizationName'],
  email: ['email', 'email_verified'],
  mobile: ['phone_number', 'phone_number_verified'],
  groups: ['groups'],
  accountId: ['accountId'],
} as const satisfies Record<Releasable, readonly string[]>

/** Claims by scope. The username is withheld only from clients with pairwise identifiers. */
export const scopeClaims = {
  openid: ['sub', 'sid', 'auth_time', 'amr', 'acr'],
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

/** All claims that a system may receive. */
export const allowedClaims = (attributes: readonly Releasable[]) =>
  new Set<string>(attributes.flatMap((attribute) => [...claimsOf[attribute]]))

/** The registered attributes of a system whose claims these scopes request. */
export function attributesForScopes(scopes: readonly string[], attributes: readonly Releasable[]) {
  const asked = new Set(
    scopes.flatMap((scope) => scopeClaims[scope as keyof typeof scopeClaims] ?? []) as string[],
  )
  return attributes.filter((attribute) => claimsOf[attribute].some((claim) => asked.has(claim)))
}
