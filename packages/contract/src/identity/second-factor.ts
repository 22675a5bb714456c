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
      description: 'synced by the passkey provider, not limited to one device',
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
    required: T.Boolean({
      description: 'the identity type requires a second factor; the last one cannot be removed',
    }),
  },
  { $id: 'SecondFactors' },
)
export type SecondFactors = Static<typeof SecondFactors>

export const TotpEnrolment = T.Object(
  {
    enrolment: T.String({
      description: 'identifies this secret when its first code is submitted; valid for ten minutes',
    }),
    secret: T.String({ description: 'base32, for manual entry' }),
    uri: T.String({ description: 'otpauth URI, for a QR code' }),
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
  description: 'returned only once; empty if the person already has recovery codes',
})

/** A member's second factors. Changes need a confirmation within ten minutes, and the member is notified. */
export const secondFactor = {
  read: get('/portal-api/v1/second-factor', {
    summary: "Get the caller's second factors",
    access: 'member',
    reply: SecondFactors,
  }),
  beginTotp: post('/portal-api/v1/second-factor/totp/begin', {
    summary:
      'Create a secret for an authenticator app; it is stored only after its first code is submitted',
    access: 'member',
    reply: TotpEnrolment,
    errors: ['session.confirmation_due'],
  }),
  addTotp: post('/portal-api/v1/second-factor/totp', {
    summary:
      'Activate the secret of an authenticator app with its first code; replaces the previous one',
    access: 'member',
    body: T.Object({ enrolment, code }),
    reply: T.Object({ recoveryCodes: RecoveryCodes }),
    errors: ['session.confirmation_due', 'factor.refused', 'factor.enrolment_expired'],
  }),
  removeTotp: del('/portal-api/v1/second-factor/totp', {
    summary: 'Remove the authenticator app',
    access: 'member',
    reply: SecondFactors,
    errors: ['session.confirmation_due', 'factor.not_found', 'factor.last_required'],
  }),
  renewRecoveryCodes: post('/portal-api/v1/second-factor/recovery-codes', {
    summary: 'Create ten new recovery codes; the previous ones become invalid',
    access: 'member',
    reply: T.Object({ recoveryCodes: RecoveryCodes }),
    errors: ['session.confirmation_due', 'factor.not_found'],
  }),
  beginPasskey: post('/portal-api/v1/second-factor/passkeys/begin', {
    summary: 'Get the WebAuthn options for creating a passkey',
    access: 'member',
    reply: WebAuthnOptions,
    errors: ['session.confirmation_due', 'factor.passkeys_full'],
  }),
  addPasskey: post('/portal-api/v1/second-factor/passkeys', {
    summary: 'Add a passkey created by the browser',
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
    summary: 'Rename a passkey',
    access: 'member',
    params: T.Object({ id: Id }),
    body: T.Object({ name }),
    reply: SecondFactors,
    errors: ['session.confirmation_due', 'factor.not_found'],
  }),
  removePasskey: del('/portal-api/v1/second-factor/passkeys/{id}', {
    summary: 'Remove a passkey',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: SecondFactors,
    errors: ['session.confirmation_due', 'factor.not_found', 'factor.last_required'],
  }),
  confirmOptions: post('/portal-api/v1/second-factor/confirm/options', {
    summary: "Get the WebAuthn options for confirming the caller's identity with a passkey",
    access: 'member',
    reply: WebAuthnOptions,
    errors: ['factor.not_found'],
  }),
}

/** Second factors and passkeys during sign-in. */
export const factorSignIn = {
  mfa: post('/token/login/mfa', {
    summary:
      'Submit the second factor: a code of the authenticator app, a recovery code or a passkey',
    access: 'public',
    body: T.Object({ state, ...secondFactorFields }),
    reply: SignIn,
    errors: ['login.state_expired', 'login.too_many', 'factor.refused', 'factor.passkey_refused'],
  }),
  mfaOptions: post('/token/login/mfa/options', {
    summary: 'Get the WebAuthn options for a passkey as second factor',
    access: 'public',
    body: T.Object({ state }),
    reply: WebAuthnOptions,
    errors: ['login.state_expired', 'factor.not_found'],
  }),
  beginTotp: post('/token/login/enrolment/totp/begin', {
    summary: 'Create a secret for an authenticator app, if `due` is enrolment',
    access: 'public',
    body: T.Object({ state }),
    reply: TotpEnrolment,
    errors: ['login.state_expired'],
  }),
  addTotp: post('/token/login/enrolment/totp', {
    summary: 'Activate the authenticator app with its first code, and continue the sign-in',
    access: 'public',
    body: T.Object({ state, enrolment, code }),
    reply: T.Object({ recoveryCodes: RecoveryCodes, next: SignIn }),
    errors: ['login.state_expired', 'factor.refused', 'factor.enrolment_expired'],
  }),
  beginPasskey: post('/token/login/enrolment/passkey/begin', {
    summary: 'Get the WebAuthn options for creating a passkey, if `due` is enrolment',
    access: 'public',
    body: T.Object({ state }),
    reply: WebAuthnOptions,
    errors: ['login.state_expired'],
  }),
  addPasskey: post('/token/login/enrolment/passkey', {
    summary: 'Add a passkey created by the browser, and continue the sign-in',
    access: 'public',
    body: T.Object({ state, credential: NewCredential, name }),
    reply: T.Object({ recoveryCodes: RecoveryCodes, next: SignIn }),
    errors: ['login.state_expired', 'factor.passkey_refused', 'factor.passkey_known'],
  }),
  passkeyOptions: post('/token/passkey/options', {
    summary: 'Get the WebAuthn options for signing in with a passkey, without a username',
    access: 'public',
    reply: T.Object({
      key: T.String({ description: 'to be returned with the assertion' }),
      options: WebAuthnOptions,
    }),
    errors: ['login.way_off'],
  }),
  passkeyLogin: post('/token/passkey/login', {
    summary: 'Sign in with a passkey that verified its user; counts as two factors',
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
    summary: 'Remove all second factors of a person who has lost them',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    params: T.Object({ username: Username }),
    reply: T.Object({ removed: T.Array(OneOf(factors)) }),
    errors: ['account.not_found', 'operator.member_may_more'],
  }),
}
