import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

/** Validity of a robot token in seconds. */
const lifetime = 2 * 3600
const purpose = 'robot token'

/** A token for the header `userToken`. It is bound to the session and useless without the caller's id token. */
export function createUserToken({ secret }: Platform, { sessionId }: Member) {
  const until = Math.floor(Date.now() / 1000) + lifetime
  return {
    userToken: `${until}.${secret.sign(purpose, `${sessionId} ${until}`)}`,
    expiresIn: lifetime,
  }
}

export function isUserToken({ secret }: Platform, { sessionId }: Member, token: string): boolean {
  const [until = '', signature = ''] = token.split('.')
  return (
    /^\d{1,12}$/.test(until) &&
    Number(until) * 1000 > Date.now() &&
    secret.verify(purpose, `${sessionId} ${until}`, signature)
  )
}
