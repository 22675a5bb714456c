import {
  del,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  put,
  type Static,
  T,
  Time,
  Username,
} from '../define.ts'
import { deviceFields, SignIn } from './identity.ts'

/** Second factors. `recovery` is a code stored by the member in case the device is lost. */
export const factors = ['totp', 'passkey', 'recovery'] as const
export type Factor = (typeof factors)[number]

export const Passkey = T.Object(
  {
    id: Id,
    name: T.String(),
    backedUp: T.Boolean({
      description: 'kept by an account of the maker, not on one device alone',
    }),
    createdAt: Time,
    lastUsedAt: Nullable(Time),
  },
  { $id: 'Passkey' },
)
export type Passkey = Static<typeof Passkey>

export const SecondFactors = T.Object(
  {
    totp: Nullable(T.Object({ createdAt: Time, lastUsedAt: Nullable(Time) })),
    passkeys: T.Array(Passkey),
    recoveryCodesLeft: T.Integer(),
    required: T.Boolean({ description: 'one has to stay: the identity type asks for it' }),
  },
  { $id: 'SecondFactors' },
)
export type SecondFactors = Static<typeof SecondFactors>

export const TotpEnrolment = T.Object(
  {
    enrolment: T.String({
      description: 'names this secret when its first code is given; ten minutes',
    }),
    secret: T.String({ description: 'base32, to type in' }),
    uri: T.String({ description: 'otpauth address, to show as a QR code' }),
  },
  { $id: 'TotpEnrolment' },
)
export type TotpEnrolment = Static<typeof TotpEnrolment>

/** Options for `navigator.credentials`, in WebAuthn's JSON form. */
const WebAuthnOptions = T.Record(T.String(), T.Unknown())

const bytes = (maxLength: number) => T.String({ maxLength, pattern: '^[A-Za-z0-9_-]*$' })
const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: T.Literal('public-key'),
  authenticatorAttachment: T.Optional(T.String({ maxLength: 40 })),
  clientExtensionResults: T.Optional(T.Unknown()),
}
/** A credential created by an authenticator, in WebAuthn's JSON form. */
export const NewCredential = T.Object({
  ...credential,
  response: T.Object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(40_000),
    transports: T.Optional(T.Array(T.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
})
/** An assertion signed by an authenticator, in WebAuthn's JSON form. */
export const Assertion = T.Object({
  ...credential,
  response: T.Object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: T.Optional(bytes(200)),
  }),
})
export type Assertion = Static<typeof Assertion>

/** A submitted second factor: one of the two fields. `code` is from the authenticator app, or a recovery code. */
export const secondFactorFields = {
  code: T.Optional(T.String({ minLength: 6, maxLength: 40 })),
  assertion: T.Optional(Assertion),
}

const code = T.String({ minLength: 6, maxLength: 12 })
const enrolment = T.String({ minLength: 1, maxLength: 1000 })
const name = T.String({ minLength: 1, maxLength: 50 })
const state = T.String({ minLength: 1, maxLength: 200 })
const RecoveryCodes = T.Array(T.String(), {
  description: 'shown this once; empty where the person has some already',
})

/** A member's second factors. Changes need a confirmation within ten minutes, and the member is notified. */
export const secondFactor = {
  read: get('/portal-api/v1/second-factor', {
    summary: 'The second factors of the caller',
    access: 'member',
    reply: SecondFactors,
  }),
  beginTotp: post('/portal-api/v1/second-factor/totp/begin', {
    summary:
      'A new secret for an authenticator app; nothing is kept before its first code is given',
    access: 'member',
    reply: TotpEnrolment,
    errors: ['session.confirmation_due'],
  }),
  addTotp: post('/portal-api/v1/second-factor/totp', {
    summary: 'Take the secret up with its first code; it takes the place of the one before',
    access: 'member',
    body: T.Object({ enrolment, code }),
    reply: T.Object({ recoveryCodes: RecoveryCodes }),
    errors: ['session.confirmation_due', 'factor.refused', 'factor.enrolment_expired'],
  }),
  removeTotp: del('/portal-api/v1/second-factor/totp', {
    summary: 'Forget the authenticator app',
    access: 'member',
    reply: SecondFactors,
    errors: ['session.confirmation_due', 'factor.not_found', 'factor.last_required'],
  }),
  renewRecoveryCodes: post('/portal-api/v1/second-factor/recovery-codes', {
    summary: 'Ten new recovery codes; the ones before are void',
    access: 'member',
    reply: T.Object({ recoveryCodes: RecoveryCodes }),
    errors: ['session.confirmation_due', 'factor.not_found'],
  }),
  beginPasskey: post('/portal-api/v1/second-factor/passkeys/begin', {
    summary: 'What the browser is to make a passkey with',
    access: 'member',
    reply: WebAuthnOptions,
    errors: ['session.confirmation_due', 'factor.passkeys_full'],
  }),
  addPasskey: post('/portal-api/v1/second-factor/passkeys', {
    summary: 'Keep a passkey that the browser made',
    access: 'member',
    body: T.Object({ credential: NewCredential, name }),
    reply: T.Object({ passkey: Passkey, recoveryCodes: RecoveryCodes }),
    errors: [
      'session.confirmation_due',
      'factor.passkey_refused',
      'factor.passkey_known',
      'factor.passkeys_full',
    ],
  }),
  renamePasskey: put('/portal-api/v1/second-factor/passkeys/{id}', {
    summary: 'Call a passkey something else',
    access: 'member',
    params: T.Object({ id: Id }),
    body: T.Object({ name }),
    reply: SecondFactors,
    errors: ['session.confirmation_due', 'factor.not_found'],
  }),
  removePasskey: del('/portal-api/v1/second-factor/passkeys/{id}', {
    summary: 'Forget a passkey',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: SecondFactors,
    errors: ['session.confirmation_due', 'factor.not_found', 'factor.last_required'],
  }),
  confirmOptions: post('/portal-api/v1/second-factor/confirm/options', {
    summary: 'What the browser is to ask a passkey of the caller with, to confirm who it is',
    access: 'member',
    reply: WebAuthnOptions,
    errors: ['factor.not_found'],
  }),
}

/** Second factors and passkeys during sign-in. */
export const factorSignIn = {
  mfa: post('/token/login/mfa', {
    summary:
      'Give the second factor that is due: a code of the authenticator app, a recovery code or a passkey',
    access: 'public',
    body: T.Object({ state, ...secondFactorFields }),
    reply: SignIn,
    errors: ['login.state_expired', 'login.too_many', 'factor.refused', 'factor.passkey_refused'],
  }),
  mfaOptions: post('/token/login/mfa/options', {
    summary:
      'What the browser is to ask a passkey of the person with, where a second factor is due',
    access: 'public',
    body: T.Object({ state }),
    reply: WebAuthnOptions,
    errors: ['login.state_expired', 'factor.not_found'],
  }),
  beginTotp: post('/token/login/enrolment/totp/begin', {
    summary: 'A new secret for an authenticator app, where a second factor has to be set up first',
    access: 'public',
    body: T.Object({ state }),
    reply: TotpEnrolment,
    errors: ['login.state_expired'],
  }),
  addTotp: post('/token/login/enrolment/totp', {
    summary: 'Take the secret up with its first code, and go on signing in',
    access: 'public',
    body: T.Object({ state, enrolment, code }),
    reply: T.Object({ recoveryCodes: RecoveryCodes, next: SignIn }),
    errors: ['login.state_expired', 'factor.refused', 'factor.enrolment_expired'],
  }),
  beginPasskey: post('/token/login/enrolment/passkey/begin', {
    summary:
      'What the browser is to make a passkey with, where a second factor has to be set up first',
    access: 'public',
    body: T.Object({ state }),
    reply: WebAuthnOptions,
    errors: ['login.state_expired'],
  }),
  addPasskey: post('/token/login/enrolment/passkey', {
    summary: 'Keep a passkey that the browser made, and go on signing in',
    access: 'public',
    body: T.Object({ state, credential: NewCredential, name }),
    reply: T.Object({ recoveryCodes: RecoveryCodes, next: SignIn }),
    errors: ['login.state_expired', 'factor.passkey_refused', 'factor.passkey_known'],
  }),
  passkeyOptions: post('/token/passkey/options', {
    summary:
      'What the browser is to ask for any passkey of this portal with; no username is needed',
    access: 'public',
    reply: T.Object({
      key: T.String({ description: 'handed in together with what the authenticator signed' }),
      options: WebAuthnOptions,
    }),
    errors: ['login.way_off'],
  }),
  passkeyLogin: post('/token/passkey/login', {
    summary: 'Sign in with a passkey that checked its holder; it counts as two factors',
    access: 'public',
    body: T.Object({
      key: T.String({ minLength: 1, maxLength: 200 }),
      assertion: Assertion,
      ...deviceFields,
    }),
    reply: SignIn,
    errors: ['login.way_off', 'login.refused', 'factor.passkey_refused'],
  }),
}

export const factorReset = {
  reset: del('/console-api/v1/accounts/{username}/second-factor', {
    summary: 'Remove every second factor of the person, who lost them all',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    params: T.Object({ username: Username }),
    reply: T.Object({ removed: T.Array(OneOf(factors)) }),
    errors: ['account.not_found', 'operator.member_may_more'],
  }),
}
