import type { identity } from '@atrium/contract/identity'
import { currentSettings } from '#areas/config/queries.ts'
import { fail } from '#platform/errors.ts'
import type { Handlers } from '#platform/serve.ts'
import { newCaptcha } from './captcha.ts'
import { normalisedService } from './central-login.ts'
import { demoPassword, demoUsernames } from './central-login-texts.ts'
import { clearCookie, refreshCookie } from './cookies.ts'
import { checkPassword, isCaptchaDue } from './password-login.ts'
import { listAccountNames, revokeSession, takeStrongSignIn, takeTicket } from './queries.ts'
import { setRefreshCookie } from './sessions.ts'
import { beginSignIn } from './sign-in.ts'

export const identityHandlers: Handlers<typeof identity> = {
  async passwordLogin({ db, platform, body, request, reply }) {
    const proof = await checkPassword(platform, request, body.username, body.password, body.captcha)
    const strong =
      body.mfaState !== undefined &&
      (await takeStrongSignIn(db, body.mfaState, proof.personId)) !== undefined
    return beginSignIn(platform, request, reply, { ...proof, strong })
  },

  async redeemTicket({ db, platform, body, reply }) {
    const service = normalisedService(body.service) ?? fail('ticket.invalid')
    const claims = await platform.keys
      .verify(body.ticket, {
        type: 'st+jwt',
        issuer: `${platform.origin()}/cas`,
        audience: service,
      })
      .catch(() => fail('ticket.invalid'))
    const taken = await takeTicket(db, String(claims.jti))
    if (!taken?.alive || taken.service !== service) fail('ticket.invalid')
    const idToken = String(claims.idToken)
    const member = await platform.guard.viewerOf(idToken)
    if (!member.signedIn || member.sessionId !== taken.sessionId) fail('ticket.invalid')
    await setRefreshCookie(platform, reply, member.sessionId)
    return { idToken, expiresAt: endOf(idToken), username: member.username }
  },

  async verify({ platform, body }) {
    const member = await platform.guard.viewerOf(body.token)
    if (!member.signedIn) fail('session.expired')
    const { accountId, username, name } = member
    return { accountId, username, name, expiresAt: endOf(body.token) }
  },

  async logout({ db, platform, viewer, reply }) {
    await revokeSession(db, viewer.sessionId, 'logout')
    platform.guard.forgetSession(viewer.sessionId)
    clearCookie(platform, reply, refreshCookie)
    return { logoutUrl: '/cas/logout' }
  },

  captcha: async ({ platform }) => newCaptcha(platform),

  async configs({ db, platform, request }) {
    const settings = await currentSettings(platform)
    const smsLogin = settings.smsLogin === '1'
    const passkeyLogin = settings.passkeyLogin === '1'
    const accounts = platform.env.ATRIUM_DEMO ? await listAccountNames(db, demoUsernames) : []
    return {
      ways: [
        'password',
        ...(smsLogin ? (['sms'] as const) : []),
        ...(passkeyLogin ? (['passkey'] as const) : []),
      ],
      smsLogin,
      passkeyLogin,
      captchaDue: await isCaptchaDue(platform, request),
      agreementVersion: settings.agreementVersion,
      casUrl: '/cas/login',
      demoAccounts: accounts.map((account) => ({ ...account, password: demoPassword })),
    }
  },

  publicKey: async ({ platform }) => platform.keys.publicPem(),
  jwks: async ({ platform }) => platform.keys.jwks() as { keys: Record<string, unknown>[] },
}

/** When a token that was verified runs out. */
function endOf(token: string) {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')
  return new Date((JSON.parse(payload) as { exp: number }).exp * 1000).toISOString()
}
