import { createHmac } from 'node:crypto'
import { codeLength } from '@atrium/contract/learning/study'
import { sql } from 'kysely'

/** How long a code is shown, in seconds. */
const stepSeconds = 30
/** Codes that still hold after the one that is shown: reading and typing takes a while. */
const grace = 1
/** Older ones that are told apart from wrong ones: ten minutes. */
const remembered = 20

export const stepOf = (milliseconds: number) => Math.floor(milliseconds / 1000 / stepSeconds)
export const stepEnds = (step: number) => (step + 1) * stepSeconds * 1000

/** As RFC 6238 reckons it, with the key of what it is shown for. */
export function codeAt(key: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha256', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** codeLength).padStart(codeLength, '0')
}

/** What a code is at this moment. Someone who reads figures of another script or adds a space means the same. */
export function judgeCode(key: string, given: string, now: number): 'good' | 'late' | 'wrong' {
  const code = given.normalize('NFKC').replaceAll(/\s/g, '')
  const step = stepOf(now)
  for (let back = 0; back <= remembered; back++)
    if (codeAt(key, step - back) === code) return back <= grace ? 'good' : 'late'
  return 'wrong'
}

/** Whoever gives more wrong codes in a minute guesses, and waits for one. */
const maxWrong = 10
const waitSeconds = 60
const isRecent = sql`wrong_at > now() - make_interval(secs => ${sql.lit(waitSeconds)})`

/** How many wrong codes count against somebody, of a row with `wrong_codes` and `wrong_at`. */
export const countsWrong = sql<number>`case when ${isRecent} then wrong_codes else 0 end`
/** What a wrong code sets in it. */
export const setWrong = sql`wrong_codes = case when ${isRecent} then wrong_codes + 1 else 1 end, wrong_at = now()`
/** Seconds that somebody with so many has to wait, if any. */
export const waitAfter = (wrong: number) => (wrong >= maxWrong ? waitSeconds : undefined)
