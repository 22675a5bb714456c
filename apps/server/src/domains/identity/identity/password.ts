import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '#platform/concurrency.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'

/** Argon2id as OWASP's password storage sheet asks: 19 MiB, two passes, one lane. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash nobody has the password of: an unknown name costs the same time as a wrong password. */
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$DZER08lSv9qIvGbdu8YuHg$dhikQDnuNKNQNKkhARaIvCceJWq2jBMQlHxuSI0Tt4Q'

/** More than this in line would wait longer than anybody does. */
const maxLine = 500

/** Hashing fills whole threads and memory: only so many at a time, the others wait in line. @throws server.unavailable */
export function openHashing(threads: number) {
  const inTurn = limitConcurrency(threads, maxLine, () =>
    fail('server.unavailable', { retryAfter: 5 }),
  )
  return {
    hash: (password: string) => inTurn(() => hash(password.normalize('NFKC'), parameters)),
    /** Whether the password is the one of this hash; takes the same time without a hash. */
    matches: (passwordHash: string | null | undefined, password: string) =>
      inTurn(
        async () =>
          (await verify(passwordHash ?? nobody, password.normalize('NFKC')).catch(() => false)) &&
          !!passwordHash,
      ),
  }
}
type Hashing = ReturnType<typeof openHashing>

let shared: Hashing | undefined
/** The one line that everything hashed for callers waits in. */
export const hashingOf = ({ env }: Platform): Hashing => {
  shared ??= openHashing(env.ATRIUM_HASH_THREADS)
  return shared
}

/** Whether a hash was made with other parameters than today's. */
export const hashIsOld = (passwordHash: string) =>
  !passwordHash.startsWith(
    `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`,
  )

/** Whether a password has to be changed for its age. @param maxDays 0: never */
export const passwordIsOld = (changedAt: string | null, maxDays: number) =>
  maxDays > 0 && (!changedAt || Date.now() - Date.parse(changedAt) > maxDays * 86_400_000)
