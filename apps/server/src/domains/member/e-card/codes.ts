import { randomInt } from 'node:crypto'
import { codeSeconds, codesSeconds } from '@atrium/contract/member/e-card'
import { Secret, TOTP } from 'otpauth'

/** Before every code, so that a terminal knows it among other codes. */
const prefix = '86'
const [handleDigits, codeDigits] = [8, 8]
/** A terminal's clock and a member's reading take a while. */
const lateSeconds = 20

export const newHandle = () => String(randomInt(10 ** handleDigits)).padStart(handleDigits, '0')
export const newSeed = () => new Secret({ size: 20 }).base32

const totpOf = (seed: string) =>
  new TOTP({
    algorithm: 'SHA256',
    digits: codeDigits,
    period: codeSeconds,
    secret: Secret.fromBase32(seed),
  })

const stepAt = (now: number) => Math.floor(now / 1000 / codeSeconds)

/** The codes of the next ten minutes, and the one now. */
export function codesFrom(handle: string, seed: string, now: number) {
  const totp = totpOf(seed)
  return Array.from({ length: codesSeconds / codeSeconds + 1 }, (_, index) => {
    const from = (stepAt(now) + index) * codeSeconds * 1000
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
 * The step whose code this is: the one now, the one before it for a while, the next for clocks that go wrong.
 * `late`: it was one of the steps before. Nothing: it is of none.
 */
export function readCode(
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
  const step = stepAt(now) + delta
  // What is still to come was read off a device before its time: nobody shows that.
  if (delta > 1) return undefined
  return now / 1000 <= (step + 1) * codeSeconds + lateSeconds ? { step } : { late: true }
}
