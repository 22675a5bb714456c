import { LRUCache } from 'lru-cache'
import { defineState } from '#platform/area-state.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'

export type Reachability = 'yes' | 'no' | 'unknown' | 'inside'

const timeoutSeconds = 2
const maxConcurrent = 20
type Cache = {
  results: LRUCache<string, Reachability>
  pending: Map<string, Promise<Reachability>>
}
const cacheOf = defineState<Cache>(() => ({
  results: new LRUCache({ max: 5000, ttl: 60_000 }),
  pending: new Map(),
}))

/**
 * Whether a service responds to this server; cached for a minute, with at most one request per origin at a time.
 * `inside`: its name resolves into a network closed to outbound requests. `unknown` if too many checks are running.
 */
export async function checkReachability(
  platform: Platform,
  address: string,
): Promise<Reachability> {
  const { results, pending } = cacheOf(platform)
  if (!URL.canParse(address) || !/^https?:/.test(address)) return 'unknown'
  const { origin } = new URL(address)
  const cached = results.get(origin)
  if (cached) return cached
  const running = pending.get(origin)
  if (running) return running
  if (pending.size >= maxConcurrent) return 'unknown'
  const started = requestOrigin(platform, origin)
    .then((reach) => {
      results.set(origin, reach)
      return reach
    })
    .finally(() => pending.delete(origin))
  pending.set(origin, started)
  return started
}

async function requestOrigin({ env }: Platform, origin: string): Promise<Reachability> {
  try {
    // Any answer shows that it is reachable.
    await fetchExternal(origin, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      method: 'HEAD',
      headersOnly: true,
      seconds: timeoutSeconds,
      redirects: 0,
    })
    return 'yes'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.because === 'closed') return 'inside'
    return error.network === 'ENOTFOUND' || error.network === 'ECONNREFUSED' ? 'no' : 'unknown'
  }
}
