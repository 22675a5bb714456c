import type { Assertion, Factor } from '@atrium/contract/identity/second-factor'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { takePasskey } from './passkeys.ts'
import { countTry, findTotpSecret, forgetTries, takeTotpStep } from './queries.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { stepOf } from './totp.ts'

/** A second factor as submitted in the contract's `secondFactorFields`. */
export type GivenFactor = { code?: string; assertion?: Assertion }

/**
 * Consumes a second factor of a member and returns its kind. Failures are counted per session, so that nobody else can
 * throttle the member. Not inside a transaction: a wrong code must remain counted.
 * @throws factor.refused, factor.passkey_refused, login.too_many
 */
export async function takeSecondFactor(
  db: Db,
  platform: Platform,
  { personId, sessionId }: Pick<Member, 'personId' | 'sessionId'>,
  given: GivenFactor,
): Promise<Factor> {
  const counted = `${personId}:${sessionId}`
  await allowTry(db, counted, given)
  const factor = await takeFactor(db, platform, personId, given, sessionId)
  await forgetTries(db, counted)
  return factor
}

/**
 * Counts an attempt before it is checked. Passkeys cannot be guessed and are not counted.
 * @param counted the person, or a device or session of theirs with its own counter
 * @throws login.too_many
 */
export async function allowTry(db: Db, counted: string, given: GivenFactor) {
  if (given.assertion) return
  const retryAfter = await countTry(db, counted)
  if (retryAfter > 0) fail('login.too_many', { retryAfter })
}

/**
 * Consumes a second factor, without counting.
 * @param key the passkey options were requested with: session or sign-in
 * @throws factor.refused, factor.passkey_refused
 */
export async function takeFactor(
  db: Db,
  platform: Platform,
  personId: string,
  given: GivenFactor,
  key: string,
): Promise<Factor> {
  if (given.assertion) {
    await takePasskey(db, platform, given.assertion, { purpose: 'second-factor', key, personId })
    return 'passkey'
  }
  const code = given.code ?? fail('request.invalid', { fields: { code: 'required' } })
  if (/^[0-9\s]+$/.test(code)) {
    if (await takeTotp(db, platform, personId, code)) return 'totp'
  } else if (await spendRecoveryCode(db, platform, personId, code)) return 'recovery'
  return fail('factor.refused')
}

async function takeTotp(db: Db, platform: Platform, personId: string, code: string) {
  const sealed = await findTotpSecret(db, personId)
  const secret = sealed && platform.secret.decrypt(sealed)
  const step = secret ? stepOf(secret, code) : undefined
  return step !== undefined && (await takeTotpStep(db, personId, step))
}
