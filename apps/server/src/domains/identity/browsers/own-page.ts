import type { FastifyRequest } from 'fastify'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'

/** What a browser says of the page that sent a request; another program says nothing. */
export type Sender = {
  fetchSite: string | undefined
  origin: string | undefined
  host: string | undefined
}

/**
 * Whether a page of another origin sent it. Browsers that are served send `Sec-Fetch-Site`, or at least `Origin` with every
 * POST.
 */
export function isFromElsewhere(
  { fetchSite, origin, host }: Sender,
  isOwnOrigin: (origin: string) => boolean,
): boolean {
  if (fetchSite !== undefined) return fetchSite !== 'same-origin'
  if (origin === undefined) return false
  if (isOwnOrigin(origin)) return false
  // Reached by another name, such as a machine in the local network: the page's own host is what it was sent to.
  return !URL.canParse(origin) || new URL(origin).host !== host
}

export const senderOf = ({ headers }: FastifyRequest): Sender => ({
  fetchSite: headers['sec-fetch-site'] as string | undefined,
  origin: headers.origin,
  host: headers.host,
})

/**
 * A form of another site signs nobody in: it would be as somebody of its choice, and neither JSON nor a cookie is needed
 * where a name and a password may stand in the address. @throws session.forbidden
 */
export function requireOwnPage(platform: Platform, request: FastifyRequest) {
  if (isFromElsewhere(senderOf(request), platform.isOwnOrigin)) fail('session.forbidden')
}
