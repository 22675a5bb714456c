import { errors as joseErrors } from 'jose'
import { LRUCache } from 'lru-cache'
import { limitConcurrency } from '#platform/concurrency.ts'
import type { Topics } from '#platform/database/topics.ts'
import type { SigningKeys } from '#platform/signing-keys.ts'
import { fail } from './errors.ts'

/** Maximum length of a token; ours have about 900 characters. */
const maxTokenLength = 4000

/** A signature takes 0.1 ms of a core: more waiting than this is a flood and is refused. */
const maxWaitingSignatures = 2000

/** The audience (aud) of id tokens: the portal and its API. */
export const tokenAudience = 'portal'

/** The content of a token with a valid signature. */
type Signed = { sessionId: string; expiresAt: number }

export type TokenCheck = {
  /** @throws session.expired if it is not ours or has expired */
  verify: (token: string) => Promise<Signed>
  /** Whether the keys are up to date. */
  isCurrent: () => boolean
  /** Reloads the keys if they may have changed. */
  refresh: () => Promise<void>
}

/**
 * Verifies token signatures with this installation's keys.
 * @param onChange called after reloading the keys: tokens signed by a deleted key are no longer valid
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
  /** Incremented with each reload: a check that started before it may be stale. */
  let readings = 0

  topics.on(({ kind }) => {
    if (kind !== 'signing-key') return
    news += 1
    // If it fails, the next request tries again.
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
        // Its key may have been deleted during the check: use the result for this request only.
        if (readings === before) signed.set(token, entry)
      }
      if (entry.expiresAt <= Date.now()) fail('session.expired')
      return entry
    },
    isCurrent: () => wanted() === readStamp,
    async refresh() {
      // Without notifications from other nodes, reload at least every second, so that a deleted key is noticed.
      const mayBeOld = !topics.connected() && Date.now() - readAt > 1000
      if (mayBeOld || wanted() !== readStamp) await read()
    },
  }
}
