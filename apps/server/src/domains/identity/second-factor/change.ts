import type { Static } from '@atrium/contract/define'
import type { NewCredential } from '@atrium/contract/identity/second-factor'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { storePasskey } from './passkeys.ts'
import { deleteRecoveryCodes, listFactors, upsertTotp } from './queries.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { enrolledSecret, totpStep } from './totp.ts'

/**
 * Registers an authenticator app with its first code; in a transaction with the person locked.
 * @returns recovery codes if the person had none
 * @throws factor.enrolment_expired, factor.refused
 */
export async function addTotp(
  db: Db,
  platform: Platform,
  personId: string,
  input: { enrolment: string; code: string },
): Promise<string[]> {
  const secret =
    enrolledSecret(platform, personId, input.enrolment) ?? fail('factor.enrolment_expired')
  const step = totpStep(secret, input.code) ?? fail('factor.refused')
  await upsertTotp(db, personId, platform.secret.encrypt(secret), step)
  return firstRecoveryCodes(db, platform, personId)
}

/** Stores a passkey; in a transaction with the person locked. @returns it, and recovery codes if there were none */
export async function addPasskey(
  db: Db,
  platform: Platform,
  personId: string,
  input: { credential: Static<typeof NewCredential>; name: string; key: string },
) {
  const passkey = await storePasskey(db, platform, { personId, ...input })
  return { passkey, recoveryCodes: await firstRecoveryCodes(db, platform, personId) }
}

/** Creates recovery codes with the first factor, so that a lost device locks nobody out. */
async function firstRecoveryCodes(db: Db, platform: Platform, personId: string) {
  const factors = await listFactors(db, personId)
  return factors.includes('recovery') ? [] : createRecoveryCodes(db, platform, personId)
}

/**
 * Call after removing a factor, in the same transaction: deletes recovery codes with the last factor, which may not be
 * removed if the identity type requires one.
 * @throws factor.last_required
 */
export async function cleanUpAfterRemoval(db: Db, personId: string, required: boolean) {
  if ((await listFactors(db, personId)).length > 0) return
  if (required) fail('factor.last_required')
  await deleteRecoveryCodes(db, personId)
}
