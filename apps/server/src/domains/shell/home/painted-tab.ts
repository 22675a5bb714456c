import type { Reply } from '@atrium/contract/define'
import { config } from '@atrium/contract/shell/config'
import type { home, PaintedTab } from '@atrium/contract/shell/home'
import { dayIn } from '@atrium/rules/day-in'
import { detectEnvironment } from '@atrium/rules/user-agent'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { languageOf } from '#platform/http/negotiation.ts'
import { deviceAgents, type Painter } from '#platform/http/painter.ts'
import type { Context } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import type { PaintedFor } from './painted-for.ts'
import { byKey, startsPlainly } from './starts-plainly.ts'

/** Rendering occupies the node; beyond this number at once, the app shows its own first screen. */
const maxConcurrent = 8
/** Milliseconds. A system that answers later than this would delay the first screen instead of speeding it up. */
const maxWait = 1500
/** Maximum age in ms of what all visitors are shown. */
const ttlMs = 60_000
/** Topics of what visitors are shown. */
const topics = ['audience', 'config', 'directory', 'services'] as const

/**
 * Renders a tab from the answers to its first requests, which are made in this process: with a member's token, so that
 * they pass the same checks and caches as the member's own. What visitors are shown is cached until it changes.
 */
export function openPaintedTab(painter: Painter | undefined) {
  let rendering = 0
  const forVisitors = new LRUCache<string, { stamp: string; painted: PaintedTab | null }>({
    max: 20,
    ttl: ttlMs,
  })
  const pendingForVisitors = new Map<string, Promise<PaintedTab | null>>()

  return async (context: Context<typeof home.paintedTab>): Promise<PaintedTab | null> => {
    const { request, query, platform, viewer } = context
    const built = painter?.builtAt()
    if (!painter || !built) return null
    // Container apps have their own bars and buttons, which the page adapts to.
    const { container, isMobile } = detectEnvironment(request.headers['user-agent'] ?? '')
    if (container !== 'browser') return null
    const { timeZone } = await currentSettings(platform)
    // Times would change when the app replaces them.
    if (query.timeZone !== timeZone) return null
    const language = languageOf(request.headers['accept-language'])
    const device = isMobile ? 'phone' : 'computer'
    const visit = {
      path: query.path,
      device,
      timeZone,
      today: dayIn(new Date(), timeZone),
    } as const

    if (viewer.signedIn) {
      if (rendering >= maxConcurrent) return null
      rendering++
      return paint('member', memberHeaders(request)).finally(() => {
        rendering--
      })
    }

    if (!platform.bodies || !platform.topics.connected()) return null
    const key = [language, visit.path, device, timeZone].join(' ')
    const stamp = `${built} ${platform.topics.stamp(topics)}`
    const cached = forVisitors.get(key)
    if (cached?.stamp === stamp) return cached.painted
    const shared = `${stamp} ${key}`
    // Nothing of the one visitor whose request it is: all others are shown the same.
    const headers = { 'accept-language': language, 'user-agent': deviceAgents[device] }
    const pending =
      pendingForVisitors.get(shared) ??
      paint('visitor', headers)
        .then((painted) => {
          forVisitors.set(key, { stamp, painted })
          return painted
        })
        .finally(() => pendingForVisitors.delete(shared))
    pendingForVisitors.set(shared, pending)
    return pending

    async function paint(whom: PaintedFor['kind'], headers: Headers): Promise<PaintedTab | null> {
      try {
        const painted = await painter?.paintTab(language, { ...visit, for: whom }, (addresses) =>
          withTimeout(readAnswers(request, whom, headers, addresses)),
        )
        return painted ?? null
      } catch (error) {
        // The app also works without it.
        request.log.error({ err: error }, 'a tab could not be rendered')
        return null
      }
    }
  }
}

type Headers = Record<string, string | string[]>

const memberHeaders = ({ headers }: FastifyRequest): Headers =>
  Object.fromEntries(
    ['x-id-token', 'accept-language', 'user-agent'].flatMap((name) => {
      const value = headers[name]
      return value ? [[name, value]] : []
    }),
  )

async function readAnswers(
  request: FastifyRequest,
  whom: PaintedFor['kind'],
  headers: Headers,
  addresses: readonly string[],
) {
  const answers = await Promise.all(
    addresses.map(async (url) => {
      const reply = await request.server.inject({ url, headers, remoteAddress: request.ip })
      return [url, reply.statusCode === 200 ? reply.json().data : undefined] as const
    }),
  )
  if (answers.some(([, data]) => data === undefined)) return undefined
  const byAddress: Record<string, unknown> = Object.fromEntries(answers)
  const system = byAddress[config.system.path] as Reply<typeof config.system>
  const detail = byAddress[config.detail.path] as Reply<typeof config.detail> | undefined
  const settings = byKey(detail ?? system.publicConfig)
  return startsPlainly(whom, settings, system) ? byAddress : undefined
}

const withTimeout = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), maxWait).unref()),
  ])
