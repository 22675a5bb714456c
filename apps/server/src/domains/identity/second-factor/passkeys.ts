import { randomBytes } from 'node:crypto'
import type { Static } from '@atrium/contract/define'
import type { Assertion, NewCredential } from '@atrium/contract/identity/second-factor'
import type {
  AuthenticationResponseJSON,
  generateAuthenticationOptions,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { type Db, sqlState } from '#platform/database/db.ts'
import { isOutage } from '#platform/database/outage.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import {
  consumeChallenge,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeyKeys,
  type Purpose,
  recordPasskeyUse,
  type StoredPasskey,
} from './queries.ts'

/** Loaded on first use: it is a tenth of all modules. */
const webauthn = () => import('@simplewebauthn/server')

const maxPasskeys = 20
const timeout = 5 * 60_000
// ES256, EdDSA and RS256: what current authenticators support.
const supportedAlgorithmIDs = [-7, -8, -257]

/** Passkeys are bound to the host of our origin, regardless of the request's host. */
const hostOf = (platform: Platform) => new URL(platform.origin()).hostname

type Options = Record<string, unknown>
/** Options are plain JSON; the contract does not repeat the WebAuthn types. */
const asJson = (options: object) => options as Options

/** Options for creating a passkey. @param key the session or sign-in that the result must come with */
export async function newPasskeyOptions(
  db: Db,
  platform: Platform,
  person: { personId: string; username: string; name: string },
  institution: string,
  key: string,
): Promise<Options> {
  const existing = await listPasskeyKeys(db, person.personId)
  if (existing.length >= maxPasskeys) fail('factor.passkeys_full')
  const handle = existing[0] ? Buffer.from(existing[0].userHandle, 'base64url') : randomBytes(32)
  const options = await (await webauthn()).generateRegistrationOptions({
    rpName: institution,
    rpID: hostOf(platform),
    userName: person.username,
    userDisplayName: person.name,
    userID: new Uint8Array(handle),
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
    // Discoverable: usable without a username. User verification: it can replace the password.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await insertChallenge(db, options.challenge, 'register', key, options.user.id)
  return asJson(options)
}

/**
 * Verifies and stores a passkey created with our options; in a transaction with the person locked.
 * @throws factor.passkey_refused, factor.passkey_known, factor.passkeys_full
 */
export async function storePasskey(
  db: Db,
  platform: Platform,
  registration: {
    personId: string
    credential: Static<typeof NewCredential>
    name: string
    key: string
  },
) {
  const { personId, credential, name, key } = registration
  let userHandle = ''
  const info = await (await webauthn())
    .verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      async expectedChallenge(challenge) {
        const consumed = await consumeChallenge(db, challenge, 'register', key)
        userHandle = consumed?.userHandle ?? ''
        return consumed !== undefined
      },
      expectedOrigin: platform.origin(),
      expectedRPID: hostOf(platform),
      supportedAlgorithmIDs,
    })
    .then(
      ({ registrationInfo }) => registrationInfo ?? fail('factor.passkey_refused'),
      (error) => refuse(error),
    )
  if ((await listPasskeyKeys(db, personId)).length >= maxPasskeys) fail('factor.passkeys_full')
  const stored = await insertPasskey(db, {
    personId,
    credentialId: info.credential.id,
    publicKey: Buffer.from(info.credential.publicKey),
    counter: info.credential.counter,
    userHandle,
    transports: credential.response.transports ?? [],
    backedUp: info.credentialBackedUp,
    name,
  })
  return stored ?? fail('factor.passkey_known')
}

/** Assertion options for one of this person's passkeys. @throws factor.not_found */
export async function ownPasskeyOptions(
  db: Db,
  platform: Platform,
  personId: string,
  key: string,
): Promise<Options> {
  const existing = await listPasskeyKeys(db, personId)
  if (existing.length === 0) fail('factor.not_found')
  return assertionOptions(db, platform, 'second-factor', key, {
    allowCredentials: existing.map(({ id, transports }) => ({ id, transports })),
    // The first factor was given already, so a touch is enough if the key cannot verify its user.
    userVerification: 'preferred',
  })
}

/** Assertion options for any passkey. */
export const anyPasskeyOptions = (db: Db, platform: Platform, key: string): Promise<Options> =>
  assertionOptions(db, platform, 'login', key, { userVerification: 'required' })

async function assertionOptions(
  db: Db,
  platform: Platform,
  purpose: Purpose,
  key: string,
  requirements: Pick<
    Parameters<typeof generateAuthenticationOptions>[0],
    'allowCredentials' | 'userVerification'
  >,
) {
  const options = await (await webauthn()).generateAuthenticationOptions({
    rpID: hostOf(platform),
    timeout,
    ...requirements,
  })
  await insertChallenge(db, options.challenge, purpose, key)
  return asJson(options)
}

/**
 * Verifies an assertion and returns the passkey's person. User verification is required for sign-in, but not as a
 * second factor.
 * @throws factor.passkey_refused
 */
export async function verifyPasskey(
  db: Db,
  platform: Platform,
  assertion: Assertion,
  expected:
    | { purpose: 'login'; key: string }
    | { purpose: 'second-factor'; key: string; personId: string },
): Promise<string> {
  const passkey = await findPasskey(db, assertion.id)
  if (!passkey || !matchesExpectation(passkey, assertion, expected))
    return fail('factor.passkey_refused')
  const { verified, authenticationInfo: info } = await (await webauthn())
    .verifyAuthenticationResponse({
      response: assertion as AuthenticationResponseJSON,
      expectedChallenge: async (challenge) =>
        (await consumeChallenge(db, challenge, expected.purpose, expected.key)) !== undefined,
      expectedOrigin: platform.origin(),
      expectedRPID: hostOf(platform),
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.counter),
      },
      requireUserVerification: expected.purpose === 'login',
    })
    .catch(refuse)
  if (!verified) fail('factor.passkey_refused')
  if (!(await recordPasskeyUse(db, passkey.id, info.newCounter, info.credentialBackedUp)))
    fail('factor.passkey_refused')
  return passkey.personId
}

/** A second factor must belong to this person; for passkey sign-in the authenticator must send the user handle. */
function matchesExpectation(
  passkey: StoredPasskey,
  { response }: Assertion,
  expected: Parameters<typeof verifyPasskey>[3],
) {
  if (expected.purpose === 'second-factor' && passkey.personId !== expected.personId) return false
  if (response.userHandle) return response.userHandle === passkey.userHandle
  return expected.purpose === 'second-factor'
}

/** Any verification error gives the same refusal; database errors during verification are rethrown. */
function refuse(error: unknown): never {
  if (isOutage(error) || sqlState(error)) throw error
  return fail('factor.passkey_refused')
}
