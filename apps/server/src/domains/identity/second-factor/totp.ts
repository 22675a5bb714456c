import type { TotpEnrolment } from '@atrium/contract/identity/second-factor'
import { Secret, TOTP } from 'otpauth'
import type { Platform } from '#platform/platform.ts'

const period = 30
const enrolmentMinutes = 10
/** A secret awaiting its first code; held only by the client, encrypted. */
type Enrolment = { totpFor: string; secret: string; until: number }

// SHA-1, six digits and 30 s: supported by every authenticator app (RFC 6238).
const totpOf = (secret: string) =>
  new TOTP({ algorithm: 'SHA1', digits: 6, period, secret: Secret.fromBase32(secret) })

/** Creates a secret for the person's authenticator app. @param issuer the institution's name shown in the app */
export function beginTotp(
  platform: Platform,
  personId: string,
  issuer: string,
  username: string,
): TotpEnrolment {
  const secret = new Secret({ size: 20 }).base32
  const content: Enrolment = {
    totpFor: personId,
    secret,
    until: Date.now() + enrolmentMinutes * 60_000,
  }
  const totp = totpOf(secret)
  // A colon separates issuer and label in the URI.
  totp.issuer = issuer.replaceAll(':', ' ')
  totp.label = username
  return {
    enrolment: platform.secret.encrypt(JSON.stringify(content)),
    secret,
    uri: totp.toString(),
  }
}

/** The person's enrolment secret; undefined if it is another person's, expired or forged. */
export function enrolledSecret(platform: Platform, personId: string, enrolment: string) {
  const text = platform.secret.decrypt(enrolment)
  if (!text?.startsWith('{"totpFor"')) return undefined
  const { totpFor, secret, until } = JSON.parse(text) as Enrolment
  return totpFor === personId && until > Date.now() ? secret : undefined
}

/** The 30 s time step of this code; allows one step of clock difference. */
export function totpStep(secret: string, code: string, now = Date.now()): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^[0-9]{6}$/.test(token)) return undefined
  const delta = totpOf(secret).validate({ token, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / 1000 / period) + delta
}
