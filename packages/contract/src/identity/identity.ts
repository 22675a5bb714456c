import { get, Id, OneOf, post, type Static, T, Time, Username } from '../define.ts'

export const Session = T.Object(
  {
    idToken: T.String({ description: 'ES256 JWT, valid for two hours; sent as X-Id-Token' }),
    expiresAt: Time,
    username: T.String(),
  },
  { $id: 'Session' },
)
export type Session = Static<typeof Session>

/** One of the accounts of a person. */
export const OwnAccount = T.Object(
  {
    accountId: Id,
    username: T.String(),
    name: T.String(),
    nameEn: T.String(),
    identityTypeCode: T.String(),
    identityTypeName: T.String(),
    identityTypeNameEn: T.String(),
    organizationName: T.String(),
    organizationNameEn: T.String(),
  },
  { $id: 'OwnAccount' },
)

/** Steps that may be due before a session opens, in this order. */
export const dueSteps = [
  'account',
  'secondFactor',
  'enrolment',
  'passwordChange',
  'agreement',
] as const
export type DueStep = (typeof dueSteps)[number]

/** Where the password is managed, if not in this system. */
export const PasswordHome = T.Object(
  {
    name: T.String(),
    nameEn: T.String(),
    address: T.String({ description: 'address where it is changed; empty: not configured' }),
  },
  { $id: 'PasswordHome' },
)

/** A sign-in in progress: the person is known, one more step is due. */
export const SignInStep = T.Object(
  {
    state: T.String({
      description:
        'identifies the sign-in in the next step; valid for ten minutes, for this sign-in only',
    }),
    due: OneOf(dueSteps),
    accounts: T.Array(OwnAccount, { description: 'accounts to choose from, if `due` is account' }),
    factors: T.Array(OneOf(['totp', 'passkey', 'recovery']), {
      description: 'factors the person can use, if `due` is secondFactor',
    }),
    agreementVersion: T.String({ description: 'version to accept, if `due` is agreement' }),
  },
  { $id: 'SignInStep' },
)
export type SignInStep = Static<typeof SignInStep>

/** The answer of every auth method: a session, or the step that is due. */
export const SignIn = T.Union([Session, SignInStep])
export type SignIn = Static<typeof SignIn>

/** Kinds of external login providers. */
export const providerKinds = ['cas', 'openid', 'wechat-mini', 'wechat-mp', 'wecom'] as const

/** An external login provider that members may use. */
export const LoginProvider = T.Object(
  {
    code: T.String({ description: 'the login starts at /token/federation/begin/{code}' }),
    kind: OneOf(providerKinds),
    name: T.String(),
    nameEn: T.String(),
  },
  { $id: 'LoginProvider' },
)
export type LoginProvider = Static<typeof LoginProvider>

/** Result of a ticket of an outside central login: a session, a due step, or a login not yet bound to an account. */
export const TicketAnswer = T.Union([
  Session,
  SignInStep,
  T.Object({ nonce: T.String({ description: 'of the external login, for federatedBinding' }) }),
])
export type TicketAnswer = Static<typeof TicketAnswer>

/** A proof-of-work puzzle after failed sign-ins; ALTCHA clients can solve it too. */
export const Captcha = T.Object(
  {
    algorithm: T.Literal('SHA-256'),
    challenge: T.String({ description: 'hex; SHA-256 of the salt followed by the number to find' }),
    maxnumber: T.Integer({ description: 'upper limit of the number' }),
    salt: T.String({ description: 'prefix of the number' }),
    signature: T.String(),
  },
  { $id: 'Captcha' },
)
export type Captcha = Static<typeof Captcha>

/** Base64 of the JSON {algorithm, challenge, number, salt, signature}. */
export const captchaField = T.Optional(
  T.String({
    maxLength: 1000,
    description:
      'solution of GET /token/login/captcha, valid for one attempt: base64 of the JSON {algorithm, challenge, number, salt, signature}',
  }),
)

/** Fields that old callers send with every sign-in; hints only. */
export const deviceFields = {
  appId: T.Optional(T.String({ maxLength: 100 })),
  deviceId: T.Optional(T.String({ maxLength: 100 })),
  osType: T.Optional(T.String({ maxLength: 50 })),
  geo: T.Optional(T.String({ maxLength: 200 })),
}

/** Why a directory refused a sign-in, or that it could not be reached. */
export const directoryRefusals = [
  'login.directory_unavailable',
  'login.directory_expired',
  'login.directory_must_change',
  'login.directory_disabled',
  'login.directory_locked',
] as const

export const identity = {
  passwordLogin: post('/token/password/passwordLogin', {
    summary: 'Sign in with a username and a password',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({
      username: Username,
      password: T.String({ minLength: 1, maxLength: 200 }),
      mfaState: T.Optional(
        T.String({
          maxLength: 200,
          description:
            'state of a sign-in in progress whose second factor was given; it is not requested again',
        }),
      ),
      captcha: captchaField,
      ...deviceFields,
    }),
    reply: SignIn,
    errors: [
      'login.refused',
      'login.not_activated',
      'login.too_many',
      ...directoryRefusals,
      'login.captcha_due',
      'server.unavailable',
    ],
  }),
  captcha: get('/token/login/captcha', {
    summary: 'Get a puzzle for the client to solve after login.captcha_due',
    access: 'public',
    reply: Captcha,
  }),
  redeemTicket: post('/token/login/ticket', {
    summary: 'Redeem a ticket of the central login for an id token; valid once',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({
      ticket: T.String({ minLength: 1, maxLength: 4000 }),
      service: T.String({ minLength: 1, maxLength: 2000 }),
    }),
    reply: TicketAnswer,
    errors: [
      'ticket.invalid',
      'federation.expired',
      'federation.refused',
      'federation.unavailable',
      'federation.no_account',
    ],
  }),
  verify: post('/token/login/verify', {
    summary:
      'Verify an id token received in an address: returns its member and expiry; nothing is stored',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({ token: T.String({ minLength: 1, maxLength: 4000 }) }),
    reply: T.Object({
      accountId: Id,
      username: T.String(),
      name: T.String(),
      nameEn: T.String(),
      expiresAt: Time,
    }),
    errors: ['session.expired'],
  }),
  logout: post('/token/login/logout', {
    summary: 'End the session of the id token',
    access: 'member',
    reply: T.Object({
      logoutUrl: T.String({ description: 'address that ends the central session too' }),
      outsideUrl: T.String({
        description: 'address that ends the session at the external login provider; empty: none',
      }),
    }),
  }),
  configs: get('/token/login/configs', {
    summary: 'Get the available sign-in methods',
    access: 'public',
    reply: T.Object({
      ways: T.Array(OneOf(['password', 'sms', 'passkey'])),
      smsLogin: T.Boolean(),
      passkeyLogin: T.Boolean(),
      scanLogin: T.Boolean({
        description: 'sign-in on a computer by scanning a code with a phone is available',
      }),
      captchaDue: T.Boolean({
        description:
          'the next attempt from this address requires a solution of GET /token/login/captcha',
      }),
      agreementVersion: T.String({
        description: 'version to be accepted at the next sign-in; empty: nothing to accept',
      }),
      providers: T.Array(LoginProvider, {
        description: 'external login providers, in display order',
      }),
      casUrl: T.String({ description: 'address of the central login: ours, or an external one' }),
      demoAccounts: T.Array(
        T.Object({
          username: T.String(),
          name: T.String(),
          nameEn: T.String(),
          password: T.String(),
        }),
        {
          description: 'only in the demo institution',
        },
      ),
    }),
  }),
  publicKey: get('/token/jwt/publicKey', {
    summary: 'Get the current public key of id tokens, as PEM',
    access: 'public',
    media: 'text/plain',
    reply: T.String(),
  }),
  jwks: get('/token/jwt/jwks', {
    summary: 'List all public keys with which id tokens may be signed',
    access: 'public',
    media: 'application/json',
    reply: T.Object({ keys: T.Array(T.Record(T.String(), T.Unknown())) }),
  }),
}

const state = T.String({ minLength: 1, maxLength: 200 })

/** Steps between the proof of identity and the session. Each answers a session or the next due step. */
export const signInSteps = {
  step: post('/token/login/step', {
    summary: 'Get the next step of a sign-in in progress',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({ state }),
    reply: SignIn,
    errors: ['login.state_expired', 'login.refused'],
  }),
  accountChoose: post('/token/login/accountChoose', {
    summary: "Choose one of the person's accounts, during sign-in or to switch the current account",
    access: 'guest',
    bodyOrQuery: true,
    body: T.Object({
      accountId: Id,
      cid: T.String({
        minLength: 1,
        maxLength: 200,
        description: 'state of the sign-in, or `cid` of GET /token/login/accounts',
      }),
    }),
    reply: SignIn,
    errors: ['login.state_expired', 'login.account_not_found', 'login.refused'],
  }),
  passwordChange: post('/token/login/passwordChange', {
    summary: 'Set a new password, if the old one has expired or was set by somebody else',
    access: 'public',
    body: T.Object({ state, newPassword: T.String({ minLength: 1, maxLength: 200 }) }),
    reply: SignIn,
    errors: ['login.state_expired', 'account.password_refused', 'server.unavailable'],
  }),
  agreement: post('/token/login/agreement', {
    summary: 'Accept the user agreement and the privacy statement',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({ state, version: T.String({ minLength: 1, maxLength: 100 }) }),
    reply: SignIn,
    errors: ['login.state_expired'],
  }),
  accounts: get('/token/login/accounts', {
    summary: 'List the accounts the member can switch to',
    access: 'member',
    reply: T.Object({
      cid: T.String({ description: 'for accountChoose; valid as long as this session' }),
      accounts: T.Array(T.Object({ ...OwnAccount.properties, current: T.Boolean() })),
    }),
  }),
}
