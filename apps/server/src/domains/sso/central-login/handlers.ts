import { randomBytes } from 'node:crypto'
import type { SignInStep } from '@atrium/contract/identity/identity'
import type { centralLogin } from '@atrium/contract/sso/central-login'
import { openid } from '@atrium/contract/sso/openid'
import {
  clearCookie,
  readCookie,
  setCookie,
  warnCookie,
} from '#domains/identity/browsers/cookies.ts'
import { externalLoginLinks } from '#domains/identity/federation/links.ts'
import { markDevice } from '#domains/identity/identity/known-devices.ts'
import { checkPassword } from '#domains/identity/identity/password-login.ts'
import { insertTicket } from '#domains/identity/identity/queries.ts'
import {
  openCentralSession,
  openPortalSession,
  type SignInDetails,
} from '#domains/identity/identity/sessions.ts'
import { startSignIn } from '#domains/identity/identity/sign-in.ts'
import { isSmsLoginOn } from '#domains/identity/identity/sms-login.ts'
import { insertConsent, isConsentDue } from '#domains/sso/consent/queries.ts'
import type { Party } from '#domains/sso/registry/parties.ts'
import { errorText, Refusal } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { type CentralSession, currentSession } from './central-sessions.ts'
import { logoutHandlers } from './logout-handlers.ts'
import { consentPage, loginPage, nameOf, postPage, postScript, warningPage } from './pages.ts'
import { markFirstTicket } from './queries.ts'
import { sealTicket, ticketDigest, ticketSeconds } from './service-tickets.ts'
import { readFrame } from './texts.ts'
import { isSet } from './validate-handlers.ts'
import {
  isOurForm,
  message,
  newFormValue,
  page,
  readFormCookie,
  refuse,
  type Service,
  serviceOf,
  type Visit,
  visitOf,
} from './visit.ts'

/** Path prefix of the OpenID provider's interaction pages. */
const openidSteps = openid.ask.path.replace('{uid}', '')
/** Upper limit for operators' setting of how long a browser is remembered (CAS protocol 3.0, 3.6). */
const maxRememberDays = 90

export const centralLoginHandlers: Handlers<typeof centralLogin> = {
  enter: async ({ reply }) => reply.redirect('/cas/login', 303),
  enterFolder: async ({ reply }) => reply.redirect('/cas/login', 303),

  async show({ platform, query, request, reply }) {
    const visit = visitOf({ platform, request, reply }, query)
    const service = await serviceOf(platform, query.service ?? query.TARGET)
    if (service === null) return refuse(visit)
    const renew = isSet(query.renew)
    const gateway = isSet(query.gateway) && !renew
    const session = renew ? undefined : await currentSession(platform, request)
    if (session && !service) return alreadySignedIn(visit, session)
    if (session && service) return goOn(visit, session, service, { gateway })
    if (gateway && service) return reply.redirect(service.address, 303)
    return form(visit, { service, renew, status: 200 })
  },

  async submit({ db, platform, body, request, reply }) {
    const visit = visitOf({ platform, request, reply }, body)
    const { language } = visit
    const service = await serviceOf(platform, body.service || body.TARGET || undefined)
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
    let signedIn: SignInStep | (SignInDetails & { id: string })
    try {
      const proof = await checkPassword(platform, request, body.username, body.password)
      const wanted = { ...proof, rememberDays: rememberDays || undefined, renews: before?.id }
      signedIn = await startSignIn(platform, request, wanted, async (entry) => {
        const sessionId = await openCentralSession(platform, request, reply, entry)
        return { ...entry, id: sessionId, sessionId }
      })
    } catch (error) {
      // The captcha needs a script, which this page must not have; the portal's login page can show it.
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
    if (!service) return reply.redirect('/cas/login', 303)
    const { address, party } = service
    if (!party) return toOwnPortal(visit, signedIn, address)
    // The next request has the session cookie and shows the consent page.
    if (await isConsentDue(db, party, signedIn.accountId))
      return reply.redirect(onwards(visit, service), 303)
    return withTicket(visit, signedIn, { address, party })
  },

  async confirm({ db, platform, body, request, reply }) {
    const visit = visitOf({ platform, request, reply }, body)
    const service = await serviceOf(platform, body.service ?? body.TARGET)
    if (!service) return refuse(visit)
    const session = await currentSession(platform, request)
    const { party } = service
    if (!session || !party) return reply.redirect(onwards(visit, service), 303)
    const consentDue = await isConsentDue(db, party, session.accountId)
    const value = readFormCookie(platform, request)
    const seen = whatWasAsked(value, session, service)
    // Show the page again if the form is not ours, has expired, or its content has changed since.
    if (!value || !platform.secret.verify('login-confirm', seen, body.lt ?? ''))
      return reply.redirect(onwards(visit, service), 303)
    if (body.decision !== 'go')
      return message(visit, {
        kind: consentDue ? 'declined' : 'stayed',
        service: nameOf(party, visit.language),
      })
    if (consentDue) await insertConsent(db, party, session.accountId)
    return withTicket(visit, session, { ...service, party })
  },

  ...logoutHandlers,
}

/** Continues with a session: to the service, or to a page that must come first. */
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
  // With `gateway` nothing may be shown.
  if (gateway) return reply.redirect(service.address, 303)
  const value = newFormValue(platform, reply)
  const view = {
    frame: await readFrame(platform, visit.language, request.headers),
    service: service.address,
    method: visit.method,
    saml: visit.saml,
    party,
    name: session.name,
    lt: platform.secret.sign('login-confirm', whatWasAsked(value, session, service)),
  }
  return page(reply, consentDue ? consentPage(view) : warningPage(view), service)
}

/** Binds an answer to the session, the service and exactly what was shown. */
const whatWasAsked = (value: string, session: CentralSession, { address, party }: Service) =>
  JSON.stringify([value, session.id, address, party?.id, party?.attributes])

async function withTicket(
  { platform, request, reply, language, method, saml }: Visit,
  session: { id: string; ticketed?: boolean },
  { address, party }: { address: string; party: Party },
) {
  const newLogin = !session.ticketed && (await markFirstTicket(platform.db, session.id))
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
        field: saml ? 'SAMLart' : 'ticket',
        ticket,
      }),
      { address },
      postScript,
    )
  return reply.redirect(withParameter(address, ticket, saml), 303)
}

/** Sends the portal a single-use JWT, valid for 60 s, whose payload contains the id token. */
async function toOwnPortal(
  { platform, request, reply }: Visit,
  session: SignInDetails & { id: string },
  service: string,
) {
  // The OpenID provider recognises the session by its cookie.
  if (new URL(service).pathname.startsWith(openidSteps)) return reply.redirect(service, 303)
  const portal = await openPortalSession(platform, request, session, session.id)
  await markFirstTicket(platform.db, session.id)
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
  return reply.redirect(withParameter(service, ticket), 303)
}

const withParameter = (service: string, ticket: string, saml = false) =>
  `${service}${service.includes('?') ? '&' : '?'}${saml ? 'SAMLart' : 'ticket'}=${ticket}`

/** The portal's login page handles the remaining steps and returns here; fields after the # are never logged. */
function toPortal(
  visit: Visit,
  given: { state: string; due: string } | Record<string, never>,
  service: Service | undefined,
) {
  const fields = new URLSearchParams({ ...given, onwards: onwards(visit, service) })
  return visit.reply.redirect(`/pages/login/login#${fields}`, 303)
}

/** Address to restart the login, then with a session. */
function onwards({ language, method, saml }: Visit, service: Service | undefined) {
  if (!service) return '/cas/login'
  return `/cas/login?${new URLSearchParams({
    [saml ? 'TARGET' : 'service']: service.address,
    lang: language,
    ...(method && { method }),
  })}`
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
  const { platform, request, reply, language, method, saml } = visit
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
      saml,
      lt: platform.secret.sign('login-form', value),
      warn: view.warn ?? readCookie(platform, request, warnCookie) !== undefined,
      rememberDays: await rememberedDays(platform),
      frame: await readFrame(platform, language, request.headers),
      demo: platform.env.ATRIUM_DEMO,
      back: new URLSearchParams({ onwards: onwards(visit, view.service) }).toString(),
      // The portal's page skips members who are already signed in, so `renew` must be handled here.
      otherWays: !view.renew && (passkeyLogin === '1' || (await isSmsLoginOn(platform))),
      outside: await externalLoginLinks(platform.db, {
        language,
        onwards: onwards(visit, view.service),
      }),
    }),
    view.service,
  )
}

const rememberedDays = async (platform: Platform) =>
  Math.min(Number((await currentSettings(platform)).rememberMeDays) || 0, maxRememberDays)

async function alreadySignedIn(visit: Visit, { name }: CentralSession) {
  return message(visit, { kind: 'signed-in', name })
}
