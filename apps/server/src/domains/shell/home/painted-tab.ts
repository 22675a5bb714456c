import type { Reply } from '@atrium/contract/define'
import { config } from '@atrium/contract/shell/config'
import type { home, PaintedTab } from '@atrium/contract/shell/home'
import { dayIn } from '@atrium/rules/day-in'
import { detectEnvironment } from '@atrium/rules/user-agent'
import type { FastifyRequest } from 'fastify'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Painter } from '#platform/http/painter.ts'
import type { Context } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { byKey, startsPlainly } from './starts-plainly.ts'

/** Rendering occupies the node; beyond this number at once, the app shows its own first screen. */
const maxConcurrent = 8
/** Milliseconds. A system that answers later than this would delay the first screen instead of speeding it up. */
const maxWait = 1500

/**
 * Renders a member's tab from the answers to its first requests, which are made in this process and with the member's
 * token: they pass the same checks and caches as the member's own.
 */
export function openPaintedTab(painter: Painter | undefined) {
  let rendering = 0

  return async (context: Context<typeof home.paintedTab>): Promise<PaintedTab | null> => {
    const { request, query, platform } = context
    const userAgent = request.headers['user-agent'] ?? ''
    if (!painter?.builtAt() || rendering >= maxConcurrent) return null
    // Container apps have their own bars and buttons, which the page adapts to.
    const { container, isMobile } = detectEnvironment(userAgent)
    if (container !== 'browser') return null
    rendering++
    try {
      const { timeZone } = await currentSettings(platform)
      // Times would change when the app replaces them.
      if (query.timeZone !== timeZone) return null
      const visit = {
        path: query.path,
        device: isMobile ? ('phone' as const) : ('computer' as const),
        timeZone,
        today: dayIn(new Date(), timeZone),
      }
      const language = languageOf(request.headers['accept-language'])
      const painted = await painter.paintTab(language, visit, (addresses) =>
        withTimeout(readAnswers(request, addresses)),
      )
      return painted ?? null
    } catch (error) {
      // The app also works without it.
      request.log.error({ err: error }, 'a tab could not be rendered')
      return null
    } finally {
      rendering--
    }
  }
}

async function readAnswers(request: FastifyRequest, addresses: readonly string[]) {
  const headers = Object.fromEntries(
    ['x-id-token', 'accept-language', 'user-agent'].flatMap((name) => {
      const value = request.headers[name]
      return value ? [[name, value]] : []
    }),
  )
  const answers = await Promise.all(
    addresses.map(async (url) => {
      const reply = await request.server.inject({ url, headers, remoteAddress: request.ip })
      return [url, reply.statusCode === 200 ? reply.json().data : undefined] as const
    }),
  )
  if (answers.some(([, data]) => data === undefined)) return undefined
  const byAddress: Record<string, unknown> = Object.fromEntries(answers)
  const system = byAddress[config.system.path] as Reply<typeof config.system>
  const detail = byAddress[config.detail.path] as Reply<typeof config.detail>
  return startsPlainly('member', byKey(detail), system) ? byAddress : undefined
}

const withTimeout = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), maxWait).unref()),
  ])
