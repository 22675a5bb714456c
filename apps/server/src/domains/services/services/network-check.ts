import { LRUCache } from 'lru-cache'
import { fetchOutside, OutboundError } from '#platform/outbound/outbound.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'

export type Reach = 'yes' | 'no' | 'unknown' | 'inside'

const patienceSeconds = 2
const maxAtOnce = 20
type Memory = { known: LRUCache<string, Reach>; asking: Map<string, Promise<Reach>> }
const memoryOf = definePart<Memory>(() => ({
  known: new LRUCache({ max: 5000, ttl: 60_000 }),
  asking: new Map(),
}))

/**
 * Whether a service responds to this server; cached for a minute, with at most one request per origin at a time.
 * `inside`: its name resolves into a network closed to outbound requests. `unknown` if too many checks are running.
 */
export async function reachOf(platform: Platform, address: string): Promise<Reach> {
  const { known, asking } = memoryOf(platform)
  if (!URL.canParse(address) || !/^https?:/.test(address)) return 'unknown'
  const { origin } = new URL(address)
  const before = known.get(origin)
  if (before) return before
  const under = asking.get(origin)
  if (under) return under
  if (asking.size >= maxAtOnce) return 'unknown'
  const started = ask(platform, origin)
    .then((reach) => {
      known.set(origin, reach)
      return reach
    })
    .finally(() => asking.delete(origin))
  asking.set(origin, started)
  return started
}

async function ask({ env }: Platform, origin: string): Promise<Reach> {
  try {
    // Any answer shows that it is reachable.
    await fetchOutside(origin, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      method: 'HEAD',
      headersOnly: true,
      seconds: patienceSeconds,
      redirects: 0,
    })
    return 'yes'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.because === 'closed') return 'inside'
    return error.network === 'ENOTFOUND' || error.network === 'ECONNREFUSED' ? 'no' : 'unknown'
  }
}
