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
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeyKeys,
  type Purpose,
  type StoredPasskey,
  takeChallenge,
  takePasskeyUse,
} from './queries.ts'

/** A tenth of all the modules there are: loaded with the first passkey. */
const webauthn = () => import('@simplewebauthn/server')

const maxPasskeys = 20
const timeout = 5 * 60_000
// ES256, EdDSA and RS256: what authenticators make today.
const supportedAlgorithmIDs = [-7, -8, -257]

/** Passkeys belong to the host of our origin, whatever address a request came to. */
const hostOf = (platform: Platform) => new URL(platform.origin()).hostname

type Options = Record<string, unknown>
/** Options are plain JSON; the contract does not repeat what WebAuthn says they hold. */
const asJson = (options: object) => options as Options

/** What a browser makes a passkey with. @param key the session or sign-in it has to come back with */
export async function newPasskeyOptions(
  db: Db,
  platform: Platform,
  person: { personId: string; username: string; name: string },
  institution: string,
  key: string,
): Promise<Options> {
  const known = await listPasskeyKeys(db, person.personId)
  if (known.length >= maxPasskeys) fail('factor.passkeys_full')
  const handle = known[0] ? Buffer.from(known[0].userHandle, 'base64url') : randomBytes(32)
  const options = await (await webauthn()).generateRegistrationOptions({
    rpName: institution,
    rpID: hostOf(platform),
    userName: person.username,
    userDisplayName: person.name,
    userID: new Uint8Array(handle),
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    // Discoverable, so that it can be used without a username; checking its holder, so that it can replace the password.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await insertChallenge(db, options.challenge, 'register', key, options.user.id)
  return asJson(options)
}

/**
 * Keeps a passkey that was made with our options; in a transaction that has the person locked.
 * @throws factor.passkey_refused, factor.passkey_known, factor.passkeys_full
 */
export async function keepPasskey(
  db: Db,
  platform: Platform,
  given: { personId: string; credential: Static<typeof NewCredential>; name: string; key: string },
) {
  const { personId, credential, name, key } = given
  let userHandle = ''
  const info = await (await webauthn())
    .verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      async expectedChallenge(challenge) {
        const taken = await takeChallenge(db, challenge, 'register', key)
        userHandle = taken?.userHandle ?? ''
        return taken !== undefined
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
  const kept = await insertPasskey(db, {
    personId,
    credentialId: info.credential.id,
    publicKey: Buffer.from(info.credential.publicKey),
    counter: info.credential.counter,
    userHandle,
    transports: credential.response.transports ?? [],
    backedUp: info.credentialBackedUp,
    name,
  })
  return kept ?? fail('factor.passkey_known')
}

/** What a browser asks one of this person's passkeys with. @throws factor.not_found */
export async function ownPasskeyOptions(
  db: Db,
  platform: Platform,
  personId: string,
  key: string,
): Promise<Options> {
  const known = await listPasskeyKeys(db, personId)
  if (known.length === 0) fail('factor.not_found')
  return assertionOptions(db, platform, 'second-factor', key, {
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
    // The other factor was given already: touching the key is enough where it cannot do more.
    userVerification: 'preferred',
  })
}

/** What a browser asks for any passkey of ours with. */
export const anyPasskeyOptions = (db: Db, platform: Platform, key: string): Promise<Options> =>
  assertionOptions(db, platform, 'login', key, { userVerification: 'required' })

async function assertionOptions(
  db: Db,
  platform: Platform,
  purpose: Purpose,
  key: string,
  asked: Pick<
    Parameters<typeof generateAuthenticationOptions>[0],
    'allowCredentials' | 'userVerification'
  >,
) {
  const options = await (await webauthn()).generateAuthenticationOptions({
    rpID: hostOf(platform),
    timeout,
    ...asked,
  })
  await insertChallenge(db, options.challenge, purpose, key)
  return asJson(options)
}

/**
 * The person whose passkey signed our challenge. As a way of signing in the authenticator has to have checked its holder;
 * as a second factor not. @throws factor.passkey_refused
 */
export async function takePasskey(
  db: Db,
  platform: Platform,
  assertion: Assertion,
  asked:
    | { purpose: 'login'; key: string }
    | { purpose: 'second-factor'; key: string; personId: string },
): Promise<string> {
  const passkey = await findPasskey(db, assertion.id)
  if (!passkey || !isAskedFor(passkey, assertion, asked)) return fail('factor.passkey_refused')
  const { verified, authenticationInfo: info } = await (await webauthn())
    .verifyAuthenticationResponse({
      response: assertion as AuthenticationResponseJSON,
      expectedChallenge: async (challenge) =>
        (await takeChallenge(db, challenge, asked.purpose, asked.key)) !== undefined,
      expectedOrigin: platform.origin(),
      expectedRPID: hostOf(platform),
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.counter),
      },
      requireUserVerification: asked.purpose === 'login',
    })
    .catch(refuse)
  if (!verified) fail('factor.passkey_refused')
  if (!(await takePasskeyUse(db, passkey.id, info.newCounter, info.credentialBackedUp)))
    fail('factor.passkey_refused')
  return passkey.personId
}

/** A second factor is one of this person's; who signs in by a passkey alone is said by the authenticator too. */
function isAskedFor(
  passkey: StoredPasskey,
  { response }: Assertion,
  asked: Parameters<typeof takePasskey>[3],
) {
  if (asked.purpose === 'second-factor' && passkey.personId !== asked.personId) return false
  if (response.userHandle) return response.userHandle === passkey.userHandle
  return asked.purpose === 'second-factor'
}

/** Whatever the library found wrong is one answer; what the database says while it is asked stays an error of ours. */
function refuse(error: unknown): never {
  if (isOutage(error) || sqlState(error)) throw error
  return fail('factor.passkey_refused')
}
