import { randomBytes } from 'node:crypto'
import type { centralLogin } from '@atrium/contract/central-login'
import type { Language } from '@atrium/contract/error-texts'
import type { SignInStep } from '@atrium/contract/identity'
import { openid } from '@atrium/contract/openid'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currentSettings } from '#areas/config/queries.ts'
import { insertConsent, isConsentDue } from '#areas/consent/queries.ts'
import { outsideLinks } from '#areas/federation/links.ts'
import {
  centralCookie,
  clearCookie,
  formCookie,
  readCookie,
  setCookie,
  warnCookie,
} from '#areas/identity/cookies.ts'
import { markDevice } from '#areas/identity/known-devices.ts'
import { isFromElsewhere, senderOf } from '#areas/identity/own-page.ts'
import { checkPassword } from '#areas/identity/password-login.ts'
import { insertTicket, revokeSession } from '#areas/identity/queries.ts'
import { type Entry, openCentralSession, openPortalSession } from '#areas/identity/sessions.ts'
import { startSignIn } from '#areas/identity/sign-in.ts'
import { isSmsLoginOn } from '#areas/identity/sms-login.ts'
import { findPartyAt, type Party } from '#areas/registry/parties.ts'
import { normalisedService } from '#areas/registry/rules.ts'
import { errorText, Refusal } from '#platform/errors.ts'
import { pageLanguage } from '#platform/page-look.ts'
import type { Platform } from '#platform/platform.ts'
import type { Handlers } from '#platform/serve.ts'
import { type CentralSession, currentSession } from './central-sessions.ts'
import {
  consentPage,
  loginPage,
  messagePage,
  nameOf,
  pagePolicy,
  postPage,
  warningPage,
} from './pages.ts'
import { takeFirstTicket } from './queries.ts'
import { sealTicket, ticketDigest, ticketSeconds } from './service-tickets.ts'
import { readFrame } from './texts.ts'
import { isSet, noStore } from './validate-handlers.ts'

/** Where somebody goes on to: our own portal, or a registered system; the address as it was understood. */
type Service = { address: string; party: Party | undefined }
/** One request to the central login, whatever it is for. */
type Visit = {
  platform: Platform
  request: FastifyRequest
  reply: FastifyReply
  language: Language
  method: string | undefined
}

/** Where the OpenID provider asks members, down to the key of the question. */
const openidSteps = openid.ask.path.replace('{uid}', '')
const formSeconds = 30 * 60
/** Days for which a browser may be remembered at most, whatever operators set (CAS protocol 3.0, 3.6). */
const mostRememberDays = 90

export const centralLoginHandlers: Handlers<typeof centralLogin> = {
  enter: async ({ reply }) => reply.redirect('/cas/login', 303) as never,
  enterFolder: async ({ reply }) => reply.redirect('/cas/login', 303) as never,

  async show({ platform, query, request, reply }) {
    const visit = visitOf({ platform, request, reply }, query)
    const service = await serviceOf(platform, query.service)
    if (service === null) return refuse(visit)
    const renew = isSet(query.renew)
    const gateway = isSet(query.gateway) && !renew
    const session = renew ? undefined : await currentSession(platform, request)
    if (session && !service) return alreadySignedIn(visit, session)
    if (session && service) return goOn(visit, session, service, { gateway })
    if (gateway && service) return reply.redirect(service.address, 303) as never
    return form(visit, { service, renew, status: 200 })
  },

  async submit({ db, platform, body, request, reply }) {
    const visit = visitOf({ platform, request, reply }, body)
    const { language } = visit
    const service = await serviceOf(platform, body.service || undefined)
    if (service === null) return refuse(visit)
    const again = (error: Refusal) =>
      form(visit, {
        service,
        renew: isSet(body.renew),
        status: error.status,
        username: body.username,
        remember: isSet(body.rememberMe),
        warn: isSet(body.warn),
        error: errorText(error.code, language),
        wrong: error.code === 'login.refused',
        retryAfter: error.retryAfter,
      })

    if (!isOurForm(platform, request, body.lt)) return again(new Refusal('login.form_expired'))
    if (!body.username || !body.password) return again(new Refusal('login.refused'))
    const before = await currentSession(platform, request)
    const rememberDays = isSet(body.rememberMe) ? await rememberedDays(platform) : 0
    let signedIn: SignInStep | (Entry & { id: string })
    try {
      const proof = await checkPassword(platform, request, body.username, body.password)
      const wanted = { ...proof, rememberDays: rememberDays || undefined, renews: before?.id }
      signedIn = await startSignIn(platform, request, wanted, async (entry) => {
        const sessionId = await openCentralSession(platform, request, reply, entry)
        return { ...entry, id: sessionId, sessionId }
      })
    } catch (error) {
      // The device's puzzle needs a script, which this page has none of; the portal's own page does it.
      if (error instanceof Refusal && error.code === 'login.captcha_due')
        return toPortal(visit, {}, service)
      if (error instanceof Refusal) return again(error)
      throw error
    }
    if (isSet(body.warn)) setCookie(platform, reply, warnCookie, '1')
    else clearCookie(platform, reply, warnCookie)
    if ('due' in signedIn) {
      const { state, due } = signedIn
      return toPortal(visit, { state, due }, service)
    }
    if (!service) return reply.redirect('/cas/login', 303) as never
    const { address, party } = service
    if (!party) return toOwnPortal(visit, signedIn, address)
    // With the cookie it comes back, and is asked what has to be asked before.
    if (await isConsentDue(db, party, signedIn.accountId))
      return reply.redirect(onwards(visit, service), 303) as never
    return withTicket(visit, signedIn, { address, party })
  },

  async confirm({ db, platform, body, request, reply }) {
    const visit = visitOf({ platform, request, reply }, body)
    const service = await serviceOf(platform, body.service)
    if (!service) return refuse(visit)
    const session = await currentSession(platform, request)
    const { party } = service
    if (!session || !party) return reply.redirect(onwards(visit, service), 303) as never
    const consentDue = await isConsentDue(db, party, session.accountId)
    const value = readFormCookie(platform, request)
    const seen = whatWasAsked(value, session, service)
    // Asked again where the form is not ours, too old, or says something else than it would now.
    if (!value || !platform.secret.verify('login-confirm', seen, body.lt ?? ''))
      return reply.redirect(onwards(visit, service), 303) as never
    if (body.decision !== 'go')
      return message(visit, {
        kind: consentDue ? 'declined' : 'stayed',
        service: nameOf(party, visit.language),
      })
    if (consentDue) await insertConsent(db, party, session.accountId)
    return withTicket(visit, session, { ...service, party })
  },

  async logout({ db, platform, query, request, reply }) {
    const visit = visitOf({ platform, request, reply }, { ...query, method: undefined })
    const session = await currentSession(platform, request)
    if (session)
      for (const id of await revokeSession(db, session.id)) platform.guard.forgetSession(id)
    clearCookie(platform, reply, centralCookie)
    clearCookie(platform, reply, warnCookie)
    const service = await serviceOf(platform, query.service)
    if (service) return reply.redirect(service.address, 303) as never
    return message(visit, { kind: 'signed-out' })
  },
}

function visitOf(
  { platform, request, reply }: Pick<Visit, 'platform' | 'request' | 'reply'>,
  { lang, method }: { lang?: string; method?: string | undefined },
): Visit {
  noStore(reply)
  return {
    platform,
    request,
    reply,
    language: pageLanguage(lang, request.headers),
    method: method?.toUpperCase() === 'POST' ? 'POST' : undefined,
  }
}

/** The service a parameter names: our own portal or a registered one; null where it is neither, nothing where there is none. */
async function serviceOf(
  platform: Platform,
  given: string | undefined,
): Promise<Service | null | undefined> {
  if (given === undefined) return undefined
  const address = normalisedService(given)
  if (!address) return null
  if (platform.isOwnOrigin(new URL(address).origin)) return { address, party: undefined }
  const found = await findPartyAt(platform, address)
  return found ? { address, party: found.party } : null
}

/** With a session: on to the service, or to what has to be asked before. */
async function goOn(
  visit: Visit,
  session: CentralSession,
  service: Service,
  { gateway }: { gateway: boolean },
) {
  const { platform, request, reply } = visit
  const { party } = service
  if (!party) return toOwnPortal(visit, session, service.address)
  const consentDue = await isConsentDue(platform.db, party, session.accountId)
  const warned = readCookie(platform, request, warnCookie) !== undefined
  if (!consentDue && !warned) return withTicket(visit, session, { ...service, party })
  // A gateway never asks.
  if (gateway) return reply.redirect(service.address, 303) as never
  const value = newFormValue(platform, reply)
  const view = {
    frame: await readFrame(platform, visit.language, request.headers),
    service: service.address,
    method: visit.method,
    party,
    name: session.name,
    lt: platform.secret.sign('login-confirm', whatWasAsked(value, session, service)),
  }
  return page(reply, consentDue ? consentPage(view) : warningPage(view), service)
}

/** An answer is good for this session, this service and exactly what was shown. */
const whatWasAsked = (value: string, session: CentralSession, { address, party }: Service) =>
  JSON.stringify([value, session.id, address, party?.id, party?.attributes])

async function withTicket(
  { platform, request, reply, language, method }: Visit,
  session: { id: string; ticketed?: boolean },
  { address, party }: { address: string; party: Party },
) {
  const newLogin = !session.ticketed && (await takeFirstTicket(platform.db, session.id))
  session.ticketed = true
  const ticket = sealTicket(platform.secret, {
    sessionId: session.id,
    partyId: party.id,
    digest: ticketDigest(address, party),
    newLogin,
    givenAt: Math.floor(Date.now() / 1000),
  })
  if (method)
    return page(
      reply,
      postPage(await readFrame(platform, language, request.headers), {
        action: address,
        name: nameOf(party, language),
        ticket,
      }),
      { address },
    )
  return reply.redirect(withParameter(address, ticket), 303) as never
}

/** Our own portal gets a JWT whose payload holds the id token: 60 s, once. */
async function toOwnPortal(
  { platform, request, reply }: Visit,
  session: Entry & { id: string },
  service: string,
) {
  // The OpenID provider knows the session by the cookie.
  if (new URL(service).pathname.startsWith(openidSteps))
    return reply.redirect(service, 303) as never
  const portal = await openPortalSession(platform, request, session, session.id)
  await takeFirstTicket(platform.db, session.id)
  const id = `ST-${randomBytes(24).toString('hex')}`
  await insertTicket(platform.db, {
    id,
    sessionId: portal.sessionId,
    service,
    seconds: ticketSeconds,
  })
  const ticket = await platform.keys.sign(
    {
      idToken: portal.idToken,
      browser: platform.secret.sign('ticket-browser', markDevice(platform, request, reply)),
    },
    {
      type: 'st+jwt',
      issuer: `${platform.origin()}/cas`,
      audience: service,
      subject: portal.username,
      id,
      seconds: ticketSeconds,
    },
  )
  return reply.redirect(withParameter(service, ticket), 303) as never
}

const withParameter = (service: string, ticket: string) =>
  `${service}${service.includes('?') ? '&' : '?'}ticket=${ticket}`

/** Whatever else is due, the portal's own page asks for it, and then comes back; behind the # it reaches no log. */
function toPortal(
  visit: Visit,
  given: { state: string; due: string } | Record<string, never>,
  service: Service | undefined,
) {
  const fields = new URLSearchParams({ ...given, onwards: onwards(visit, service) })
  return visit.reply.redirect(`/pages/login/login#${fields}`, 303) as never
}

/** Back to the beginning, with a session. */
function onwards({ language, method }: Visit, service: Service | undefined) {
  if (!service) return '/cas/login'
  return `/cas/login?${new URLSearchParams({
    service: service.address,
    lang: language,
    ...(method && { method }),
  })}`
}

// ---- forms: a signed one-time value in it and the same in a cookie keep other sites from signing people in ----

export function newFormValue(platform: Platform, reply: FastifyReply) {
  const value = `${randomBytes(16).toString('base64url')}.${Math.floor(Date.now() / 1000) + formSeconds}`
  setCookie(platform, reply, formCookie, value, formSeconds)
  return value
}

/** The value of a form that is not too old; empty where there is none. */
export function readFormCookie(platform: Platform, request: FastifyRequest) {
  const value = readCookie(platform, request, formCookie) ?? ''
  return Number(value.split('.')[1]) * 1000 > Date.now() ? value : ''
}

/** The cookie may be one that a neighbouring host has set for this one: the page that sent the form counts too. */
function isOurForm(platform: Platform, request: FastifyRequest, lt: string | undefined) {
  if (isFromElsewhere(senderOf(request), platform.isOwnOrigin)) return false
  const value = readFormCookie(platform, request)
  return !!lt && value !== '' && platform.secret.verify('login-form', value, lt)
}

async function form(
  visit: Visit,
  view: {
    service: Service | undefined
    renew: boolean
    status: number
    username?: string | undefined
    remember?: boolean
    warn?: boolean
    error?: string
    wrong?: boolean
    retryAfter?: number | undefined
  },
) {
  const { platform, request, reply, language, method } = visit
  const value = newFormValue(platform, reply)
  if (view.retryAfter) reply.header('retry-after', String(view.retryAfter))
  reply.code(view.status)
  const { party } = view.service ?? {}
  const { passkeyLogin } = await currentSettings(platform)
  return page(
    reply,
    loginPage({
      ...view,
      service: view.service?.address,
      serviceName: party && nameOf(party, language),
      method,
      lt: platform.secret.sign('login-form', value),
      warn: view.warn ?? readCookie(platform, request, warnCookie) !== undefined,
      rememberDays: await rememberedDays(platform),
      frame: await readFrame(platform, language, request.headers),
      demo: platform.env.ATRIUM_DEMO,
      back: new URLSearchParams({ onwards: onwards(visit, view.service) }).toString(),
      // The portal's page passes by who is signed in there: a service that asks for a fresh proof is served here.
      otherWays: !view.renew && (passkeyLogin === '1' || (await isSmsLoginOn(platform))),
      outside: await outsideLinks(platform.db, { language, service: view.service?.address }),
    }),
    view.service,
  )
}

const rememberedDays = async (platform: Platform) =>
  Math.min(Number((await currentSettings(platform)).rememberMeDays) || 0, mostRememberDays)

async function alreadySignedIn(visit: Visit, { name }: CentralSession) {
  return message(visit, { kind: 'signed-in', name })
}

async function refuse(visit: Visit) {
  visit.reply.code(403)
  const text = errorText('ticket.service_refused', visit.language)
  return message(visit, { kind: 'refused', text })
}

async function message(
  { platform, request, reply, language }: Visit,
  about: Parameters<typeof messagePage>[1],
) {
  return page(reply, messagePage(await readFrame(platform, language, request.headers), about))
}

/**
 * A page without a script. Its form leads to us, and from there by a redirect to the service, which browsers hold against
 * `form-action` too: a service that was verified is named there.
 */
export function page(reply: FastifyReply, html: string, service?: { address: string }) {
  reply.header('content-security-policy', pagePolicy(service?.address))
  reply.type('text/html; charset=utf-8')
  return html
}
