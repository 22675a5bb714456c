import { detectEnvironment } from '@atrium/rules/user-agent'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { configHandlers } from '#domains/shell/config/handlers.ts'
import { toEncodedAnswer } from '#platform/http/body-cache.ts'
import type { Painter } from '#platform/http/painter.ts'
import type { FindPainted, PaintedAnswer } from '#platform/http/portal-files.ts'
import type { Host } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { readHome } from './handlers.ts'
import { type PaintedFor, paintedFor } from './painted-for.ts'
import { byKey, startsPlainly } from './starts-plainly.ts'

/** Addresses of home, without query parameters: those could ask for something else. */
const homeAddresses = ['/', '/pages/tab/index/index']

/** Topics of everything on the page. */
const topics = [
  'audience',
  'config',
  'directory',
  'services',
  'news',
  'notices',
  'schedule',
] as const

/** Maximum age in ms: the greeting depends on the hour, and news shows its age. */
const ttlMs = 60_000

/**
 * Finds the server-rendered home, cached by viewer class and language until content on it changes. Returns undefined if
 * the portal would start with another page or rendering fails; the app then starts as on any page.
 */
export function openPaintedHome(host: Host, painter: Painter): FindPainted {
  const pages = new LRUCache<string, { stamp: string; answer: PaintedAnswer | undefined }>({
    max: 200,
    ttl: ttlMs,
  })
  const painting = new Map<string, Promise<PaintedAnswer | undefined>>()

  return async (request) => {
    const { platform } = host
    const built = painter.builtAt()
    if (!built || !homeAddresses.includes(request.url)) return undefined
    if (!platform?.bodies || !platform.topics.connected()) return undefined
    // Container apps have their own bars and buttons, which the page adapts to.
    if (detectEnvironment(request.headers['user-agent'] ?? '').container !== 'browser')
      return undefined
    const whom = await paintedFor(platform, request)
    const key = `${whom.kind} ${whom.language} ${whom.viewer.audienceClass}`
    const stamp = `${built} ${platform.topics.stamp(topics)}`
    const kept = pages.get(key)
    if (kept?.stamp === stamp) return kept.answer
    const shared = `${stamp} ${key}`
    const pending =
      painting.get(shared) ??
      paint(platform, request, whom)
        .catch((error) => {
          // The page also works without rendered content.
          request.log.error({ err: error }, 'home could not be rendered')
          return undefined
        })
        .then((answer) => {
          pages.set(key, { stamp, answer })
          return answer
        })
        .finally(() => painting.delete(shared))
    painting.set(shared, pending)
    return pending
  }

  async function paint(
    platform: Platform,
    request: FastifyRequest,
    { kind, viewer, language }: PaintedFor,
  ): Promise<PaintedAnswer | undefined> {
    const context = { db: platform.db, platform, request, viewer } as never
    const system = await configHandlers.system(context)
    const detail = kind === 'member' ? await configHandlers.detail(context) : undefined
    const settings = byKey(detail ?? system.publicConfig)
    if (!startsPlainly(kind, settings, system)) return undefined
    const home = await readHome(context)
    const notice = settings.onlineActShowTimes === '0' ? '' : home.notices?.[0]?.id
    const { html, styles, script } = painter.paintHome(
      language,
      { for: kind, notice: notice ?? '', timeZone: system.timeZone },
      { system, home, detail },
    )
    return { body: toEncodedAnswer(html), policy: { styles, script } }
  }
}
