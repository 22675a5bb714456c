import { randomInt } from 'node:crypto'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { consumeRecoveryCode, replaceRecoveryCodes } from './queries.ts'

const codeCount = 10
// 31 unambiguous characters; twelve of them have 59 bits.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Replaces the recovery codes by ten new ones, to be shown once. */
export async function createRecoveryCodes(
  db: Db,
  platform: Platform,
  personId: string,
): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () =>
    Array.from({ length: 3 }, () =>
      Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    ).join('-'),
  )
  await replaceRecoveryCodes(
    db,
    personId,
    codes.map((code) => hashOf(platform, personId, code)),
  )
  return codes
}

/** Consumes a code, ignoring case and separators. @returns false if it is wrong or was used */
export const redeemRecoveryCode = (db: Db, platform: Platform, personId: string, code: string) =>
  consumeRecoveryCode(db, personId, hashOf(platform, personId, code))

/** Keyed with the installation's secret, so that codes cannot be tested against a leaked database. */
const hashOf = (platform: Platform, personId: string, code: string) =>
  platform.secret.sign(
    'recovery-code',
    `${personId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`,
  )
