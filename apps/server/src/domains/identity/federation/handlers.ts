import { randomBytes } from 'node:crypto'
import type { ErrorCode } from '@atrium/contract/errors'
import type { federation } from '@atrium/contract/identity/federation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireConfirmation } from '#domains/identity/identity/confirmation.ts'
import { checkPassword } from '#domains/identity/identity/password-login.ts'
import { listOwnAccounts, revokeSignIn } from '#domains/identity/identity/queries.ts'
import { lockPerson } from '#domains/identity/identity/revoke-person.ts'
import { type AuthResult, beginSignIn } from '#domains/identity/identity/sign-in.ts'
import { isSmsLoginOn } from '#domains/identity/identity/sms-login.ts'
import { consumeCode, sendCode } from '#domains/identity/passwordless/codes.ts'
import {
  findPersonByMobile,
  markVerified,
  normalizeMobile,
} from '#domains/identity/passwordless/queries.ts'
import { fail, Refusal } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Context, Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { casLoginAddress, casServiceUrl, validateTicket } from './cas.ts'
import { completeLogin } from './complete-login.ts'
import { type ExternalIdentity, toRefusal, UntrustedAnswerError } from './external-identity.ts'
import { consumeLogin, findLoginOwner, getLogin, storeLogin } from './logins.ts'
import {
  identifyMiniProgramUser,
  identifyOfficialAccountUser,
  officialAccountAddress,
} from './mini-program.ts'
import { notifyBindingChange } from './notices.ts'
import { openidLoginAddress, redeemCode } from './openid.ts'
import { consumePendingLogin, type PendingLogin, storePendingLogin } from './pending-login.ts'
import {
  canSignInDirectly,
  deleteIdentity,
  findIdentityOwner,
  findOffered,
  findProvider,
  listOffered,
  listOwnIdentities,
  listSessionsOf,
  markLoginUsed,
  type Provider,
} from './queries.ts'
import { recordRefusal } from './refusals.ts'
import { allowedTarget, centralLoginPath, centralProvider } from './rules.ts'
import { endSessionsByTicket, endSessionsByToken } from './single-logout.ts'
import { redeemWecomCode, wecomLoginAddress } from './wecom.ts'

export const federationHandlers: Handlers<typeof federation> = {
  async begin({ db, platform, params, query, reply }) {
    noStore(reply)
    const onwards = centralLoginPath(query.onwards, platform.origin())
    const returnTarget = allowedTarget(query.returnTarget)
    const destination = { provider: params.provider, returnTarget, onwards }
    const provider = await findOffered(db, params.provider)
    if (!provider || provider.kind === 'wechat-mini')
      return toPortal(reply, destination, { problem: 'login.way_off' })
    const pending = storePendingLogin(platform, reply, destination)
    try {
      return reply.redirect(await addressOf(platform, provider, pending), 303)
    } catch (error) {
      const { code } = toRefusal(platform, provider.code, error)
      return toPortal(reply, destination, { problem: code })
    }
  },

  async callback({ db, platform, params, request, reply }) {
    noStore(reply)
    const { search, searchParams } = new URL(request.url, platform.origin())
    const pending = consumePendingLogin(platform, request, reply, searchParams.get('state'))
    // The answer must come from the provider asked (mix-up attack, RFC 9207).
    if (!pending || pending.provider !== params.provider)
      return toPortal(reply, { provider: params.provider }, { problem: 'federation.expired' })
    const provider = await findOffered(db, pending.provider)
    if (!provider) return toPortal(reply, pending, { problem: 'login.way_off' })
    try {
      const identity = await identifyUser(platform, provider, pending, search).catch((error) =>
        recordRefusal(platform, request, provider, error),
      )
      const nonce = await storeLogin(platform, provider, identity, { reply })
      return toPortal(reply, pending, { nonce })
    } catch (error) {
      if (error instanceof Refusal) return toPortal(reply, pending, { problem: error.code })
      throw error
    }
  },

  async logoutReceived({ db, platform, params, body, reply }) {
    noStore(reply)
    const provider = await findOffered(db, params.provider)
    if (!provider) return fail('federation.refused')
    const { logoutRequest, logout_token } = body
    try {
      if (provider.kind === 'cas' && logoutRequest)
        await endSessionsByTicket(platform, logoutRequest, provider)
      else if (provider.kind === 'openid' && logout_token)
        await endSessionsByToken(platform, provider, logout_token)
      else throw new UntrustedAnswerError('it sent no logout request')
    } catch (error) {
      throw toRefusal(platform, provider.code, error)
    }
    return ''
  },

  async logoutAtReturn({ platform, body, reply }) {
    noStore(reply)
    try {
      await endSessionsByTicket(platform, body.logoutRequest ?? '')
    } catch (error) {
      throw toRefusal(platform, 'at the return route', error)
    }
    return ''
  },

  async miniProgram({ platform, query }) {
    const { code } = await miniProgramOf(platform, query.provider)
    const text = `${code}.${Date.now() + nonceMinutes * 60_000}.${randomBytes(18).toString('base64url')}`
    return { nonce: `${text}.${platform.secret.sign('mini-program', text)}` }
  },

  async miniProgramCallback({ platform, body, request }) {
    const { nonce, ...proof } = body
    const [code = '', until = '', random = '', signature = ''] = nonce.split('.')
    const isAuthentic = platform.secret.verify(
      'mini-program',
      `${code}.${until}.${random}`,
      signature,
    )
    if (!isAuthentic || !(Number(until) > Date.now())) fail('federation.expired')
    const provider = await miniProgramOf(platform, code)
    const identity = await identifyMiniProgramUser(platform, provider, proof).catch((error) =>
      recordRefusal(platform, request, provider, error),
    )
    await storeLogin(platform, provider, identity, { nonce })
    return userOf(platform, request, nonce)
  },

  userInfo: ({ platform, query, request, reply }) => {
    noStore(reply)
    return userOf(platform, request, query.nonce ?? fail('federation.expired'))
  },

  async login({ db, platform, body, request, reply }) {
    const { login, provider } = await getLogin(platform, request, body.nonce)
    const owner = (await findLoginOwner(db, login)) ?? fail('federation.not_bound')
    const proof = await consumeLogin(db, login, provider, owner, body.accountId)
    return beginSignIn(platform, request, reply, proof)
  },

  async sendCode({ db, platform, body, request, reply }) {
    await requireSms(platform)
    await getLogin(platform, request, body.nonce)
    const contact = normalizeMobile(body.mobile)
    if (!/^\+?\d{6,15}$/.test(contact)) fail('request.invalid', { fields: { mobile: 'format' } })
    const person = await findPersonByMobile(db, contact)
    const sent = await sendCode(platform, request, {
      purpose: 'signIn',
      kind: 'mobile',
      contact,
      key: body.nonce,
      personId: person?.personId ?? null,
      language: languageOf(request.headers['accept-language']),
      captcha: body.captcha,
    })
    reply.header('retry-after', String(sent.retryAfter))
    return sent
  },

  async bind({ db, platform, body, request, reply }) {
    const { login } = await getLogin(platform, request, body.nonce)
    if (await findLoginOwner(db, login)) fail('federation.bound_before')
    const proof = await proofOf(platform, request, body)
    if (!(await markLoginUsed(db, login.id, { binds: true }))) fail('federation.expired')
    return beginSignIn(platform, request, reply, { ...proof, federatedLoginId: login.id })
  },

  identities: ({ db, viewer }) => listOwnIdentities(db, viewer.personId),

  async link({ db, platform, viewer, body, request, reply }) {
    noStore(reply)
    await requireConfirmation(db, viewer)
    const { login } = await getLogin(platform, request, body.nonce)
    const owner = await findLoginOwner(db, login)
    if (owner && owner.personId !== viewer.personId) fail('federation.bound_before')
    if (!(await markLoginUsed(db, login.id, { binds: true }))) fail('federation.expired')
    await completeLogin(db, request, { loginId: login.id, personId: viewer.personId })
    // Two people may have held the same login concurrently.
    if ((await findIdentityOwner(db, login)) !== viewer.personId) fail('federation.bound_before')
    return listOwnIdentities(db, viewer.personId)
  },

  async unbind({ db, platform, viewer, params, request }) {
    await requireConfirmation(db, viewer)
    const language = languageOf(request.headers['accept-language'])
    const enabled = {
      passkeys: (await currentSettings(platform)).passkeyLogin === '1',
      sms: await isSmsLoginOn(platform),
    }
    const removed = await db.transaction().execute(async (db) => {
      // Serialises concurrent removals, so that the last one is detected.
      await lockPerson(db, viewer.personId)
      const removed = await deleteIdentity(db, viewer.personId, params.id)
      if (!removed) return fail('federation.identity_not_found')
      const remaining = await listOwnIdentities(db, viewer.personId)
      if (remaining.length === 0 && !(await canSignInDirectly(db, viewer.personId, enabled)))
        fail('federation.last_way')
      const provider = await findProvider(db, removed.providerId)
      if (provider) await notifyBindingChange(db, viewer.personId, 'unbound', provider, language)
      return removed
    })
    await endOtherSessions(platform, viewer, await listSessionsOf(db, removed))
    return listOwnIdentities(db, viewer.personId)
  },
}

const nonceMinutes = 5

async function miniProgramOf(platform: Platform, code: string | undefined): Promise<Provider> {
  const offered = (await listOffered(platform.db)).filter(({ kind }) => kind === 'wechat-mini')
  const provider = code ? offered.find((one) => one.code === code) : offered[0]
  return provider ?? fail('login.way_off')
}

/** The provider's login address. */
async function addressOf(
  platform: Platform,
  provider: Provider,
  pending: PendingLogin,
): Promise<string> {
  if (provider.kind === 'openid') return openidLoginAddress(platform, provider, pending)
  if (provider.kind === 'wecom') return wecomLoginAddress(platform, provider, pending)
  if (provider.kind === 'wechat-mp') return officialAccountAddress(platform, provider, pending)
  return casLoginAddress(
    provider,
    casServiceUrl(platform, pending, await isReturnRoute(platform, provider, pending)),
  )
}

/**
 * Whether the provider is a CAS server acting as central login, which redirects to the return route as ours does. Not
 * if the sign-in continues at our central login.
 */
async function isReturnRoute(platform: Platform, { code }: Provider, { onwards }: PendingLogin) {
  const settings = await currentSettings(platform)
  const central = centralProvider(settings, await listOffered(platform.db))
  return central?.code === code && !settings.casUrl.startsWith('/') && onwards === ''
}

/** Reads the provider's answer to the callback. */
function identifyUser(
  platform: Platform,
  provider: Provider,
  pending: PendingLogin,
  search: string,
): Promise<ExternalIdentity> {
  const fields = new URLSearchParams(search)
  if (provider.kind === 'openid') return redeemCode(platform, provider, pending, search)
  if (provider.kind === 'wecom') return redeemWecomCode(platform, provider, fields.get('code'))
  if (provider.kind === 'wechat-mp')
    return identifyOfficialAccountUser(platform, provider, fields.get('code'))
  return validateTicket(
    platform,
    provider,
    casServiceUrl(platform, pending, false),
    fields.get('ticket'),
  )
}

async function userOf(platform: Platform, request: FastifyRequest, nonce: string) {
  const { login, provider } = await getLogin(platform, request, nonce)
  const owner = await findLoginOwner(platform.db, login)
  const accounts = owner ? await listOwnAccounts(platform.db, owner.personId) : []
  return {
    nonce,
    provider: provider.code,
    providerName: provider.name,
    providerNameEn: provider.nameEn,
    display: login.display,
    bound: owner !== undefined,
    accounts: owner?.accountId
      ? accounts.filter(({ accountId }) => accountId === owner.accountId)
      : accounts,
  }
}

type Binding = Context<typeof federation.bind>['body']

/** Proves the person's identity by a password or an SMS code. */
async function proofOf(
  platform: Platform,
  request: FastifyRequest,
  body: Binding,
): Promise<AuthResult> {
  const { nonce, username, password, captcha, mobile, smscode } = body
  if (username && password) return checkPassword(platform, request, username, password, captcha)
  if (!mobile || !smscode)
    return fail('request.invalid', { fields: { [username ? 'password' : 'username']: 'required' } })
  await requireSms(platform)
  const contact = normalizeMobile(mobile)
  const { personId } = await consumeCode(platform, {
    purpose: 'signIn',
    contact,
    key: nonce,
    code: smscode.trim(),
  })
  const person = await findPersonByMobile(platform.db, contact)
  // The number may have been reassigned after the code was sent.
  if (!person || person.personId !== personId) return fail('code.wrong')
  await markVerified(platform.db, personId, 'mobile')
  if (!person.active) fail('login.not_activated')
  return { way: 'sms', personId }
}

async function requireSms(platform: Platform) {
  if ((await currentSettings(platform)).smsLogin !== '1') fail('login.way_off')
}

/** Ends the sessions opened with an unlinked login, except the current sign-in. */
async function endOtherSessions(
  platform: Platform,
  viewer: Member,
  sessions: readonly { id: string; accountId: string }[],
) {
  for (const { id } of sessions) {
    if (id === viewer.sessionId || (await isSameSignIn(platform, id, viewer.sessionId))) continue
    for (const ended of await revokeSignIn(platform.db, id, 'member'))
      platform.guard.forgetSession(ended)
  }
}

async function isSameSignIn({ db }: Platform, sessionId: string, otherId: string) {
  const rows = await db
    .selectFrom('session')
    .select((select) => select.fn.coalesce('central_session_id', 'id').as('signIn'))
    .where('id', 'in', [sessionId, otherId])
    .execute()
  return new Set(rows.map(({ signIn }) => signIn)).size === 1
}

/** Redirects to the portal page that continues. The nonce is in the fragment, which is not logged. */
function toPortal(
  reply: FastifyReply,
  { provider = '', returnTarget = '', onwards = '' }: Partial<PendingLogin>,
  outcome: { nonce: string } | { problem: ErrorCode },
) {
  const search = returnTarget ? `?${new URLSearchParams({ returnTarget })}` : ''
  const fields = new URLSearchParams({ ...outcome, provider, ...(onwards && { onwards }) })
  return reply.redirect(`/pages/login/bindAccount${search}#${fields}`, 303)
}

const noStore = (reply: FastifyReply) =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
