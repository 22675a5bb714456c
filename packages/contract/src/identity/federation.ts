import {
  del,
  get,
  Id,
  OneOf,
  post,
  put,
  Secret,
  type Static,
  T,
  Time,
  Username,
} from '../define.ts'
import { captchaField, deviceFields, OwnAccount, providerKinds, SignIn } from './identity.ts'

const nonce = T.String({
  minLength: 1,
  maxLength: 400,
  description: 'of one outside login; ten minutes, once',
})
const provider = T.Object({
  provider: T.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'its code' }),
})

/** The identity asserted by an outside login, before a session opens. */
export const FederatedUser = T.Object(
  {
    nonce,
    provider: T.String(),
    providerName: T.String(),
    providerNameEn: T.String(),
    display: T.String({ description: 'what the provider calls them; may be empty' }),
    bound: T.Boolean({ description: 'somebody here signs in by it; else it is bound first' }),
    accounts: T.Array(OwnAccount, { description: 'that federatedLogin may go on as' }),
  },
  { $id: 'FederatedUser' },
)
export type FederatedUser = Static<typeof FederatedUser>

/** An outside login bound to a member. */
export const FederatedIdentity = T.Object(
  {
    id: Id,
    provider: T.String({ description: 'its code' }),
    kind: OneOf(providerKinds),
    providerName: T.String(),
    providerNameEn: T.String(),
    display: T.String(),
    enabled: T.Boolean({ description: 'the institution offers this login at the moment' }),
    createdAt: Time,
    lastUsedAt: Time,
  },
  { $id: 'FederatedIdentity' },
)

/** Maximum size in bytes; real logout messages are shorter, and the limit bounds the work. */
const logoutMessage = T.Optional(T.String({ maxLength: 8192 }))

/** Sign-in through external providers: an outside CAS server, OpenID providers, WeChat, WeCom. */
export const federation = {
  begin: get('/token/federation/begin/{provider}', {
    summary: 'Leave for an outside login; what goes wrong is told on a page of the portal',
    access: 'public',
    params: provider,
    query: T.Object({
      returnTarget: T.Optional(
        T.String({ maxLength: 2000, description: 'the screen to show afterwards' }),
      ),
      onwards: T.Optional(
        T.String({ maxLength: 8000, description: 'our central login, to go on to afterwards' }),
      ),
    }),
    media: 'text/html',
    reply: T.String(),
  }),
  callback: get('/token/federation/callback/{provider}', {
    summary: 'Where an outside login sends people back to',
    access: 'public',
    params: provider,
    media: 'text/html',
    reply: T.String(),
  }),
  logoutReceived: post('/token/federation/callback/{provider}', {
    summary:
      'An outside login has ended a session: `logoutRequest` of CAS, `logout_token` of OpenID Connect',
    access: 'public',
    params: provider,
    body: T.Object({ logoutRequest: logoutMessage, logout_token: logoutMessage }),
    media: 'text/plain',
    reply: T.String(),
    errors: ['federation.refused'],
  }),
  logoutAtReturn: post('/page/index/index', {
    summary: 'The same from a CAS server that is the central login: it tells the return route',
    access: 'public',
    body: T.Object({ logoutRequest: logoutMessage }),
    media: 'text/plain',
    reply: T.String(),
    errors: ['federation.refused'],
  }),
  miniProgram: get('/token/federation/federated/weixinminiprogram', {
    summary:
      'Begin to sign in with a WeChat mini-program: a nonce for one login within five minutes',
    access: 'public',
    query: T.Object({
      provider: T.Optional(
        T.String({ maxLength: 40, description: 'its code, where there are several' }),
      ),
    }),
    reply: T.Object({ nonce: T.String() }),
    errors: ['login.way_off'],
  }),
  miniProgramCallback: post('/token/federation/federatedCallback/weixinminiprogram', {
    summary: 'Hand in what wx.login answered; the session key stays with the server',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({
      nonce,
      code: T.String({ minLength: 1, maxLength: 512 }),
      rawData: T.Optional(T.String({ maxLength: 4000 })),
      signature: T.Optional(T.String({ maxLength: 64 })),
      encryptedData: T.Optional(T.String({ maxLength: 8000 })),
      iv: T.Optional(T.String({ maxLength: 64 })),
    }),
    reply: FederatedUser,
    errors: ['login.way_off', 'federation.expired', 'federation.refused', 'federation.unavailable'],
  }),
  userInfo: get('/token/federation/federatedUserInfo', {
    summary: 'What an outside login has shown, and whether somebody here signs in by it',
    access: 'public',
    query: T.Object({ nonce: T.Optional(nonce) }),
    reply: FederatedUser,
    errors: ['federation.expired', 'login.way_off'],
  }),
  login: post('/token/federation/federatedLogin', {
    summary: 'Sign in by an outside login that somebody has bound',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({
      nonce,
      accountId: T.Optional(
        T.String({
          pattern: '^[0-9]{0,18}$',
          description: 'one of `accounts`; may be chosen later',
        }),
      ),
      ...deviceFields,
    }),
    reply: SignIn,
    errors: [
      'federation.expired',
      'federation.not_bound',
      'federation.no_account',
      'login.account_not_found',
      'login.way_off',
    ],
  }),
  sendCode: post('/token/federation/federatedBinding/code', {
    summary: 'Send a code to a mobile number, to bind an outside login by it',
    access: 'public',
    body: T.Object({
      nonce,
      mobile: T.String({ minLength: 6, maxLength: 24 }),
      captcha: captchaField,
    }),
    reply: T.Object({
      retryAfter: T.Integer({ description: 'seconds until another code may be asked for' }),
    }),
    errors: ['federation.expired', 'login.way_off', 'login.captcha_due', 'code.too_many'],
  }),
  bind: post('/token/federation/federatedBinding', {
    summary:
      'Show who one is by a password or a code, and sign in; from then on by the outside login',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({
      nonce,
      username: T.Optional(Username),
      password: T.Optional(T.String({ maxLength: 200 })),
      captcha: captchaField,
      mobile: T.Optional(T.String({ maxLength: 24 })),
      smscode: T.Optional(T.String({ maxLength: 20 })),
      ...deviceFields,
    }),
    reply: SignIn,
    errors: [
      'federation.expired',
      'federation.bound_before',
      'login.refused',
      'login.not_activated',
      'login.too_many',
      'login.captcha_due',
      'login.way_off',
      'code.wrong',
    ],
  }),
  identities: get('/token/federation/identities', {
    summary: 'The outside logins the caller has bound',
    access: 'member',
    reply: T.Array(FederatedIdentity),
  }),
  link: post('/token/federation/identities', {
    summary: 'Bind an outside login the caller has just shown in this browser',
    access: 'member',
    body: T.Object({ nonce }),
    reply: T.Array(FederatedIdentity),
    errors: [
      'session.confirmation_due',
      'federation.expired',
      'federation.bound_before',
      'login.way_off',
    ],
  }),
  unbind: del('/token/federation/identities/{id}', {
    summary: 'Take one of them away; sessions that came by it end',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Array(FederatedIdentity),
    errors: ['session.confirmation_due', 'federation.identity_not_found', 'federation.last_way'],
  }),
}

const text = (description: string) => T.Optional(T.String({ maxLength: 500, description }))

/** Settings of a provider; `kind` decides which apply. */
export const ProviderSettings = T.Object(
  {
    serverUrl: text('CAS: the address before /login, as browsers reach it'),
    validateUrl: text('CAS: the same as this server reaches it; `serverUrl` without it'),
    renew: T.Optional(T.Boolean({ description: 'CAS: ask for the password each time' })),
    signOutThere: T.Optional(
      T.Boolean({
        description:
          'CAS, OpenID: who signs out here is signed out there too; it must let people come back to /pages/login/signedOut',
      }),
    ),
    issuer: text('OpenID: the issuer; the rest is discovered there'),
    clientId: text('OpenID: our client'),
    scope: text('OpenID: what is asked for; openid profile without it'),
    appId: text('WeChat: the mini-program or the official account'),
    templateId: text(
      'WeChat: the template that members are told by, of subscribe messages or of an official account',
    ),
    templateFields: text(
      'WeChat: which field of the template holds what, such as title=thing1,time=time2,app=thing3,summary=thing4',
    ),
    templatePage: text(
      'WeChat: the page of the mini-program that a message opens; {url} stands for ours',
    ),
    corpId: text('WeCom: the corporation'),
    agentId: text('WeCom: the app in it'),
    apiUrl: text('WeChat, WeCom: their own server, or a relay'),
    nameAttribute: text('which attribute or claim shows people whom it is about'),
    matchUsername: T.Optional(
      T.Boolean({
        description:
          'who has the username of an account there is believed to be its owner, without binding',
      }),
    ),
    usernameAttribute: text(
      'which attribute or claim holds it; the name of the login itself without it',
    ),
  },
  { $id: 'ProviderSettings' },
)
export type ProviderSettings = Static<typeof ProviderSettings>

const written = {
  name: T.String({ minLength: 1, maxLength: 40 }),
  nameEn: T.String({ maxLength: 40, default: '' }),
  enabled: T.Boolean({ default: false }),
  position: T.Integer({ minimum: 0, maximum: 9999, default: 0 }),
  settings: ProviderSettings,
  secret: T.Optional(Secret({ maxLength: 500 })),
}

export const IdentityProvider = T.Object(
  {
    id: Id,
    code: T.String(),
    kind: OneOf(providerKinds),
    name: T.String(),
    nameEn: T.String(),
    enabled: T.Boolean(),
    position: T.Integer(),
    settings: ProviderSettings,
    secretSet: T.Boolean(),
    callback: T.String({ description: 'what to register over there as the address to return to' }),
    identities: T.Integer({ description: 'how many people have bound it' }),
    updatedAt: Time,
  },
  { $id: 'IdentityProvider' },
)

export const ProviderTest = T.Object(
  {
    ok: T.Boolean(),
    checks: T.Array(
      T.Object({
        check: T.String(),
        ok: T.Boolean(),
        said: T.String({ description: 'what was found, for an operator' }),
      }),
    ),
  },
  { $id: 'ProviderTest' },
)
export type ProviderTest = Static<typeof ProviderTest>

const one = T.Object({ id: Id })

/** The institution's external login providers, for operators. */
export const identityProviders = {
  list: get('/console-api/v1/identity-providers', {
    summary: 'Every outside login, whether it is offered or not',
    access: 'operator',
    permission: 'identity',
    reply: T.Array(IdentityProvider),
  }),
  create: post('/console-api/v1/identity-providers', {
    summary: 'A new outside login',
    access: 'operator',
    permission: 'identity',
    body: T.Object({
      code: T.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'stands in addresses' }),
      kind: OneOf(providerKinds),
      ...written,
    }),
    reply: IdentityProvider,
    errors: ['federation.provider_taken', 'operator.beyond_own'],
  }),
  update: put('/console-api/v1/identity-providers/{id}', {
    summary: 'An outside login as it is to be; a secret that is left out stays',
    access: 'operator',
    permission: 'identity',
    params: one,
    body: T.Object(written),
    reply: IdentityProvider,
    errors: ['federation.provider_not_found', 'operator.beyond_own', 'operator.member_may_more'],
  }),
  remove: del('/console-api/v1/identity-providers/{id}', {
    summary: 'No such outside login any more, and nothing that was bound to it',
    access: 'operator',
    permission: 'identity',
    params: one,
    reply: T.Null(),
    errors: ['federation.provider_not_found', 'operator.member_may_more'],
  }),
  test: post('/console-api/v1/identity-providers/{id}/test', {
    summary: 'Ask the outside login whether it knows us; nobody is signed in',
    access: 'operator',
    permission: 'identity',
    params: one,
    reply: ProviderTest,
    errors: ['federation.provider_not_found'],
  }),
}
