import type { WebAddress } from '@atrium/contract/shell/webview'
import { LRUCache } from 'lru-cache'
import { defineState } from '#platform/area-state.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { allowsFraming } from './rules.ts'

export type Framing = WebAddress['framing']

const patience = 3000
/** Cache time in ms; a site that did not answer may be back soon. */
const ttlMs = { answered: 10 * 60_000, silent: 60_000 }
/**
 * New addresses per minute that a viewer can make us request; beyond it they count as unknown. A campus shares an IP.
 */
const maxAsked = { member: 20, visitor: 200 }
/** Maximum number of sites requested concurrently. */
const maxAtOnce = 20

type Memory = {
  known: LRUCache<string, Framing>
  asking: Map<string, Promise<Framing>>
  asked: LRUCache<string, number>
}
const memoryOf = defineState<Memory>(() => ({
  known: new LRUCache({ max: 2000 }),
  asking: new Map(),
  asked: new LRUCache({ max: 10_000, ttl: 60_000, noUpdateTTL: true }),
}))

/**
 * Whether a site allows our origin to frame it, according to its headers; cached by host and path. Callers pass only
 * addresses that operators have registered, so others cannot choose what we request.
 * @param viewer key for counting requests
 */
export async function checkFraming(
  platform: Platform,
  url: URL,
  viewer: { key: string; isMember: boolean },
): Promise<Framing> {
  const { known, asking, asked } = memoryOf(platform)
  // Without the query, which may be personal or trigger an action.
  const address = url.origin + url.pathname
  const before = known.get(address)
  if (before) return before
  const under = asking.get(address)
  if (under) return under
  const count = (asked.get(viewer.key) ?? 0) + 1
  if (asking.size >= maxAtOnce || count > maxAsked[viewer.isMember ? 'member' : 'visitor'])
    return 'unknown'
  asked.set(viewer.key, count)
  const started = ask(platform, address)
    .then((framing) => {
      const isAnswer = framing === 'allowed' || framing === 'refused'
      known.set(address, framing, { ttl: isAnswer ? ttlMs.answered : ttlMs.silent })
      return framing
    })
    .finally(() => asking.delete(address))
  asking.set(address, started)
  return started
}

async function ask(platform: Platform, address: string): Promise<Framing> {
  const until = Date.now() + patience
  const request = (method: 'HEAD' | 'GET') =>
    fetchExternal(address, {
      allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
      method,
      headersOnly: true,
      seconds: Math.max(1, until - Date.now()) / 1000,
    })
  try {
    let answer = await request('HEAD')
    if (answer.status >= 400) answer = await request('GET')
    const site = new URL(answer.address)
    // A redirect elsewhere, such as to a central login, is not what a member would see.
    if (site.origin !== new URL(address).origin) return 'unknown'
    if (answer.status >= 400) return 'unknown'
    return allowsFraming(answer.headers, site, new URL(platform.origin())) ? 'allowed' : 'refused'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // Only definite errors count: the name does not exist or the connection is refused. Otherwise we may be offline.
    return ['ENOTFOUND', 'ECONNREFUSED'].includes(error.network ?? '') ? 'unreachable' : 'unknown'
  }
}
