import { randomBytes } from 'node:crypto'
import type { centralLogin, SignInStep } from '@atrium/contract/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorText, languageOf, Refusal } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { Handlers } from '#platform/serve.ts'
import { loginPage, messagePage } from './central-login-pages.ts'
import { readSchool } from './central-login-texts.ts'
import { centralCookie, clearCookie, formCookie, readCookie, setCookie } from './cookies.ts'
import { checkPassword } from './password-login.ts'
import { findCentralSession, insertTicket, revokeSession } from './queries.ts'
import { type Entry, openCentralSession, openPortalSession } from './sessions.ts'
import { startSignIn, type Way } from './sign-in.ts'

type CentralSession = Entry & { id: string }

const ticketSeconds = 60
/** characters */
const longestService = 2000
const loginTicketSeconds = 30 * 60

export const centralLoginHandlers: Handlers<typeof centralLogin> = {
  async show({ platform, query, request, reply }) {
    const language = query.lang ?? languageOf(request.headers['accept-language'])
    noStore(reply)
    const service =
      query.service === undefined ? undefined : registeredService(platform, query.service)
    if (service === null) return refuse(platform, reply, language)
    const renew = query.renew === 'true'
    const session = await currentSession(platform, request)
    if (session && !renew) {
      if (!service)
        return page(
          reply,
          messagePage(language, await readSchool(platform), {
            kind: 'signed-in',
            name: session.name,
          }),
        )
      return redirectWithTicket(platform, request, reply, session, service)
    }
    if (query.gateway === 'true' && service && !renew) return reply.redirect(service, 303)
    return form(platform, reply, { language, service, status: 200 })
  },

  async submit({ db, platform, body, request, reply }) {
    const language = body.lang ?? languageOf(request.headers['accept-language'])
    noStore(reply)
    const service = body.service ? registeredService(platform, body.service) : undefined
    if (service === null) return refuse(platform, reply, language)
    const again = (error: Refusal) =>
      form(platform, reply, {
        language,
        service,
        status: error.status,
        username: body.username,
        error: errorText(error.code, language),
        retryAfter: error.retryAfter,
      })

    if (!isOurForm(platform, request, body.lt)) return again(new Refusal('login.form_expired'))
    if (!body.username || !body.password) return again(new Refusal('login.refused'))
    let signedIn: SignInStep | CentralSession
    try {
      const proof = await checkPassword(platform, request, body.username, body.password)
      const before = await currentSession(platform, request)
      if (before) await revokeSession(db, before.id)
      signedIn = await startSignIn(platform, request, proof, async (entry) => ({
        ...entry,
        id: await openCentralSession(platform, request, reply, entry),
      }))
    } catch (error) {
      // The device's puzzle needs a script, which this page has none of; the portal's own page does it.
      if (error instanceof Refusal && error.code === 'login.captcha_due')
        return toPortal(reply, {}, service, language)
      if (error instanceof Refusal) return again(error)
      throw error
    }
    if ('due' in signedIn) {
      const { state, due } = signedIn
      return toPortal(reply, { state, due }, service, language)
    }
    if (service) return redirectWithTicket(platform, request, reply, signedIn, service)
    return reply.redirect('/cas/login', 303)
  },

  async logout({ db, platform, query, request, reply }) {
    noStore(reply)
    const session = await currentSession(platform, request)
    if (session)
      for (const id of await revokeSession(db, session.id)) platform.guard.forgetSession(id)
    clearCookie(platform, reply, centralCookie)
    const service =
      query.service === undefined ? undefined : registeredService(platform, query.service)
    if (service) return reply.redirect(service, 303)
    return page(
      reply,
      messagePage(languageOf(request.headers['accept-language']), await readSchool(platform), {
        kind: 'signed-out',
      }),
    )
  },
}

/** Whatever else is due, the portal's own page asks for it, and then comes back; behind the # it reaches no log. */
function toPortal(
  reply: FastifyReply,
  given: { state: string; due: string } | Record<string, never>,
  service: string | undefined,
  lang: 'zh' | 'en',
) {
  const onwards = service ? `/cas/login?${new URLSearchParams({ service, lang })}` : '/cas/login'
  return reply.redirect(
    `/pages/login/login#${new URLSearchParams({ ...given, onwards })}`,
    303,
  ) as never
}

/** The normalised address of a service that may use the central login, or null. Today: our own portal. */
function registeredService(platform: Platform, service: string): string | null {
  const address = normalisedService(service)
  return address && platform.isOwnOrigin(new URL(address).origin) ? address : null
}

/** How a service address is compared, where a ticket is given and where it is redeemed; null where it is none. */
export function normalisedService(service: string): string | null {
  if (service.length > longestService || !URL.canParse(service)) return null
  const url = new URL(service)
  if (url.username || url.password) return null
  url.hash = ''
  url.searchParams.delete('ticket')
  return url.href
}

async function currentSession(platform: Platform, request: FastifyRequest) {
  const secret = readCookie(platform, request, centralCookie)
  if (!secret) return undefined
  const found = await findCentralSession(platform.db, secret)
  return found && { ...found, way: found.way as Way }
}

/** Our own portal gets a JWT whose payload holds the id token: 60 s, once. */
async function redirectWithTicket(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  session: CentralSession,
  service: string,
) {
  const portal = await openPortalSession(platform, request, session, session.id)
  const id = `ST-${randomBytes(24).toString('hex')}`
  await insertTicket(platform.db, {
    id,
    sessionId: portal.sessionId,
    service,
    seconds: ticketSeconds,
  })
  const ticket = await platform.keys.sign(
    { idToken: portal.idToken },
    {
      type: 'st+jwt',
      issuer: `${platform.origin()}/cas`,
      audience: service,
      subject: portal.username,
      id,
      seconds: ticketSeconds,
    },
  )
  const target = new URL(service)
  target.searchParams.set('ticket', ticket)
  return reply.redirect(target.href, 303) as never
}

// ---- the form: a signed one-time value in it and the same in a cookie keep other sites from signing people in ----

async function form(
  platform: Platform,
  reply: FastifyReply,
  view: {
    language: 'zh' | 'en'
    service: string | undefined
    status: number
    username?: string | undefined
    error?: string
    retryAfter?: number | undefined
  },
) {
  const value = `${randomBytes(16).toString('base64url')}.${Math.floor(Date.now() / 1000) + loginTicketSeconds}`
  setCookie(platform, reply, formCookie, value, loginTicketSeconds)
  if (view.retryAfter) reply.header('retry-after', String(view.retryAfter))
  reply.code(view.status)
  return page(
    reply,
    loginPage({
      ...view,
      lt: platform.secret.sign('login-form', value),
      school: await readSchool(platform),
      demo: platform.env.ATRIUM_DEMO,
    }),
  )
}

function isOurForm(platform: Platform, request: FastifyRequest, lt: string | undefined) {
  const value = readCookie(platform, request, formCookie) ?? ''
  const expires = Number(value.split('.')[1])
  return !!lt && expires * 1000 > Date.now() && platform.secret.verify('login-form', value, lt)
}

async function refuse(platform: Platform, reply: FastifyReply, language: 'zh' | 'en') {
  reply.code(403)
  return page(
    reply,
    messagePage(language, await readSchool(platform), {
      kind: 'refused',
      text: errorText('ticket.service_refused', language),
    }),
  )
}

function page(reply: FastifyReply, html: string) {
  reply.header(
    'content-security-policy',
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
  reply.type('text/html; charset=utf-8')
  return html
}

const noStore = (reply: FastifyReply) =>
  reply.headers({
    'cache-control': 'no-store',
    pragma: 'no-cache',
    expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  })
