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
  description: 'nonce of one external login; valid once, within ten minutes',
})
const provider = T.Object({
  provider: T.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'code of the provider' }),
})

/** The identity asserted by an outside login, before a session opens. */
export const FederatedUser = T.Object(
  {
    nonce,
    provider: T.String(),
    providerName: T.String(),
    providerNameEn: T.String(),
    display: T.String({ description: 'name of the person at the provider; may be empty' }),
    bound: T.Boolean({
      description: 'bound to a member here; if false, call federatedBinding first',
    }),
    accounts: T.Array(OwnAccount, { description: 'accounts that federatedLogin may sign in to' }),
  },
  { $id: 'FederatedUser' },
)
export type FederatedUser = Static<typeof FederatedUser>

/** An outside login bound to a member. */
export const FederatedIdentity = T.Object(
  {
    id: Id,
    provider: T.String({ description: 'code of the provider' }),
    kind: OneOf(providerKinds),
    providerName: T.String(),
    providerNameEn: T.String(),
    display: T.String(),
    enabled: T.Boolean({ description: 'the institution currently offers this login' }),
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
    summary: 'Redirect to an external login provider; errors are shown on a page of the portal',
    access: 'public',
    params: provider,
    query: T.Object({
      returnTarget: T.Optional(
        T.String({ maxLength: 2000, description: 'screen to open afterwards' }),
      ),
      onwards: T.Optional(
        T.String({
          maxLength: 8000,
          description: 'address of our central login to continue to afterwards',
        }),
      ),
    }),
    media: 'text/html',
    reply: T.String(),
  }),
  callback: get('/token/federation/callback/{provider}', {
    summary: 'Receive the browser returning from an external login provider',
    access: 'public',
    params: provider,
    media: 'text/html',
    reply: T.String(),
  }),
  logoutReceived: post('/token/federation/callback/{provider}', {
    summary:
      'Receive a logout from an external login provider: `logoutRequest` of CAS or `logout_token` of OpenID Connect',
    access: 'public',
    params: provider,
    body: T.Object({ logoutRequest: logoutMessage, logout_token: logoutMessage }),
    media: 'text/plain',
    reply: T.String(),
    errors: ['federation.refused'],
  }),
  logoutAtReturn: post('/page/index/index', {
    summary:
      'Receive a logout from a CAS server used as central login, which posts it to the return address',
    access: 'public',
    body: T.Object({ logoutRequest: logoutMessage }),
    media: 'text/plain',
    reply: T.String(),
    errors: ['federation.refused'],
  }),
  miniProgram: get('/token/federation/federated/weixinminiprogram', {
    summary:
      'Start sign-in with a WeChat mini-program; returns a nonce for one login within five minutes',
    access: 'public',
    query: T.Object({
      provider: T.Optional(
        T.String({ maxLength: 40, description: 'code of the provider, if there are several' }),
      ),
    }),
    reply: T.Object({ nonce: T.String() }),
    errors: ['login.way_off'],
  }),
  miniProgramCallback: post('/token/federation/federatedCallback/weixinminiprogram', {
    summary: 'Submit the result of wx.login; the session key stays on the server',
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
    summary: 'Get the identity asserted by an external login, and whether it is bound to a member',
    access: 'public',
    query: T.Object({ nonce: T.Optional(nonce) }),
    reply: FederatedUser,
    errors: ['federation.expired', 'login.way_off'],
  }),
  login: post('/token/federation/federatedLogin', {
    summary: 'Sign in with a bound external login',
    access: 'public',
    bodyOrQuery: true,
    body: T.Object({
      nonce,
      accountId: T.Optional(
        T.String({
          pattern: '^[0-9]{0,18}$',
          description: 'one of `accounts`; can be chosen in a later step',
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
    summary: 'Send a code to a mobile number, for binding an external login',
    access: 'public',
    body: T.Object({
      nonce,
      mobile: T.String({ minLength: 6, maxLength: 24 }),
      captcha: captchaField,
    }),
    reply: T.Object({
      retryAfter: T.Integer({ description: 'seconds until another code can be requested' }),
    }),
    errors: ['federation.expired', 'login.way_off', 'login.captcha_due', 'code.too_many'],
  }),
  bind: post('/token/federation/federatedBinding', {
    summary:
      'Bind an external login with a password or a code, and sign in; later sign-ins need only the external login',
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
    summary: 'List the external logins the caller has bound',
    access: 'member',
    reply: T.Array(FederatedIdentity),
  }),
  link: post('/token/federation/identities', {
    summary: 'Bind an external login just completed in this browser',
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
    summary: 'Remove a bound external login; sessions started with it end',
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
    serverUrl: text('CAS: base address before /login, as reached by browsers'),
    validateUrl: text('CAS: the same as reached by this server; default: `serverUrl`'),
    renew: T.Optional(T.Boolean({ description: 'CAS: require the password each time' })),
    signOutThere: T.Optional(
      T.Boolean({
        description:
          'CAS, OpenID: signing out here also signs out there; the provider must allow /pages/login/signedOut as return address',
      }),
    ),
    issuer: text('OpenID: the issuer; everything else is discovered from it'),
    clientId: text('OpenID: our client id'),
    scope: text('OpenID: requested scope; default: openid profile'),
    appId: text('WeChat: app id of the mini-program or official account'),
    templateId: text(
      'WeChat: template for notifying members (subscribe message, or template of an official account)',
    ),
    templateFields: text(
      'WeChat: mapping of template fields, such as title=thing1,time=time2,app=thing3,summary=thing4',
    ),
    templatePage: text(
      'WeChat: page of the mini-program opened by a message; {url} is replaced by our address',
    ),
    corpId: text('WeCom: corporation id'),
    agentId: text('WeCom: agent id of the app'),
    apiUrl: text('WeChat, WeCom: base address of a private deployment or a relay'),
    nameAttribute: text('attribute or claim shown to people as the name of the login'),
    matchUsername: T.Optional(
      T.Boolean({
        description:
          'trust the username asserted by the provider: it signs in to the account of that name without binding',
      }),
    ),
    usernameAttribute: text(
      'attribute or claim with the username; default: the user of CAS, preferred_username of OpenID',
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
    callback: T.String({ description: 'return address to register with the provider' }),
    identities: T.Integer({ description: 'number of people who have bound it' }),
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
        said: T.String({ description: 'what was found, for operators' }),
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
    summary: 'List all external login providers, including disabled ones',
    access: 'operator',
    permission: 'identity',
    reply: T.Array(IdentityProvider),
  }),
  create: post('/console-api/v1/identity-providers', {
    summary: 'Create an external login provider',
    access: 'operator',
    permission: 'identity',
    body: T.Object({
      code: T.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'used in addresses' }),
      kind: OneOf(providerKinds),
      ...written,
    }),
    reply: IdentityProvider,
    errors: ['federation.provider_taken', 'operator.beyond_own'],
  }),
  update: put('/console-api/v1/identity-providers/{id}', {
    summary: 'Update an external login provider; an omitted secret is kept for the same host',
    access: 'operator',
    permission: 'identity',
    params: one,
    body: T.Object(written),
    reply: IdentityProvider,
    errors: ['federation.provider_not_found', 'operator.beyond_own', 'operator.member_may_more'],
  }),
  remove: del('/console-api/v1/identity-providers/{id}', {
    summary: 'Delete an external login provider with all its bindings',
    access: 'operator',
    permission: 'identity',
    params: one,
    reply: T.Null(),
    errors: ['federation.provider_not_found', 'operator.member_may_more'],
  }),
  test: post('/console-api/v1/identity-providers/{id}/test', {
    summary: 'Test whether the provider accepts our settings; nobody is signed in',
    access: 'operator',
    permission: 'identity',
    params: one,
    reply: ProviderTest,
    errors: ['federation.provider_not_found'],
  }),
}
