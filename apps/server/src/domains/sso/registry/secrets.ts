import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '#platform/secret.ts'
import type { Party } from './parties.ts'

/** 256 random bits: a plain hash of them cannot be guessed back. */
export function newSecret() {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

/** Whether a client knows its secret; one without a secret never does. */
export function knowsSecret({ secretHash }: Party, given: string): boolean {
  return Boolean(secretHash) && isSameSecret(hashOf(given), secretHash ?? '')
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
