import type { passwordless } from '@atrium/contract/identity/passwordless'
import { recordAuthentication } from '#domains/identity/identity/authentication-log.ts'
import { beginSignIn } from '#domains/identity/identity/sign-in.ts'
import { isSmsLoginOn } from '#domains/identity/identity/sms-login.ts'
import { fail, Refusal } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { signIns } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { consumeCode, sendCode } from './codes.ts'
import { createNonce, requireNonce } from './nonce.ts'
import { findPersonByMobile, markVerified, normalizeMobile } from './queries.ts'

export const passwordlessHandlers: Handlers<typeof passwordless> = {
  async smsInit({ platform }) {
    await requireSmsLogin(platform)
    return { nonce: createNonce(platform) }
  },

  async smsSend({ db, platform, body, request, reply }) {
    await requireSmsLogin(platform)
    const { nonce, captcha } = body
    requireNonce(platform, nonce)
    const contact = requireMobile(body.mobile)
    const person = await findPersonByMobile(db, contact)
    const sent = await sendCode(platform, request, {
      purpose: 'signIn',
      kind: 'mobile',
      contact,
      key: nonce,
      personId: person?.personId ?? null,
      language: languageOf(request.headers['accept-language']),
      captcha,
    })
    reply.header('retry-after', String(sent.retryAfter))
    return sent
  },

  async smsLogin({ db, platform, body, request, reply }) {
    await requireSmsLogin(platform)
    const { nonce, smscode } = body
    requireNonce(platform, nonce)
    const contact = requireMobile(body.mobile)
    const person = await findPersonByMobile(db, contact)
    const refuse = async () => {
      signIns.inc({ way: 'sms', result: 'refused' })
      await recordAuthentication(db, request, {
        personId: person?.personId ?? null,
        accountId: null,
        username: person ? '' : contact,
        way: 'sms',
        result: 'refused',
      })
    }
    const { personId } = await consumeCode(platform, {
      purpose: 'signIn',
      contact,
      key: nonce,
      code: smscode.trim(),
    }).catch(async (error) => {
      if (error instanceof Refusal) await refuse()
      throw error
    })
    // The number may have been reassigned after the code was sent.
    if (!person || person.personId !== personId) {
      await refuse()
      return fail('code.wrong')
    }
    await markVerified(db, personId, 'mobile')
    if (!person.active) fail('login.not_activated')
    return beginSignIn(platform, request, reply, { way: 'sms', personId })
  },
}

async function requireSmsLogin(platform: Platform) {
  if (!(await isSmsLoginOn(platform))) fail('login.way_off')
}

function requireMobile(text: string) {
  const mobile = normalizeMobile(text)
  if (!/^\+?\d{6,15}$/.test(mobile)) fail('request.invalid', { fields: { mobile: 'format' } })
  return mobile
}
