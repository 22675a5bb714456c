import { randomBytes } from 'node:crypto'
import type { Language } from '@atrium/contract/error-texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formCookie, readCookie, setCookie } from '#domains/identity/browsers/cookies.ts'
import { isCrossOrigin, senderOf } from '#domains/identity/browsers/same-origin.ts'
import { normalizeService } from '#domains/identity/identity/service-address.ts'
import { findPartyAt, type Party } from '#domains/sso/registry/parties.ts'
import { errorText } from '#platform/http/errors.ts'
import { pageLanguage } from '#platform/http/server-page.ts'
import type { Platform } from '#platform/platform.ts'
import { messagePage, pagePolicy } from './pages.ts'
import { readFrame } from './texts.ts'
import { noStore } from './validate-handlers.ts'

/** The destination: our own portal (no party) or a registered system; the address is normalised. */
export type Service = { address: string; party: Party | undefined }
/** A request to the central login. */
export type Visit = {
  platform: Platform
  request: FastifyRequest
  reply: FastifyReply
  language: Language
  method: string | undefined
  /** whether the service uses TARGET and receives its ticket as SAMLart (SAML 1.1) */
  saml: boolean
}

const formSeconds = 30 * 60

export function visitOf(
  { platform, request, reply }: Pick<Visit, 'platform' | 'request' | 'reply'>,
  given: { lang?: string; method?: string | undefined; service?: string; TARGET?: string },
): Visit {
  noStore(reply)
  const { lang, method } = given
  return {
    platform,
    request,
    reply,
    language: pageLanguage(lang, request.headers),
    method: method?.toUpperCase() === 'POST' ? 'POST' : undefined,
    saml: !given.service && given.TARGET !== undefined,
  }
}

/** The service of a parameter: our portal or a registered one; null if it is neither, undefined without a parameter. */
export async function serviceOf(
  platform: Platform,
  given: string | undefined,
): Promise<Service | null | undefined> {
  if (given === undefined) return undefined
  const address = normalizeService(given)
  if (!address) return null
  if (platform.isOwnOrigin(new URL(address).origin)) return { address, party: undefined }
  const found = await findPartyAt(platform, address)
  return found ? { address, party: found.party } : null
}

export async function refuse(visit: Visit) {
  visit.reply.code(403)
  const text = errorText('ticket.service_refused', visit.language)
  return message(visit, { kind: 'refused', text })
}

export async function message(
  { platform, request, reply, language }: Visit,
  about: Parameters<typeof messagePage>[1],
) {
  return page(reply, messagePage(await readFrame(platform, language, request.headers), about))
}

/**
 * Sends a page without scripts, or with the given one. Its form posts to us and may then redirect to the service, to
 * which browsers apply `form-action` too, so a verified service is listed there.
 */
export function page(
  reply: FastifyReply,
  html: string,
  service?: { address: string },
  script?: string,
) {
  reply.header('content-security-policy', pagePolicy(service?.address, script))
  reply.type('text/html; charset=utf-8')
  return html
}

// ---- forms: a signed one-time value in the form and the same in a cookie prevent login CSRF ----

export function newFormValue(platform: Platform, reply: FastifyReply) {
  const value = `${randomBytes(16).toString('base64url')}.${Math.floor(Date.now() / 1000) + formSeconds}`
  setCookie(platform, reply, formCookie, value, formSeconds)
  return value
}

/** The value of an unexpired form; empty if there is none. */
export function readFormCookie(platform: Platform, request: FastifyRequest) {
  const value = readCookie(platform, request, formCookie) ?? ''
  return Number(value.split('.')[1]) * 1000 > Date.now() ? value : ''
}

/** A neighbouring host may have set the cookie for our domain, so the sender of the form is checked too. */
export function isOurForm(platform: Platform, request: FastifyRequest, lt: string | undefined) {
  if (isCrossOrigin(senderOf(request), platform.isOwnOrigin)) return false
  const value = readFormCookie(platform, request)
  return !!lt && value !== '' && platform.secret.verify('login-form', value, lt)
}
