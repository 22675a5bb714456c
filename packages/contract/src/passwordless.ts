import { get, post, T } from './define.ts'
import { deviceFields, SignIn } from './identity.ts'

const Mobile = T.String({
  minLength: 6,
  maxLength: 24,
  description: 'of the institution’s country, or + and the code of another one',
})
const Nonce = T.String({ minLength: 1, maxLength: 200 })
const Code = T.String({
  pattern: '^\\s*[0-9]{6}\\s*$',
  description: 'the six digits of the message',
})
const captcha = T.Optional(
  T.String({ maxLength: 4000, description: 'where login.captcha_due said so' }),
)

const Sent = T.Object({
  retryAfter: T.Integer({ description: 'seconds until another code may be asked for' }),
})

/** Signing in by a code that was sent to a mobile number. */
export const passwordless = {
  smsInit: get('/token/passwordless/smsInit', {
    summary: 'Begin to sign in by a short message: a nonce for one sign-in within ten minutes',
    access: 'public',
    reply: T.Object({ nonce: T.String() }),
    errors: ['login.way_off'],
  }),
  smsSend: post('/token/passwordless/smsSend', {
    summary: 'Send a code to a mobile number; answers alike where nobody has this number',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({ mobile: Mobile, nonce: Nonce, captcha }),
    reply: Sent,
    errors: ['login.way_off', 'code.too_many', 'code.request_used'],
  }),
  smsLogin: post('/token/passwordless/smsLogin', {
    summary: 'Sign in with the code that was sent for this nonce',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({ mobile: Mobile, smscode: Code, nonce: Nonce, ...deviceFields }),
    reply: SignIn,
    errors: ['login.way_off', 'code.wrong', 'code.request_used', 'login.not_activated'],
  }),
}
