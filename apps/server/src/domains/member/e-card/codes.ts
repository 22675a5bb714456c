import { randomInt } from 'node:crypto'
import { codeSeconds, codesSeconds } from '@atrium/contract/member/e-card'
import { Secret, TOTP } from 'otpauth'

/** Prefix by which terminals tell these codes from others. */
const prefix = '86'
const [handleDigits, codeDigits] = [8, 8]
/** Tolerance for slow readers and terminal clocks. */
const toleranceSeconds = 20

export const newHandle = () => String(randomInt(10 ** handleDigits)).padStart(handleDigits, '0')
export const newSeed = () => new Secret({ size: 20 }).base32

const totpOf = (seed: string) =>
  new TOTP({
    algorithm: 'SHA256',
    digits: codeDigits,
    period: codeSeconds,
    secret: Secret.fromBase32(seed),
  })

const timeStepAt = (now: number) => Math.floor(now / 1000 / codeSeconds)

/** The current code and those of the next ten minutes. */
export function codesFrom(handle: string, seed: string, now: number) {
  const totp = totpOf(seed)
  return Array.from({ length: codesSeconds / codeSeconds + 1 }, (_, index) => {
    const from = (timeStepAt(now) + index) * codeSeconds * 1000
    return {
      code: `${prefix}${handle}${totp.generate({ timestamp: from })}`,
      from: new Date(from).toISOString(),
      until: new Date(from + codeSeconds * 1000).toISOString(),
    }
  })
}

export function splitCode(text: string): { handle: string; code: string } | undefined {
  if (!text.startsWith(prefix)) return undefined
  const handle = text.slice(prefix.length, prefix.length + handleDigits)
  return { handle, code: text.slice(prefix.length + handleDigits) }
}

/**
 * The time step of a code. Accepts the current step, the previous one for a short time, and the next one for inaccurate
 * clocks.
 * @returns `late` for an earlier step; undefined if the code is invalid
 */
export function verifyCode(
  seed: string,
  code: string,
  now: number,
): { step: number } | { late: true } | undefined {
  const delta = totpOf(seed).validate({
    token: code,
    timestamp: now,
    window: codesSeconds / codeSeconds + 1,
  })
  if (delta === null) return undefined
  const step = timeStepAt(now) + delta
  // A future code was copied from a device in advance; no device shows it yet.
  if (delta > 1) return undefined
  return now / 1000 <= (step + 1) * codeSeconds + toleranceSeconds ? { step } : { late: true }
}
