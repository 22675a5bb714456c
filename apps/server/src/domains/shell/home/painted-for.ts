import type { Language } from '@atrium/contract/error-texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  clearCookie,
  paintCookie,
  readCookie,
  setCookie,
} from '#domains/identity/browsers/cookies.ts'
import type { Viewer, Visitor } from '#platform/http/guard.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Platform } from '#platform/platform.ts'

/** The audience of a server-rendered home: a class of viewers, never an individual. */
export type PaintedFor = { kind: 'visitor' | 'member'; viewer: Visitor; language: Language }

const purpose = 'painted home'
const maxAgeDays = 7
/** Days since 1970. */
const today = () => Math.floor(Date.now() / 86_400_000)
/** Cookie length limit: a member of hundreds of audiences has practically a class of their own. */
const longest = 800

/**
 * Stores the member's class, the language and the day in a signed cookie without personal data, for the next page
 * request. The day limits its age whatever a client keeps, and renews it daily. Visitors, and members whom a rule names,
 * have none.
 * @param isAlone whether this member's home is individual
 */
export function storeViewerClass(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Viewer,
  isAlone = false,
) {
  const before = readCookie(platform, request, paintCookie)
  const now = viewer.signedIn && viewer.audienceClass !== null && !isAlone ? cookieOf() : undefined
  if (before === now) return
  if (now && now.length <= longest)
    setCookie(platform, reply, paintCookie, now, maxAgeDays * 86_400)
  else if (before) clearCookie(platform, reply, paintCookie)

  function cookieOf() {
    const language = languageOf(request.headers['accept-language'])
    const label = viewer.identityLabel ?? 'other'
    const text = [language, label, viewer.audiences.join('-'), today()].join('.')
    return `${text}.${platform.secret.sign(purpose, text)}`
  }
}

/** The audience stored in that cookie; without a valid and recent one, a visitor in the browser's language. */
export async function paintedFor(platform: Platform, request: FastifyRequest): Promise<PaintedFor> {
  const visitor = (await platform.guard.viewerOf(undefined)) as Visitor
  const cookie = readCookie(platform, request, paintCookie) ?? ''
  const [, text = '', language, label, audiences = '', day, signature = ''] =
    /^((zh|en)\.(\w+)\.([\d-]*)\.(\d+))\.([\w-]+)$/.exec(cookie) ?? []
  const isRecent = today() - Number(day) <= maxAgeDays
  if (!isRecent || !platform.secret.verify(purpose, text, signature))
    return {
      kind: 'visitor',
      viewer: visitor,
      language: languageOf(request.headers['accept-language']),
    }
  const ids = audiences.split('-').filter(Boolean).map(Number)
  return {
    kind: 'member',
    viewer: {
      ...visitor,
      identityLabel: label as never,
      audiences: ids,
      audienceClass: `${label} ${ids.join(',')}`,
    },
    language: language as Language,
  }
}
