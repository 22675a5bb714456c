import type { FastifyRequest } from 'fastify'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'

/** Headers by which a browser identifies the page that sent a request; other programs send none. */
export type Sender = {
  fetchSite: string | undefined
  origin: string | undefined
  host: string | undefined
}

/**
 * Whether a page of another origin sent the request. All supported browsers send `Sec-Fetch-Site`, or at least `Origin`
 * with every POST.
 */
export function isCrossOrigin(
  { fetchSite, origin, host }: Sender,
  isOwnOrigin: (origin: string) => boolean,
): boolean {
  if (fetchSite !== undefined) return fetchSite !== 'same-origin'
  if (origin === undefined) return false
  if (isOwnOrigin(origin)) return false
  // The portal may be reached under another name, e.g. in the local network: then the page's host equals the `Host`
  // header.
  return !URL.canParse(origin) || new URL(origin).host !== host
}

export const senderOf = ({ headers }: FastifyRequest): Sender => ({
  fetchSite: headers['sec-fetch-site'] as string | undefined,
  origin: headers.origin,
  host: headers.host,
})

/**
 * Prevents login CSRF: a form on another site could sign somebody in to an account of its choice, and needs neither
 * JSON nor a cookie where credentials may be in the address.
 * @throws session.forbidden
 */
export function requireSameOrigin(platform: Platform, request: FastifyRequest) {
  if (isCrossOrigin(senderOf(request), platform.isOwnOrigin)) fail('session.forbidden')
}
