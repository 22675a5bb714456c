import { randomInt } from 'node:crypto'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { replaceRecoveryCodes, takeRecoveryCode } from './queries.ts'

const howMany = 10
// 31 signs that nobody takes for one another; twelve of them are 59 bits.
const signs = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten new codes in the place of those before, to be shown once. */
export async function makeRecoveryCodes(
  db: Db,
  platform: Platform,
  personId: string,
): Promise<string[]> {
  const codes = Array.from({ length: howMany }, () =>
    Array.from({ length: 3 }, () =>
      Array.from({ length: 4 }, () => signs[randomInt(signs.length)]).join(''),
    ).join('-'),
  )
  await replaceRecoveryCodes(
    db,
    personId,
    codes.map((code) => hashOf(platform, personId, code)),
  )
  return codes
}

/** Uses a code up, however it was typed. @returns false: it is none, or was used */
export const spendRecoveryCode = (db: Db, platform: Platform, personId: string, code: string) =>
  takeRecoveryCode(db, personId, hashOf(platform, personId, code))

/** With the installation's secret, so that nobody can try codes on what the database holds. */
const hashOf = (platform: Platform, personId: string, code: string) =>
  platform.secret.sign(
    'recovery-code',
    `${personId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`,
  )
