import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '#platform/platform.ts'

/** Cookies get the `__Secure-` prefix and `Secure` if the portal's origin is https. */
const isSecure = (platform: Platform) => platform.origin().startsWith('https:')
const cookieName = (platform: Platform, name: string) =>
  isSecure(platform) ? `__Secure-${name}` : name

type CookieSpec = { name: string; path: string; sameSite: 'lax' | 'strict' }
/** Session of the central login. `lax`, because other sites link to it and the cookie must be sent then. */
export const centralCookie: CookieSpec = { name: 'TGC-atrium', path: '/cas', sameSite: 'lax' }
/** Matches the hidden value in the central login's form (CSRF protection). */
export const formCookie: CookieSpec = { name: 'LT-atrium', path: '/cas', sameSite: 'lax' }
/** Set if the member wants to be asked before being signed in to a service. */
export const warnCookie: CookieSpec = { name: 'WARN-atrium', path: '/cas', sameSite: 'lax' }
/**
 * Refresh token of the portal session; sent by our own pages only. Sign-in reads it too, to end the previous session.
 */
export const refreshCookie: CookieSpec = { name: 'RF-atrium', path: '/token', sameSite: 'strict' }
/**
 * Signed; identifies the member whose home page is rendered. `lax`, so that it is sent with the page when another site
 * links to it.
 */
export const paintCookie: CookieSpec = { name: 'PAINT-atrium', path: '/', sameSite: 'lax' }

/** Recognises a known device. Read during sign-in only, so limited to those paths. */
export const deviceCookies: readonly CookieSpec[] = ['/token', '/cas'].map((path) => ({
  name: 'DV-atrium',
  path,
  sameSite: 'lax',
}))

const options = (platform: Platform, { path, sameSite }: CookieSpec) =>
  ({ path, sameSite, httpOnly: true, secure: isSecure(platform) }) as const

/** @param seconds lifetime of the cookie; a browser-session cookie if omitted */
export const setCookie = (
  platform: Platform,
  reply: FastifyReply,
  cookie: CookieSpec,
  value: string,
  seconds?: number,
) =>
  reply.setCookie(cookieName(platform, cookie.name), value, {
    ...options(platform, cookie),
    ...(seconds !== undefined && { maxAge: seconds }),
  })

export const clearCookie = (platform: Platform, reply: FastifyReply, cookie: CookieSpec) =>
  reply.clearCookie(cookieName(platform, cookie.name), options(platform, cookie))

export const readCookie = (platform: Platform, request: FastifyRequest, cookie: CookieSpec) =>
  request.cookies[cookieName(platform, cookie.name)]
