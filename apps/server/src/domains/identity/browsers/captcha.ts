import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { Captcha } from '@atrium/contract/identity/identity'
import { sql } from 'kysely'
import type { Platform } from '#platform/platform.ts'

/** minutes for which a puzzle can be solved */
const minutes = 10
/** Range of the secret number, i.e. hashes per attempt: about a second on a cheap phone, unnoticeable elsewhere. */
const work = { min: 30_000, max: 60_000 }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * A proof-of-work puzzle, solved by the device without user interaction: find the number that, appended to `salt`, has
 * the SHA-256 `challenge`. The format is ALTCHA's, so that its clients can solve it.
 */
export function newCaptcha(platform: Platform): Captcha {
  const expires = Math.floor(Date.now() / 1000) + minutes * 60
  const salt = `${randomBytes(8).toString('hex')}?expires=${expires}&`
  const challenge = sha256(salt + randomInt(work.min, work.max))
  return {
    algorithm: 'SHA-256',
    challenge,
    maxnumber: work.max,
    salt,
    signature: platform.secret.sign('captcha', challenge),
  }
}

/**
 * Whether this solves one of our puzzles, in time and for the first time. A correct solution is consumed.
 * @param given base64 of the JSON {challenge, salt, number, signature}, as ALTCHA's clients send it
 */
export async function checkCaptcha(platform: Platform, given: string | undefined) {
  const { challenge, salt, number, signature } = read(given)
  const expires = Number(/\?expires=(\d{1,12})&$/.exec(salt)?.[1] ?? 0)
  if (expires * 1000 < Date.now() || !Number.isInteger(number)) return false
  if (sha256(salt + number) !== challenge) return false
  if (!platform.secret.verify('captcha', challenge, signature)) return false
  const taken = await platform.db
    .insertInto('captcha_used')
    .values({ key_hash: challenge, expires_at: sql<string>`to_timestamp(${expires})` })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key_hash')
    .executeTakeFirst()
  return taken !== undefined
}

function read(given: string | undefined) {
  let said: Record<string, unknown> | null = null
  try {
    said = JSON.parse(Buffer.from(given ?? '', 'base64').toString('utf8'))
  } catch {
    // malformed input is treated as unsolved
  }
  return {
    challenge: String(said?.challenge ?? ''),
    salt: String(said?.salt ?? ''),
    number: Number(said?.number ?? Number.NaN),
    signature: String(said?.signature ?? ''),
  }
}
