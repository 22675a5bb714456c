import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '#platform/secret.ts'
import type { Party } from './parties.ts'

/** 256 random bits, so a plain hash cannot be reversed by guessing. */
export function newSecret() {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

/** Verifies a client's secret; always false for a client without one. */
export function verifySecret({ secretHash }: Party, given: string): boolean {
  return Boolean(secretHash) && isSameSecret(hashOf(given), secretHash ?? '')
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
