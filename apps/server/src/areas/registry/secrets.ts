import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Party } from './parties.ts'

/** 256 random bits: a plain hash of them cannot be guessed back. */
export function newSecret() {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

/** Whether a client knows its secret; one without a secret never does. */
export function knowsSecret({ secretHash }: Party, given: string): boolean {
  if (!secretHash) return false
  const wanted = Buffer.from(secretHash)
  const got = Buffer.from(hashOf(given))
  return wanted.length === got.length && timingSafeEqual(wanted, got)
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
