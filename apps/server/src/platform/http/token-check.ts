import { errors as joseErrors } from 'jose'
import { LRUCache } from 'lru-cache'
import { limitConcurrency } from '#platform/concurrency.ts'
import type { Topics } from '#platform/database/topics.ts'
import type { SigningKeys } from '#platform/signing-keys.ts'
import { fail } from './errors.ts'

/** Characters of a token at most; ours have about 900. */
const maxTokenLength = 4000

/** A signature takes 0.1 ms of a core: more than this waiting is a flood, and is refused before it fills the queue. */
const maxWaitingSignatures = 2000

/** The audience (aud) of id tokens: the portal and its API. */
export const tokenAudience = 'portal'

/** A token whose signature holds. */
type Signed = { sessionId: string; expiresAt: number }

export type TokenCheck = {
  /** @throws session.expired where it is none of ours, or its time is over */
  verify: (token: string) => Promise<Signed>
  /** Whether no key has come or gone since they were read. */
  isCurrent: () => boolean
  /** Reads the keys anew where they may have changed. */
  refresh: () => Promise<void>
}

/**
 * Checks the signatures of tokens by the keys of this installation.
 * @param onChange when keys were read anew: one may be gone, and with it what was signed by it
 */
export function openTokenCheck(
  keys: SigningKeys,
  topics: Topics,
  onChange: () => void,
): TokenCheck {
  const signed = new LRUCache<string, Signed>({ max: 10_000 })
  const inTurn = limitConcurrency(4, maxWaitingSignatures, () =>
    fail('server.unavailable', { retryAfter: 2 }),
  )
  let news = 0
  let readStamp = -1
  let readAt = 0
  /** Grows with each reading: what was checked before that may be out of date. */
  let readings = 0

  topics.on(({ kind }) => {
    if (kind !== 'signing-key') return
    news += 1
    // Where it fails, the next request tries again.
    read().catch(() => {})
  })
  const wanted = () => news + topics.stamp([])
  async function read() {
    const stamp = wanted()
    await keys.reload()
    readStamp = stamp
    readAt = Date.now()
    readings += 1
    signed.clear()
    onChange()
  }

  return {
    async verify(token) {
      if (token.length > maxTokenLength) fail('session.expired')
      let entry = signed.get(token)
      if (!entry) {
        const before = readings
        const claims = await inTurn(() =>
          keys.verify(token, { type: 'idt+jwt', audience: tokenAudience }),
        ).catch((error) => {
          if (error instanceof joseErrors.JOSEError || (error as Error).message === 'unknown key')
            fail('session.expired')
          throw error
        })
        const sessionId = String(claims.jti).split('.')[0] ?? ''
        if (!/^[0-9a-f-]{36}$/.test(sessionId)) fail('session.expired')
        entry = { sessionId, expiresAt: Number(claims.exp) * 1000 }
        // Its key may have gone while it was being checked: good for this answer at most.
        if (readings === before) signed.set(token, entry)
      }
      if (entry.expiresAt <= Date.now()) fail('session.expired')
      return entry
    },
    isCurrent: () => wanted() === readStamp,
    async refresh() {
      // While nothing is heard of other nodes, a key that is gone is missed within a second.
      const mayBeOld = !topics.connected() && Date.now() - readAt > 1000
      if (mayBeOld || wanted() !== readStamp) await read()
    },
  }
}
