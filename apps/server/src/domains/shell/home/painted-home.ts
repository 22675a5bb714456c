import type { Language } from '@atrium/contract/error-texts'
import type { SystemConf } from '@atrium/contract/shell/config'
import { detectEnvironment } from '@atrium/rules/user-agent'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { configHandlers } from '#domains/shell/config/handlers.ts'
import { toKept } from '#platform/http/body-cache.ts'
import { languageOf } from '#platform/http/errors.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { openPainter } from '#platform/http/painter.ts'
import type { FindPainted, PaintedAnswer } from '#platform/http/portal-files.ts'
import type { Host } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { homeHandlers } from './handlers.ts'

/** Where home is: the entry, and its own address. One with fields may want something else. */
const homeAddresses = ['/', '/pages/tab/index/index']

/** Everything that is on the page. */
const topics = [
  'audience',
  'config',
  'directory',
  'services',
  'news',
  'notices',
  'schedule',
] as const

/** The greeting goes by the hour, and news says how old it is. */
const keptFor = 60_000

/**
 * Home as it is sent with its content in it, kept for each class of viewers and each language until something on it changes.
 * Nothing is painted where the portal would not begin with it, or where it cannot be: the app then starts as on any page.
 */
export function openPaintedHome(host: Host, dist: string): FindPainted {
  const painter = openPainter(dist)
  const pages = new LRUCache<string, { stamp: string; answer: PaintedAnswer | undefined }>({
    max: 200,
    ttl: keptFor,
  })
  const painting = new Map<string, Promise<PaintedAnswer | undefined>>()

  return async (request) => {
    const { platform } = host
    const built = painter.builtAt()
    if (!built || !homeAddresses.includes(request.url)) return undefined
    if (!platform?.bodies || !platform.topics.connected()) return undefined
    // Other programs have bars and buttons of their own, which the page goes by.
    if (detectEnvironment(request.headers['user-agent'] ?? '').container !== 'browser')
      return undefined
    const language = languageOf(request.headers['accept-language'])
    const viewer = await platform.guard.viewerOf(undefined)
    const key = `${language} ${viewer.audienceClass}`
    const stamp = `${built} ${platform.topics.stamp(topics)}`
    const kept = pages.get(key)
    if (kept?.stamp === stamp) return kept.answer
    const shared = `${stamp} ${key}`
    const pending =
      painting.get(shared) ??
      paint(platform, request, viewer, language)
        .catch((error) => {
          // The page without paint is still a page.
          request.log.error({ err: error }, 'home could not be painted')
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
    viewer: Viewer,
    language: Language,
  ): Promise<PaintedAnswer | undefined> {
    const context = { db: platform.db, platform, request, viewer } as never
    const system = await configHandlers.system(context)
    if (!beginsPlainly(system)) return undefined
    const home = await homeHandlers.read(context)
    const notice = settingOf(system, 'onlineActShowTimes') === '0' ? '' : home.notices?.[0]?.id
    const { html, styles, script } = painter.paintHome(
      language,
      { for: 'visitor', notice: notice ?? '', timeZone: system.timeZone },
      { system, home },
    )
    return { body: toKept(html), policy: { styles, script } }
  }
}

/** Home comes first and looks as it always does: no page before it, none in its place, no festival and no mourning. */
function beginsPlainly(system: SystemConf) {
  const isOn = (key: string) => settingOf(system, key) === '1'
  return !(
    (isOn('ENV_OPENING_PAGE') && isOn('ENV_OPENING_PAGE_TOURIST')) ||
    isOn('ENV_ENABLE_MOBILE_FESTIVAL_THEME') ||
    isOn('ENV_APP_MOURNING_MODE') ||
    system.footTabs[0]?.externalUrl ||
    system.footTabs.some(({ backgroundUrl }) => backgroundUrl)
  )
}

const settingOf = (system: SystemConf, key: string) =>
  system.publicConfig.find((entry) => entry.key === key)?.value
