import { createRemoteJWKSet, decodeJwt, customFetch as joseFetch, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import { defineState } from '#platform/area-state.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import {
  type ExternalIdentity,
  requestProvider,
  UntrustedAnswerError,
} from './external-identity.ts'
import type { PendingLogin } from './pending-login.ts'
import type { Provider } from './queries.ts'
import { firstText, isValidName, mayRedirectTo } from './rules.ts'

/** How long discovery metadata is cached, in milliseconds. */
const metadataTtlMs = 60 * 60_000
/** How long a failed discovery is not retried, in milliseconds. */
const failureTtlMs = 5000
/** Asymmetric algorithms only: with a shared secret, we could have signed the token ourselves. */
const algorithms = [
  'RS256',
  'PS256',
  'ES256',
  'ES384',
  'ES512',
  'RS384',
  'RS512',
  'PS384',
  'PS512',
  'EdDSA',
]

type CacheEntry = { until: number; configuration: Promise<openid.Configuration>; keys?: KeySet }
type KeySet = ReturnType<typeof createRemoteJWKSet>
const cacheOf = defineState(() => new Map<string, CacheEntry>())

/** The provider's authorisation address. @throws OutboundError, UntrustedAnswerError */
export async function openidLoginAddress(
  platform: Platform,
  provider: Provider,
  pending: PendingLogin,
) {
  const configuration = await configurationOf(platform, provider)
  const { settings } = provider
  const address = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl(platform, provider),
    response_type: 'code',
    scope: settings.scope || 'openid profile',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  }).href
  const { casHosts } = await currentSettings(platform)
  if (!mayRedirectTo(address, settings.issuer ?? '', casHosts))
    throw new UntrustedAnswerError(
      `it redirects to ${new URL(address).host}, which is not its own host: add that host to casHosts`,
    )
  return address
}

export const callbackUrl = (platform: Platform, { code }: Pick<Provider, 'code'>) =>
  `${platform.origin()}/token/federation/callback/${code}`

/**
 * Redeems a code and identifies the user by the signed id token.
 * @throws OutboundError, UntrustedAnswerError, openid-client's errors
 */
export async function redeemCode(
  platform: Platform,
  provider: Provider,
  pending: PendingLogin,
  search: string,
): Promise<ExternalIdentity> {
  const configuration = await configurationOf(platform, provider)
  const tokens = await openid.authorizationCodeGrant(
    configuration,
    new URL(callbackUrl(platform, provider) + search),
    {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    },
  )
  const claims = tokens.claims()
  if (!claims) throw new UntrustedAnswerError('it sent no ID token')
  return identityOf(
    provider,
    await withUserInfo(configuration, provider, tokens.access_token, claims),
  )
}

type Claims = Record<string, unknown> & { sub: string }

/** Adds claims missing from the id token from the userinfo endpoint, whose subject must match. */
async function withUserInfo(
  configuration: openid.Configuration,
  { settings }: Provider,
  accessToken: string,
  claims: Claims,
): Promise<Claims> {
  const { nameAttribute, usernameAttribute, matchUsername } = settings
  const claimNames = [
    nameAttribute || 'name',
    ...(matchUsername ? [usernameAttribute || 'preferred_username'] : []),
  ]
  if (claimNames.every((name) => claims[name] !== undefined)) return claims
  if (!configuration.serverMetadata().userinfo_endpoint) return claims
  return { ...(await openid.fetchUserInfo(configuration, accessToken, claims.sub)), ...claims }
}

function identityOf({ settings }: Provider, claims: Claims): ExternalIdentity {
  const { nameAttribute, usernameAttribute, matchUsername } = settings
  // Maximum length of `sub` (OpenID Connect Core, 2).
  if (!isValidName(claims.sub, 255))
    throw new UntrustedAnswerError('its subject is too long or not a text')
  const usernameClaim = usernameAttribute || 'preferred_username'
  // An unverified e-mail address proves nothing.
  const isTrusted = usernameClaim !== 'email' || claims.email_verified === true
  return {
    subject: claims.sub,
    display:
      firstText(claims[nameAttribute || 'name']) || firstText(claims.preferred_username) || '',
    username: matchUsername && isTrusted ? firstText(claims[usernameClaim]) : '',
    session: firstText(claims.sid) || undefined,
  }
}

/**
 * Verifies a `logout_token` and reads its session or subject (OpenID Connect Back-Channel Logout 1.0, 2.6).
 * @throws OutboundError, UntrustedAnswerError, jose's errors
 */
export async function readLogoutToken(
  platform: Platform,
  provider: Provider,
  token: string,
): Promise<{ session: string } | { subject: string }> {
  const { issuer, clientId = '' } = provider.settings
  // Checked first: a token of another issuer must not make us fetch the provider's keys.
  if (readIssuer(token) !== issuer)
    throw new UntrustedAnswerError('the token is not the provider’s')
  const { payload } = await jwtVerify(token, await keysOf(platform, provider), {
    issuer: issuer ?? '',
    audience: clientId,
    algorithms,
    maxTokenAge: '10m',
    clockTolerance: 60,
    requiredClaims: ['iat', 'jti', 'events'],
  })
  const events = payload.events as Record<string, unknown> | null
  if (
    typeof events !== 'object' ||
    events?.['http://schemas.openid.net/event/backchannel-logout'] === undefined ||
    'nonce' in payload
  )
    throw new UntrustedAnswerError('it is not a logout token')
  const session = firstText(payload.sid)
  if (session) return { session }
  if (payload.sub) return { subject: payload.sub }
  throw new UntrustedAnswerError('it names neither a subject nor a session')
}

function readIssuer(token: string) {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

async function keysOf(platform: Platform, provider: Provider): Promise<KeySet> {
  const configuration = await configurationOf(platform, provider)
  const entry = entryOf(platform, provider)
  const address = configuration.serverMetadata().jwks_uri
  if (!address) throw new UntrustedAnswerError('it has no address for its keys')
  const keys =
    entry?.keys ??
    createRemoteJWKSet(new URL(address), {
      [joseFetch]: (url, { headers }) =>
        fetchForLibrary(platform, url, { method: 'GET', headers: Object.fromEntries(headers) }),
    })
  if (entry) entry.keys = keys
  return keys
}

const keyOf = ({ id, updatedAt }: Provider) => `${id} ${updatedAt}`
const entryOf = (platform: Platform, provider: Provider) => cacheOf(platform).get(keyOf(provider))

/**
 * The provider's configuration, discovered once an hour.
 * @throws OutboundError, UntrustedAnswerError, openid-client's errors
 */
export function configurationOf(
  platform: Platform,
  provider: Provider,
): Promise<openid.Configuration> {
  const entry = entryOf(platform, provider)
  if (entry && entry.until > Date.now()) return entry.configuration
  const entries = cacheOf(platform)
  for (const key of entries.keys()) if (key.startsWith(`${provider.id} `)) entries.delete(key)
  const configuration = discover(platform, provider)
  const created: CacheEntry = { until: Date.now() + metadataTtlMs, configuration }
  entries.set(keyOf(provider), created)
  // A failure is cached briefly; until then requests fail immediately.
  configuration.catch(() => {
    created.until = Date.now() + failureTtlMs
  })
  return configuration
}

export function discover(platform: Platform, provider: Provider): Promise<openid.Configuration> {
  const { issuer = '', clientId = '' } = provider.settings
  const address = new URL(issuer)
  return openid.discovery(address, clientId, undefined, authOf(platform, provider), {
    [openid.customFetch]: (url, { method, headers, body }) =>
      fetchForLibrary(platform, url, { method, headers, body }),
    execute: [
      // Verify the signature even if the token comes directly from the provider (ASVS V6.8.2).
      openid.enableNonRepudiationChecks,
      // rules.ts decides which http addresses operators may configure.
      ...(address.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
    ],
  })
}

/**
 * With a secret, client_secret_basic by default (OpenID Connect Core, 9), else client_secret_post; without one, PKCE
 * only.
 */
function authOf(platform: Platform, provider: Provider): openid.ClientAuth {
  const secret = provider.sealedSecret ? platform.secret.decrypt(provider.sealedSecret) : undefined
  if (!secret) return openid.None()
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const auth = methods.includes('client_secret_basic')
      ? openid.ClientSecretBasic(secret)
      : openid.ClientSecretPost(secret)
    return auth(server, client, body, headers)
  }
}

async function fetchForLibrary(
  platform: Platform,
  address: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
): Promise<Response> {
  const answer = await requestProvider(platform, address, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body !== undefined && body !== null && { body: String(body) }),
  })
  const responseHeaders = new Headers()
  // The body is already decompressed.
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && name !== 'content-encoding' && name !== 'content-length')
      responseHeaders.set(name, [value].flat().join(', '))
  const empty = [204, 205, 304].includes(answer.status)
  return new Response(empty ? null : new Uint8Array(answer.bytes), {
    status: answer.status,
    headers: responseHeaders,
  })
}
