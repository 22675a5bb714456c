import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { Captcha } from '@atrium/contract/identity/identity'
import { sql } from 'kysely'
import type { Platform } from '#platform/platform.ts'

/** minutes for which a puzzle can be solved */
const minutes = 10
/** Range of the secret number, i.e. hashes per attempt: about a second on a cheap phone, unnoticeable elsewhere. */
const difficulty = { min: 30_000, max: 60_000 }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * A proof-of-work puzzle, solved by the device without user interaction: find the number that, appended to `salt`, has
 * the SHA-256 `challenge`. The format is ALTCHA's, so that its clients can solve it.
 */
export function newCaptcha(platform: Platform): Captcha {
  const expires = Math.floor(Date.now() / 1000) + minutes * 60
  const salt = `${randomBytes(8).toString('hex')}?expires=${expires}&`
  const challenge = sha256(salt + randomInt(difficulty.min, difficulty.max))
  return {
    algorithm: 'SHA-256',
    challenge,
    maxnumber: difficulty.max,
    salt,
    signature: platform.secret.sign('captcha', challenge),
  }
}

/**
 * Whether this solves one of our puzzles, in time and for the first time. A correct solution is consumed.
 * @param solution base64 of the JSON {challenge, salt, number, signature}, as ALTCHA's clients send it
 */
export async function checkCaptcha(platform: Platform, solution: string | undefined) {
  const { challenge, salt, number, signature } = parseSolution(solution)
  const expires = Number(/\?expires=(\d{1,12})&$/.exec(salt)?.[1] ?? 0)
  if (expires * 1000 < Date.now() || !Number.isInteger(number)) return false
  if (sha256(salt + number) !== challenge) return false
  if (!platform.secret.verify('captcha', challenge, signature)) return false
  const consumed = await platform.db
    .insertInto('captcha_used')
    .values({ key_hash: challenge, expires_at: sql<string>`to_timestamp(${expires})` })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key_hash')
    .executeTakeFirst()
  return consumed !== undefined
}

function parseSolution(solution: string | undefined) {
  let payload: Record<string, unknown> | null = null
  try {
    payload = JSON.parse(Buffer.from(solution ?? '', 'base64').toString('utf8'))
  } catch {
    // malformed input is treated as unsolved
  }
  return {
    challenge: String(payload?.challenge ?? ''),
    salt: String(payload?.salt ?? ''),
    number: Number(payload?.number ?? Number.NaN),
    signature: String(payload?.signature ?? ''),
  }
}
