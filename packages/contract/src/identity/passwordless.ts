import { get, Nullable, OneOf, post, T } from '../define.ts'
import { deviceFields, PasswordHome, SignIn } from './identity.ts'

const Mobile = T.String({
  minLength: 6,
  maxLength: 24,
  description: "number in the institution's country, or + and a country code",
})
const Nonce = T.String({ minLength: 1, maxLength: 200 })
const Code = T.String({
  pattern: '^\\s*[0-9]{6}\\s*$',
  description: 'the six digits received',
})
const captcha = T.Optional(
  T.String({ maxLength: 4000, description: 'required after login.captcha_due' }),
)

const Sent = T.Object({
  retryAfter: T.Integer({ description: 'seconds until another code can be requested' }),
})

/** Sign-in with a code sent to a mobile number. */
export const passwordless = {
  smsInit: get('/token/passwordless/smsInit', {
    summary: 'Start sign-in by SMS; returns a nonce for one sign-in within ten minutes',
    access: 'public',
    reply: T.Object({ nonce: T.String() }),
    errors: ['login.way_off'],
  }),
  smsSend: post('/token/passwordless/smsSend', {
    summary:
      'Send a code to a mobile number; the response does not reveal whether it belongs to an account',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({ mobile: Mobile, nonce: Nonce, captcha }),
    reply: Sent,
    errors: ['login.way_off', 'login.captcha_due', 'code.too_many', 'code.request_used'],
  }),
  smsLogin: post('/token/passwordless/smsLogin', {
    summary: 'Sign in with the code sent for this nonce',
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
  description: 'identifies this request in its next step; valid for 30 minutes',
})

const recovery = <const P extends 'forgotten' | 'activate'>(name: P, what: string) => ({
  begin: post(`/token/account/${name}`, {
    summary: `${what}: get the contacts a code can be sent to; the response does not reveal whether the person exists`,
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
        description: 'known contacts, masked',
      }),
    }),
  }),
  send: post(`/token/account/${name}/send`, {
    summary: `${what}: send a code to one of the contacts`,
    access: 'public',
    body: T.Object({ state, kind, captcha }),
    reply: Sent,
    errors: ['login.captcha_due', 'code.too_many', 'code.request_used'],
  }),
  check: post(`/token/account/${name}/check`, {
    summary: `${what}: verify the code; a new password may then be set within ten minutes`,
    access: 'public',
    body: T.Object({ state, kind, code: Code }),
    reply: T.Object({
      username: T.String({ description: 'for password managers' }),
      elsewhere: Nullable(PasswordHome),
    }),
    errors: ['code.wrong', 'code.request_used'],
  }),
  finish: post(`/token/account/${name}/password`, {
    summary: `${what}: set the new password, once; all sessions end and no new one starts`,
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
