import type {
  Account,
  Configuration,
  FindAccount,
  KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'

import { revokeSession } from '#domains/identity/identity/queries.ts'
import { isConsentDue, isCoveredByConsent, recordRelease } from '#domains/sso/consent/queries.ts'
import { findParty, type Party } from '#domains/sso/registry/parties.ts'
import { verifySecret } from '#domains/sso/registry/secrets.ts'
import { insertPartySession } from '#domains/sso/registry/single-logout.ts'
import { defineState } from '#platform/area-state.ts'
import type { Platform } from '#platform/platform.ts'
import { adapterOf } from './adapter.ts'
import { allowedClaims, attributesForScopes, scopeClaims } from './clients.ts'
import { defaultIntegration, integrationAt } from './integrations.ts'
import { openidPath } from './issuer.ts'
import { invalidRequestPage, logoutQuestion, signedOutPage } from './pages.ts'
import { fetchKeys, mayIntrospect, pairwiseSub } from './protocol.ts'
import { findMember } from './queries.ts'

type Library = typeof import('oidc-provider')

/** `acr`: whether one factor or a second one was used. */
export const acrValues = {
  single: 'urn:atrium:acr:single-factor',
  strong: 'urn:atrium:acr:multi-factor',
}

/** Lifetimes in seconds. A refresh token ends with its session unless the member has agreed to offline access. */
const ttl = {
  AuthorizationCode: 60,
  AccessToken: 60 * 60,
  // Cannot be revoked.
  ClientCredentials: 10 * 60,
  IdToken: 60 * 60,
  Interaction: 60 * 60,
  RefreshToken: 14 * 86_400,
  Grant: 90 * 86_400,
  Session: 90 * 86_400,
}

const signingAlgorithms = {
  idTokenSigningAlgValues: ['ES256', 'RS256'],
  userinfoSigningAlgValues: ['ES256'],
  requestObjectSigningAlgValues: ['ES256'],
  introspectionSigningAlgValues: ['ES256'],
  authorizationSigningAlgValues: ['ES256'],
  clientAuthSigningAlgValues: ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'],
  attestSigningAlgValues: ['ES256'],
  dPoPSigningAlgValues: ['ES256'],
} satisfies Configuration['enabledJWA']

const openedOf = defineState<{ stamp?: string; provider?: Promise<Provider> }>(() => ({}))

/**
 * The provider with the current keys; like everything of ours it signs with the newest. Its code is loaded by the first
 * request, because many institutions do not use it.
 */
export function providerOf(platform: Platform): Promise<Provider> {
  const keys = platform.keys.privateJwks()
  const stamp = keys.map(({ kid }) => kid).join(' ')
  const opened = openedOf(platform)
  if (opened.provider && opened.stamp === stamp) return opened.provider
  const provider = openProvider(platform, keys)
  Object.assign(opened, { stamp, provider })
  return provider
}

async function openProvider(
  platform: Platform,
  keys: ReturnType<Platform['keys']['privateJwks']>,
): Promise<Provider> {
  const library = await import('oidc-provider')
  const secure = platform.origin().startsWith('https:')
  const cookie = (name: string) => (secure ? `__Secure-${name}` : name)
  // `lax`, because other sites link here and the cookies must be sent.
  const cookieOptions = { path: openidPath, sameSite: 'lax', httpOnly: true, secure } as const
  const provider = new library.Provider(platform.origin() + openidPath, {
    adapter: adapterOf(platform, library.errors),
    jwks: { keys: keys as never },
    cookies: {
      names: {
        session: cookie('OP-atrium'),
        interaction: cookie('OI-atrium'),
        resume: cookie('OR-atrium'),
      },
      keys: [platform.secret.sign('openid-cookies', '1')],
      long: cookieOptions,
      short: cookieOptions,
    },
    claims: scopeClaims as never,
    scopes: ['openid', 'profile', 'email', 'phone', 'offline_access'],
    acrValues: Object.values(acrValues),
    subjectTypes: ['public', 'pairwise'],
    pairwiseIdentifier: (_ctx, accountId, client) => pairwiseSub(platform, client, accountId),
    responseTypes: ['code'],
    enabledJWA: signingAlgorithms,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    fetch: (address) => fetchKeys(platform, address),
    pkce: { required: () => true },
    conformIdTokenClaims: true,
    expiresWithSession: (_ctx, source) => !source.scopes.has('offline_access'),
    // It ends with the session, so no scope is needed; one that outlives it needs `offline_access`.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl,
    features: featuresOf(platform, library),
    discovery: { claims_parameter_supported: false },
    interactions: {
      url: (_ctx, { uid }) => `${openidPath}/interaction/${uid}`,
      policy: policyOf(platform, library),
    },
    loadExistingGrant: (ctx) => grantOf(platform, ctx),
    findAccount: (ctx, accountId, token) => accountOf(platform, ctx, accountId, token),
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin),
    renderError: (ctx, out, error) => invalidRequestPage(platform, ctx, out, error),
  })

  // Trusts the forwarded headers, which mount.ts sets from our configuration; TLS ends in front of us.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = async function (
    this: { clientId: string },
    given: string,
  ) {
    const asking = await findParty(platform, this.clientId)
    return asking !== undefined && verifySecret(asking, given)
  } as never
  // All logout notices go through one queue, however a session ended.
  provider.Client.prototype.backchannelLogout = async () => {}

  provider.use(async (ctx, next) => {
    await next()
    const oidc = ctx.oidc as KoaContextWithOIDC['oidc'] | undefined
    if (ctx.status >= 400 || !oidc) return
    if (oidc.route === 'token') await noteTelling(platform, ctx as KoaContextWithOIDC)
    if (oidc.route === 'end_session_confirm' && oidc.params?.logout)
      await endSession(platform, ctx as KoaContextWithOIDC)
  })
  provider.on('server_error', (_ctx, error) =>
    platform.log.error({ err: error }, 'error in the OpenID provider'),
  )
  return provider
}

const featuresOf = (platform: Platform, library: Library): Configuration['features'] => ({
  devInteractions: { enabled: false },
  revocation: { enabled: true },
  clientCredentials: { enabled: true },
  introspection: {
    enabled: true,
    allowedPolicy: (ctx, client, token) => mayIntrospect(platform, ctx, client, token),
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: (ctx) => defaultIntegration(platform, library.errors, ctx) as Promise<string>,
    getResourceServerInfo: (ctx, resource) =>
      integrationAt(platform, library.errors, ctx, resource),
    useGrantedResource: () => false,
  },
  backchannelLogout: { enabled: true },
  pushedAuthorizationRequests: { enabled: false },
  dPoP: { enabled: false },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) => logoutQuestion(platform, ctx, form),
    postLogoutSuccessSource: (ctx) => signedOutPage(platform, ctx),
  },
})

/** The grant of this session for a client, extended by the scopes requested now. */
async function grantOf(platform: Platform, ctx: KoaContextWithOIDC) {
  const { client, session, params } = ctx.oidc
  if (!client || !session?.accountId) return undefined
  const known = session.grantIdFor(client.clientId)
  const found = known ? await ctx.oidc.provider.Grant.find(known) : undefined
  const grant =
    found ??
    new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  // The registry and the member's consent decide on every release what a system receives.
  const asking = await partyOf(platform, ctx)
  const scopes = String(params?.scope ?? '').split(' ')
  const told = scopes.filter((scope) => scope !== 'offline_access' || asking.offlineAccess)
  grant.addOIDCScope(told.join(' '))
  await grant.save()
  return grant
}

/** A member as the requesting system may see them. */
async function accountOf(
  platform: Platform,
  ctx: KoaContextWithOIDC,
  accountId: string,
  token: Parameters<FindAccount>[2],
): Promise<Account | undefined> {
  const member = await findMember(platform.db, accountId)
  if (!member) return undefined
  const asking = await partyOf(platform, ctx)
  // Withdrawn consent invalidates the tokens based on it.
  if (token && (!asking || !(await isCoveredByConsent(platform.db, asking, accountId, token))))
    return undefined
  return {
    accountId,
    async claims() {
      const allowed = allowedClaims(asking?.attributes ?? [])
      const told = Object.entries({ ...member, accountId }).filter(
        ([claim, value]) => allowed.has(claim) && value !== null && String(value) !== '',
      )
      return {
        sub: accountId,
        ...(!asking?.pairwise && { preferred_username: member.username }),
        ...Object.fromEntries(told),
      }
    },
  }
}

const partyOf = (platform: Platform, ctx: KoaContextWithOIDC) =>
  findParty(platform, ctx.oidc.client?.clientId ?? '') as Promise<Party>

/** The member has confirmed in a system that they sign out everywhere. */
async function endSession({ db, guard }: Platform, { oidc }: KoaContextWithOIDC) {
  const { uid, accountId } = oidc.entities.Session ?? {}
  // An anonymous session is not one of ours.
  if (!uid || !accountId) return
  for (const id of await revokeSession(db, uid)) guard.forgetSession(id)
}

/** Records what a system has just received, and its session for the later logout. */
async function noteTelling(platform: Platform, { oidc }: KoaContextWithOIDC) {
  const { AuthorizationCode: code, RefreshToken: refresh } = oidc.entities
  const grant = code ?? refresh
  const party = await findParty(platform, oidc.client?.clientId ?? '')
  if (!grant?.accountId || !party) return
  await recordRelease(platform.db, {
    accountId: grant.accountId,
    partyId: party.id,
    attributes: attributesForScopes([...grant.scopes], party.attributes),
    withUsername: !party.pairwise,
  })
  if (code?.sessionUid && party.backchannelLogoutUrl)
    await insertPartySession(platform.db, {
      sessionId: code.sessionUid,
      partyId: party.id,
      protocol: 'oidc',
      sealedKey: platform.secret.encrypt(
        JSON.stringify({
          sid: code.sid,
          sub:
            oidc.client && party.pairwise
              ? pairwiseSub(platform, oidc.client, grant.accountId)
              : grant.accountId,
        }),
      ),
    })
}

/** The only interactions are sign-in and, if the registry requires it, consent. */
function policyOf(platform: Platform, { interactionPolicy }: Library) {
  const { base, Check } = interactionPolicy
  const policy = base()
  const consent = policy.get('consent')
  // `prompt=consent` stays possible for clients; otherwise we decide when consent is due.
  for (const { reason } of [...(consent?.checks ?? [])])
    if (reason !== 'consent_prompt') consent?.checks.remove(reason)
  consent?.checks.add(
    new Check('consent_due', 'the member has to agree first', 'consent_required', async (ctx) => {
      const { client, session } = ctx.oidc
      const party = await findParty(platform, client?.clientId ?? '')
      return party && session?.accountId
        ? isConsentDue(platform.db, party, session.accountId)
        : Check.REQUEST_PROMPT
    }),
  )
  return policy
}
