import type { centralLogin } from '@atrium/contract/sso/central-login'
import type { FastifyRequest } from 'fastify'
import { centralCookie, clearCookie, warnCookie } from '#domains/identity/browsers/cookies.ts'
import { isCrossOrigin, senderOf } from '#domains/identity/browsers/same-origin.ts'
import { revokeSession } from '#domains/identity/identity/queries.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSession } from './central-sessions.ts'
import { leavePage } from './pages.ts'
import { readFrame } from './texts.ts'
import {
  message,
  newFormValue,
  page,
  readFormCookie,
  type Service,
  serviceOf,
  type Visit,
  visitOf,
} from './visit.ts'

export const logoutHandlers: Pick<Handlers<typeof centralLogin>, 'logout' | 'leave'> = {
  async logout({ platform, query, request, reply }) {
    const visit = visitOf({ platform, request, reply }, { ...query, method: undefined })
    const service = (await serviceOf(platform, query.service)) ?? undefined
    const session = await currentSession(platform, request)
    return session && !cameByThemselves(platform, request)
      ? ask(visit, session.id, service)
      : signOut(visit, service)
  },

  async leave({ platform, body, request, reply }) {
    const visit = visitOf({ platform, request, reply }, { ...body, method: undefined })
    const service = (await serviceOf(platform, body.service || undefined)) ?? undefined
    const session = await currentSession(platform, request)
    if (!session) return signOut(visit, service)
    const value = readFormCookie(platform, request)
    const ours =
      !isCrossOrigin(senderOf(request), platform.isOwnOrigin) &&
      value !== '' &&
      platform.secret.verify('central-logout', whatWasAsked(value, session.id), body.lt ?? '')
    if (!ours) return ask(visit, session.id, service)
    if (body.decision === 'go') return signOut(visit, service)
    return reply.redirect(service?.address ?? '/', 303)
  },
}

/**
 * Whether the member opened the address themselves or came from one of our pages. Any site can send a browser here, so
 * in all other cases the member is asked first. Old browsers send only a referer.
 */
function cameByThemselves(platform: Platform, request: FastifyRequest) {
  const { 'sec-fetch-site': site, referer = '' } = request.headers
  if (site !== undefined) return site === 'none' || site === 'same-origin'
  return URL.canParse(referer) && platform.isOwnOrigin(new URL(referer).origin)
}

async function ask(visit: Visit, sessionId: string, service: Service | undefined) {
  const { platform, request, reply, language } = visit
  const value = newFormValue(platform, reply)
  const html = leavePage(await readFrame(platform, language, request.headers), {
    service: service?.address,
    lt: platform.secret.sign('central-logout', whatWasAsked(value, sessionId)),
  })
  return page(reply, html, service)
}

const whatWasAsked = (value: string, sessionId: string) => JSON.stringify([value, sessionId])

async function signOut(visit: Visit, service: Service | undefined) {
  const { platform, request, reply } = visit
  const session = await currentSession(platform, request)
  if (session)
    for (const id of await revokeSession(platform.db, session.id)) platform.guard.forgetSession(id)
  clearCookie(platform, reply, centralCookie)
  clearCookie(platform, reply, warnCookie)
  if (service) return reply.redirect(service.address, 303)
  return message(visit, { kind: 'signed-out' })
}
