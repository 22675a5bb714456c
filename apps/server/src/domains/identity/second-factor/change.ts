import type { Static } from '@atrium/contract/define'
import type { NewCredential } from '@atrium/contract/identity/second-factor'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { keepPasskey } from './passkeys.ts'
import { deleteRecoveryCodes, listFactors, upsertTotp } from './queries.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { enrolledSecret, stepOf } from './totp.ts'

/**
 * Takes an authenticator app up by its first code; in a transaction that has the person locked.
 * @returns recovery codes where the person had none @throws factor.enrolment_expired, factor.refused
 */
export async function addTotp(
  db: Db,
  platform: Platform,
  personId: string,
  given: { enrolment: string; code: string },
): Promise<string[]> {
  const secret =
    enrolledSecret(platform, personId, given.enrolment) ?? fail('factor.enrolment_expired')
  const step = stepOf(secret, given.code) ?? fail('factor.refused')
  await upsertTotp(db, personId, platform.secret.encrypt(secret), step)
  return firstRecoveryCodes(db, platform, personId)
}

/** Keeps a passkey; in a transaction that has the person locked. @returns it, and recovery codes where there were none */
export async function addPasskey(
  db: Db,
  platform: Platform,
  personId: string,
  given: { credential: Static<typeof NewCredential>; name: string; key: string },
) {
  const passkey = await keepPasskey(db, platform, { personId, ...given })
  return { passkey, recoveryCodes: await firstRecoveryCodes(db, platform, personId) }
}

/** Whoever has a second factor has recovery codes too: a lost device must not lock anybody out. */
async function firstRecoveryCodes(db: Db, platform: Platform, personId: string) {
  const factors = await listFactors(db, personId)
  return factors.includes('recovery') ? [] : makeRecoveryCodes(db, platform, personId)
}

/**
 * After a factor went, in the same transaction: recovery codes go with the last one, which has to stay where the
 * identity type asks for it. @throws factor.last_required
 */
export async function settleAfterRemoval(db: Db, personId: string, required: boolean) {
  if ((await listFactors(db, personId)).length > 0) return
  if (required) fail('factor.last_required')
  await deleteRecoveryCodes(db, personId)
}
