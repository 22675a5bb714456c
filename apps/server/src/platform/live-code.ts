import { createHmac } from 'node:crypto'
import { codeLength } from '@atrium/contract/learning/study'
import { sql } from 'kysely'

/** Validity of a displayed code, in seconds. */
const stepSeconds = 30
/** Number of previous codes still accepted, to allow time for reading and typing. */
const grace = 1
/** Number of previous codes reported as late instead of wrong: ten minutes. */
const remembered = 20

export const stepOf = (milliseconds: number) => Math.floor(milliseconds / 1000 / stepSeconds)
export const stepEndsAt = (step: number) => (step + 1) * stepSeconds * 1000

/** The RFC 6238 code for this key. */
export function codeAt(key: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha256', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** codeLength).padStart(codeLength, '0')
}

/** Checks a code at a given time. Full-width digits and spaces are accepted. */
export function checkCode(key: string, given: string, now: number): 'good' | 'late' | 'wrong' {
  const code = given.normalize('NFKC').replaceAll(/\s/g, '')
  const step = stepOf(now)
  for (let back = 0; back <= remembered; back++)
    if (codeAt(key, step - back) === code) return back <= grace ? 'good' : 'late'
  return 'wrong'
}

/** More wrong codes than this within a minute count as guessing and are blocked for a minute. */
const maxWrong = 10
const waitSeconds = 60
const isRecent = sql`wrong_at > now() - make_interval(secs => ${sql.lit(waitSeconds)})`

/** The number of wrong codes that still count, for a row with `wrong_codes` and `wrong_at`. */
export const wrongCodeCount = sql<number>`case when ${isRecent} then wrong_codes else 0 end`
/** Assignments that record a wrong code in such a row. */
export const recordWrongCode = sql`wrong_codes = case when ${isRecent} then wrong_codes + 1 else 1 end, wrong_at = now()`
/** Seconds to wait after this many wrong codes, if any. */
export const retryDelay = (wrong: number) => (wrong >= maxWrong ? waitSeconds : undefined)
