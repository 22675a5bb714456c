import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '#platform/platform.ts'

/** The cookies carry `__Secure-` and `Secure` wherever members come by https. */
const secure = (platform: Platform) => platform.origin().startsWith('https:')
const named = (platform: Platform, name: string) => (secure(platform) ? `__Secure-${name}` : name)

type Purpose = { name: string; path: string; sameSite: 'lax' | 'strict' }
/** The central login's session: other sites send people to it, so it comes along when they follow a link. */
export const centralCookie: Purpose = { name: 'TGC-atrium', path: '/cas', sameSite: 'lax' }
/** The same value as in the central login's form. */
export const formCookie: Purpose = { name: 'LT-atrium', path: '/cas', sameSite: 'lax' }
/** Whether its member wants to be told before a service is signed in to. */
export const warnCookie: Purpose = { name: 'WARN-atrium', path: '/cas', sameSite: 'lax' }
/** What keeps a portal session alive; only our own pages send it. Signing in asks for it too: it names the session before. */
export const refreshCookie: Purpose = { name: 'RF-atrium', path: '/token', sameSite: 'strict' }
/** For whom home is painted, signed; it comes along with the page itself, also where another site leads to it. */
export const paintCookie: Purpose = { name: 'PAINT-atrium', path: '/', sameSite: 'lax' }

/** By what a device is known again. Only signing in asks, so it goes along nowhere else. */
export const deviceCookies: readonly Purpose[] = ['/token', '/cas'].map((path) => ({
  name: 'DV-atrium',
  path,
  sameSite: 'lax',
}))

const options = (platform: Platform, { path, sameSite }: Purpose) =>
  ({ path, sameSite, httpOnly: true, secure: secure(platform) }) as const

/** @param seconds how long the browser keeps it; until it closes where none is given */
export const setCookie = (
  platform: Platform,
  reply: FastifyReply,
  purpose: Purpose,
  value: string,
  seconds?: number,
) =>
  reply.setCookie(named(platform, purpose.name), value, {
    ...options(platform, purpose),
    ...(seconds !== undefined && { maxAge: seconds }),
  })

export const clearCookie = (platform: Platform, reply: FastifyReply, purpose: Purpose) =>
  reply.clearCookie(named(platform, purpose.name), options(platform, purpose))

export const readCookie = (platform: Platform, request: FastifyRequest, purpose: Purpose) =>
  request.cookies[named(platform, purpose.name)]
