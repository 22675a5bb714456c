import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '#platform/concurrency.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'

/** Argon2id as recommended by OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Dummy hash with no known password: an unknown name takes as long as a wrong password. */
const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$DZER08lSv9qIvGbdu8YuHg$dhikQDnuNKNQNKkhARaIvCceJWq2jBMQlHxuSI0Tt4Q'

/** Queue limit; callers beyond it would wait too long. */
const maxQueue = 500

/**
 * Hashing occupies threads and memory: concurrency is limited and further calls are queued.
 * @throws server.unavailable
 */
export function openHashing(threads: number) {
  const queued = limitConcurrency(threads, maxQueue, () =>
    fail('server.unavailable', { retryAfter: 5 }),
  )
  return {
    hash: (password: string) => queued(() => hash(password.normalize('NFKC'), parameters)),
    /** Whether the password matches the hash; takes the same time without a hash. */
    matches: (passwordHash: string | null | undefined, password: string) =>
      queued(
        async () =>
          (await verify(passwordHash ?? dummyHash, password.normalize('NFKC')).catch(
            () => false,
          )) && !!passwordHash,
      ),
  }
}
type Hashing = ReturnType<typeof openHashing>

let shared: Hashing | undefined
/** The process-wide queue for all hashing. */
export const hashingOf = ({ env }: Platform): Hashing => {
  shared ??= openHashing(env.ATRIUM_HASH_THREADS)
  return shared
}

/** Whether a hash was made with outdated parameters. */
export const isHashOutdated = (passwordHash: string) =>
  !passwordHash.startsWith(
    `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`,
  )

/** Whether a password has exceeded its maximum age. @param maxDays 0: never */
export const isPasswordExpired = (changedAt: string | null, maxDays: number) =>
  maxDays > 0 && (!changedAt || Date.now() - Date.parse(changedAt) > maxDays * 86_400_000)
