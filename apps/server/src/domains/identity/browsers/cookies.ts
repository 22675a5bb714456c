import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '#platform/platform.ts'

/** Cookies get the `__Secure-` prefix and `Secure` if the portal's origin is https. */
const secure = (platform: Platform) => platform.origin().startsWith('https:')
const named = (platform: Platform, name: string) => (secure(platform) ? `__Secure-${name}` : name)

type Purpose = { name: string; path: string; sameSite: 'lax' | 'strict' }
/** Session of the central login. `lax`, because other sites link to it and the cookie must be sent then. */
export const centralCookie: Purpose = { name: 'TGC-atrium', path: '/cas', sameSite: 'lax' }
/** Matches the hidden value in the central login's form (CSRF protection). */
export const formCookie: Purpose = { name: 'LT-atrium', path: '/cas', sameSite: 'lax' }
/** Set if the member wants to be asked before being signed in to a service. */
export const warnCookie: Purpose = { name: 'WARN-atrium', path: '/cas', sameSite: 'lax' }
/**
 * Refresh token of the portal session; sent by our own pages only. Sign-in reads it too, to end the previous session.
 */
export const refreshCookie: Purpose = { name: 'RF-atrium', path: '/token', sameSite: 'strict' }
/**
 * Signed; identifies the member whose home page is rendered. `lax`, so that it is sent with the page when another site
 * links to it.
 */
export const paintCookie: Purpose = { name: 'PAINT-atrium', path: '/', sameSite: 'lax' }

/** Recognises a known device. Read during sign-in only, so limited to those paths. */
export const deviceCookies: readonly Purpose[] = ['/token', '/cas'].map((path) => ({
  name: 'DV-atrium',
  path,
  sameSite: 'lax',
}))

const options = (platform: Platform, { path, sameSite }: Purpose) =>
  ({ path, sameSite, httpOnly: true, secure: secure(platform) }) as const

/** @param seconds lifetime of the cookie; a browser-session cookie if omitted */
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
