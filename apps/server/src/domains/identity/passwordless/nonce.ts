import { randomBytes } from 'node:crypto'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'

const nonceMinutes = 10

/**
 * Makes a nonce that is not stored until a code is sent for it, so anybody may request any number. The row of its code
 * makes it single-use.
 */
export function createNonce(platform: Platform): string {
  const text = `${Date.now() + nonceMinutes * 60_000}.${randomBytes(18).toString('base64url')}`
  return `${text}.${platform.secret.sign('nonce', text)}`
}

/** @throws code.request_used: not ours, or expired */
export function requireNonce(platform: Platform, nonce: string) {
  const [until = '', random = '', signature = ''] = nonce.split('.')
  const text = `${until}.${random}`
  if (!platform.secret.verify('nonce', text, signature) || !(Number(until) > Date.now()))
    fail('code.request_used')
}
