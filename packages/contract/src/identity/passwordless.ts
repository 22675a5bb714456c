import { get, Nullable, OneOf, post, T } from '../define.ts'
import { deviceFields, PasswordHome, SignIn } from './identity.ts'

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

/** Sign-in with a code sent to a mobile number. */
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
    errors: ['login.way_off', 'login.captcha_due', 'code.too_many', 'code.request_used'],
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

const kind = OneOf(['mobile', 'email'])
const state = T.String({
  minLength: 1,
  maxLength: 1000,
  description: 'names this request in its next step; half an hour',
})

const recovery = <const P extends 'forgotten' | 'activate'>(name: P, what: string) => ({
  begin: post(`/token/account/${name}`, {
    summary: `${what}: where a code can be sent to; answers alike for people nobody knows`,
    access: 'public',
    body: T.Object({
      who: T.String({
        minLength: 1,
        maxLength: 254,
        description: 'username, mobile number or mail address',
      }),
    }),
    reply: T.Object({
      state,
      contacts: T.Array(T.Object({ kind, masked: T.String() }), {
        description: 'what the institution knows, masked',
      }),
    }),
  }),
  send: post(`/token/account/${name}/send`, {
    summary: `${what}: send a code to one of these contacts`,
    access: 'public',
    body: T.Object({ state, kind, captcha }),
    reply: Sent,
    errors: ['login.captcha_due', 'code.too_many', 'code.request_used'],
  }),
  check: post(`/token/account/${name}/check`, {
    summary: `${what}: hand in the code; with it a new password may be set for ten minutes`,
    access: 'public',
    body: T.Object({ state, kind, code: Code }),
    reply: T.Object({
      username: T.String({ description: 'for the password manager' }),
      elsewhere: Nullable(PasswordHome),
    }),
    errors: ['code.wrong', 'code.request_used'],
  }),
  finish: post(`/token/account/${name}/password`, {
    summary: `${what}: set the new password, once; every session ends, and nobody is signed in by it`,
    access: 'public',
    body: T.Object({ state, newPassword: T.String({ minLength: 1, maxLength: 200 }) }),
    reply: T.Object({}),
    errors: ['code.request_used', 'account.password_refused', 'account.password_elsewhere'],
  }),
})

/** A new password for a member who forgot theirs. */
export const forgotten = recovery('forgotten', 'Forgotten password')
/** The first password of an imported member. */
export const activation = recovery('activate', 'Activation')
