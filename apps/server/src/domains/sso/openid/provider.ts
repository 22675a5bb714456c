import type {
  Account,
  Configuration,
  FindAccount,
  KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'

import { revokeSession } from '#domains/identity/identity/queries.ts'
import { isConsentDue, recordRelease, standsOnConsent } from '#domains/sso/consent/queries.ts'
import { findParty, type Party } from '#domains/sso/registry/parties.ts'
import { knowsSecret } from '#domains/sso/registry/secrets.ts'
import { insertPartySession } from '#domains/sso/registry/single-logout.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { adapterOf } from './adapter.ts'
import { allowedClaims, attributesBehind, scopeClaims } from './clients.ts'
import { integrationAt, onlyIntegration } from './integrations.ts'
import { openidPath } from './issuer.ts'
import { logoutQuestion, signedOutPage, wrongRequestPage } from './pages.ts'
import { fetchKeys, mayLookInto, pairwiseSub } from './protocol.ts'
import { findMember } from './queries.ts'

type Library = typeof import('oidc-provider')

/** `acr`: whether one proof of who somebody is was enough, or there was a second. */
export const acrValues = {
  single: 'urn:atrium:acr:single-factor',
  strong: 'urn:atrium:acr:multi-factor',
}

/** Seconds each thing lives. A refresh token ends with the session it came of, unless a member agreed otherwise. */
const ttl = {
  AuthorizationCode: 60,
  AccessToken: 60 * 60,
  // It cannot be called back.
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

const openedOf = definePart<{ stamp?: string; provider?: Promise<Provider> }>(() => ({}))

/**
 * The provider with the keys of now: it signs with the newest, as everything of ours is signed. Its code is loaded when the
 * first request comes: many institutions have no such service.
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
  // Other sites send members here, so cookies come along when a link is followed.
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
    // It ends with the session, so nobody has to ask for it; one that does not is asked for by `offline_access`.
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
    renderError: (ctx, out, error) => wrongRequestPage(platform, ctx, out, error),
  })

  // Our address is configured, and never read from a request; what stands in front of us has ended TLS.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = async function (
    this: { clientId: string },
    given: string,
  ) {
    const asking = await findParty(platform, this.clientId)
    return asking !== undefined && knowsSecret(asking, given)
  } as never
  // Everybody is told by one queue, whichever way a session ended.
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
    platform.log.error({ err: error }, 'the OpenID provider met an error'),
  )
  return provider
}

const featuresOf = (platform: Platform, library: Library): Configuration['features'] => ({
  devInteractions: { enabled: false },
  revocation: { enabled: true },
  clientCredentials: { enabled: true },
  introspection: {
    enabled: true,
    allowedPolicy: (ctx, client, token) => mayLookInto(platform, ctx, client, token),
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: (ctx) => onlyIntegration(platform, library.errors, ctx) as Promise<string>,
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

/** What a member has granted a system in this session, with what the system asks for now. */
async function grantOf(platform: Platform, ctx: KoaContextWithOIDC) {
  const { client, session, params } = ctx.oidc
  if (!client || !session?.accountId) return undefined
  const known = session.grantIdFor(client.clientId)
  const found = known ? await ctx.oidc.provider.Grant.find(known) : undefined
  const grant =
    found ??
    new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  // What a system is told is decided by the registry and the member's consent, at every telling.
  const asking = await partyOf(platform, ctx)
  const scopes = String(params?.scope ?? '').split(' ')
  const told = scopes.filter((scope) => scope !== 'offline_access' || asking.offlineAccess)
  grant.addOIDCScope(told.join(' '))
  await grant.save()
  return grant
}

/** A member as the system that asks may know them. */
async function accountOf(
  platform: Platform,
  ctx: KoaContextWithOIDC,
  accountId: string,
  token: Parameters<FindAccount>[2],
): Promise<Account | undefined> {
  const member = await findMember(platform.db, accountId)
  if (!member) return undefined
  const asking = await partyOf(platform, ctx)
  // Consent that was taken back ends what was given on it.
  if (token && (!asking || !(await standsOnConsent(platform.db, asking, accountId, token))))
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

/** The member has said in a system that they sign out everywhere. */
async function endSession({ db, guard }: Platform, { oidc }: KoaContextWithOIDC) {
  const { uid, accountId } = oidc.entities.Session ?? {}
  // Nobody's is no session of ours.
  if (!uid || !accountId) return
  for (const id of await revokeSession(db, uid)) guard.forgetSession(id)
}

/** Writes down what a system has just been told, and remembers its session for the logout. */
async function noteTelling(platform: Platform, { oidc }: KoaContextWithOIDC) {
  const { AuthorizationCode: code, RefreshToken: refresh } = oidc.entities
  const grant = code ?? refresh
  const party = await findParty(platform, oidc.client?.clientId ?? '')
  if (!grant?.accountId || !party) return
  await recordRelease(platform.db, {
    accountId: grant.accountId,
    partyId: party.id,
    attributes: attributesBehind([...grant.scopes], party.attributes),
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

/** A member is asked who they are, and for their consent where the registry wants it; nothing else. */
function policyOf(platform: Platform, { interactionPolicy }: Library) {
  const { base, Check } = interactionPolicy
  const policy = base()
  const consent = policy.get('consent')
  // What a system may ask for by `prompt=consent` stays; what is due without being asked for is ours to say.
  for (const { reason } of [...(consent?.checks ?? [])])
    if (reason !== 'consent_prompt') consent?.checks.remove(reason)
  consent?.checks.add(
    new Check('consent_due', 'the member has to be asked', 'consent_required', async (ctx) => {
      const { client, session } = ctx.oidc
      const party = await findParty(platform, client?.clientId ?? '')
      return party && session?.accountId
        ? isConsentDue(platform.db, party, session.accountId)
        : Check.REQUEST_PROMPT
    }),
  )
  return policy
}
