import type { identity } from '@atrium/contract/identity/identity'
import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import { newCaptcha } from '#domains/identity/browsers/captcha.ts'
import { clearCookie, refreshCookie } from '#domains/identity/browsers/cookies.ts'
import { requireSameOrigin } from '#domains/identity/browsers/same-origin.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { demoPassword, demoUsernames } from './demo-accounts.ts'
import { externalLogins } from './extensions.ts'
import { deviceKeyOf } from './known-devices.ts'
import { checkPassword, isCaptchaDue } from './password-login.ts'
import { consumeStrongSignIn, consumeTicket, listAccountNames, revokeSignIn } from './queries.ts'
import { normalizeService } from './service-address.ts'
import { endReplacedSession, setRefreshCookie } from './sessions.ts'
import { beginSignIn } from './sign-in.ts'
import { isSmsLoginOn } from './sms-login.ts'

export const identityHandlers: Handlers<typeof identity> = {
  async passwordLogin({ db, platform, body, request, reply }) {
    const proof = await checkPassword(platform, request, body.username, body.password, body.captcha)
    const isStrong =
      body.mfaState !== undefined &&
      (await consumeStrongSignIn(db, body.mfaState, proof.personId)) !== undefined
    return beginSignIn(platform, request, reply, { ...proof, strong: isStrong })
  },

  async redeemTicket({ db, platform, body, request, reply }) {
    requireSameOrigin(platform, request)
    // Our own portal tickets are JWTs; this one was issued by the external server that acts as central login.
    const external = externalLogins.all().find(({ isTicket }) => isTicket(body.ticket))
    if (external) return external.redeem(platform, request, reply, body)
    const claims = await platform.keys
      .verify(body.ticket, { type: 'st+jwt', audience: null, issuer: `${platform.origin()}/cas` })
      .catch(() => fail('ticket.invalid'))
    // Consumed before the audience is compared: presented for another service, it is invalid for its own too.
    const ticket = await consumeTicket(db, String(claims.jti))
    const service = normalizeService(body.service)
    if (!ticket?.alive || ticket.service !== service || claims.aud !== service)
      fail('ticket.invalid')
    if (!isOfThisBrowser(platform, request, claims.browser)) fail('ticket.invalid')
    const idToken = String(claims.idToken)
    const member = await platform.guard.viewerOf(idToken)
    if (!member.signedIn || member.sessionId !== ticket.sessionId) fail('ticket.invalid')
    await endReplacedSession(platform, request, member.sessionId)
    await setRefreshCookie(platform, reply, member.sessionId)
    return { idToken, expiresAt: endOf(idToken), username: member.username }
  },

  async verify({ platform, body }) {
    const member = await platform.guard.viewerOf(body.token)
    if (!member.signedIn) fail('session.expired')
    const { accountId, username, name, nameEn } = member
    return { accountId, username, name, nameEn, expiresAt: endOf(body.token) }
  },

  async logout({ db, platform, viewer, reply }) {
    const [external] = externalLogins.all()
    const signedOut = `${platform.origin()}/pages/login/signedOut`
    const outsideUrl = await external?.logoutAddress(platform, viewer.sessionId, signedOut)
    // Ends all sessions of this sign-in; the services opened with them are notified.
    for (const id of await revokeSignIn(db, viewer.sessionId, 'logout'))
      platform.guard.forgetSession(id)
    clearCookie(platform, reply, refreshCookie)
    return { logoutUrl: '/cas/logout', outsideUrl: outsideUrl ?? '' }
  },

  captcha: async ({ platform }) => newCaptcha(platform),

  async configs({ db, platform, request }) {
    const settings = await currentSettings(platform)
    const smsLogin = await isSmsLoginOn(platform)
    const passkeyLogin = settings.passkeyLogin === '1'
    const [external] = externalLogins.all()
    const accounts = platform.env.ATRIUM_DEMO ? await listAccountNames(db, demoUsernames) : []
    return {
      ways: [
        'password',
        ...(smsLogin ? (['sms'] as const) : []),
        ...(passkeyLogin ? (['passkey'] as const) : []),
      ],
      smsLogin,
      passkeyLogin,
      scanLogin: settings.scanLogin !== '0',
      captchaDue: await isCaptchaDue(platform, request),
      agreementVersion: settings.agreementVersion,
      providers: (await external?.list(db)) ?? [],
      casUrl: (await external?.centralLogin(db, settings)) ?? '/cas/login',
      demoAccounts: accounts.map((account) => ({ ...account, password: demoPassword })),
    }
  },

  publicKey: async ({ platform }) => platform.keys.publicPem(),
  jwks: async ({ platform }) => platform.keys.jwks() as { keys: Record<string, unknown>[] },
}

/**
 * Whether the browser that presents a ticket is the one it was issued to: a ticket in a link sent by somebody else must
 * not sign anyone in or out (ASVS V7.6.2). A non-browser client without a device key needs the ticket only.
 */
function isOfThisBrowser(platform: Platform, request: FastifyRequest, browser: unknown) {
  const key = deviceKeyOf(platform, request)
  if (key === undefined) return request.headers['sec-fetch-site'] === undefined
  return platform.secret.verify('ticket-browser', key, String(browser))
}

/** Expiry time of a verified token, ISO 8601. */
function endOf(token: string) {
  return new Date((decodeJwt(token).exp ?? 0) * 1000).toISOString()
}
