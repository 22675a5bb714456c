import type { Assertion, Factor } from '@atrium/contract/identity/second-factor'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { verifyPasskey } from './passkeys.ts'
import { clearAttempts, consumeTotpStep, countAttempt, findTotpSecret } from './queries.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { totpStep } from './totp.ts'

/** A second factor as submitted in the contract's `secondFactorFields`. */
export type SubmittedFactor = { code?: string; assertion?: Assertion }

/**
 * Consumes a second factor of a member and returns its kind. Failures are counted per session, so that nobody else can
 * throttle the member. Not inside a transaction: a wrong code must remain counted.
 * @throws factor.refused, factor.passkey_refused, login.too_many
 */
export async function verifySecondFactor(
  db: Db,
  platform: Platform,
  { personId, sessionId }: Pick<Member, 'personId' | 'sessionId'>,
  submitted: SubmittedFactor,
): Promise<Factor> {
  const counterKey = `${personId}:${sessionId}`
  await countFactorAttempt(db, counterKey, submitted)
  const factor = await verifyFactor(db, platform, personId, submitted, sessionId)
  await clearAttempts(db, counterKey)
  return factor
}

/**
 * Counts an attempt before it is checked. Passkeys cannot be guessed and are not counted.
 * @param counterKey the person, or a device or session of theirs with its own counter
 * @throws login.too_many
 */
export async function countFactorAttempt(db: Db, counterKey: string, submitted: SubmittedFactor) {
  if (submitted.assertion) return
  const retryAfter = await countAttempt(db, counterKey)
  if (retryAfter > 0) fail('login.too_many', { retryAfter })
}

/**
 * Consumes a second factor, without counting.
 * @param key the passkey options were requested with: session or sign-in
 * @throws factor.refused, factor.passkey_refused
 */
export async function verifyFactor(
  db: Db,
  platform: Platform,
  personId: string,
  submitted: SubmittedFactor,
  key: string,
): Promise<Factor> {
  if (submitted.assertion) {
    await verifyPasskey(db, platform, submitted.assertion, {
      purpose: 'second-factor',
      key,
      personId,
    })
    return 'passkey'
  }
  const code = submitted.code ?? fail('request.invalid', { fields: { code: 'required' } })
  if (/^[0-9\s]+$/.test(code)) {
    if (await verifyTotp(db, platform, personId, code)) return 'totp'
  } else if (await redeemRecoveryCode(db, platform, personId, code)) return 'recovery'
  return fail('factor.refused')
}

async function verifyTotp(db: Db, platform: Platform, personId: string, code: string) {
  const sealed = await findTotpSecret(db, personId)
  const secret = sealed && platform.secret.decrypt(sealed)
  const step = secret ? totpStep(secret, code) : undefined
  return step !== undefined && (await consumeTotpStep(db, personId, step))
}
