import type { openid } from '@atrium/contract/sso/openid'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currentSession } from '#domains/sso/central-login/central-sessions.ts'
import { consentPage, messagePage, nameOf } from '#domains/sso/central-login/pages.ts'
import { readFrame } from '#domains/sso/central-login/texts.ts'
import { noStore } from '#domains/sso/central-login/validate-handlers.ts'
import { newFormValue, page, readFormCookie } from '#domains/sso/central-login/visit.ts'
import { insertConsent, isConsentDue } from '#domains/sso/consent/queries.ts'
import { findParty, type Party } from '#domains/sso/registry/parties.ts'
import { errorText } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { openidPath } from './issuer.ts'
import { firstLocale } from './locales.ts'
import { providerOf } from './provider.ts'

type Visit = { platform: Platform; request: FastifyRequest; reply: FastifyReply }
type Question = Awaited<ReturnType<typeof questionOf>>

export const openidHandlers: Handlers<typeof openid> = {
  async ask({ platform, request, reply }) {
    noStore(reply)
    const visit = { platform, request, reply }
    const question = await questionOf(visit)
    if (!question) return expired(visit)
    const session = await currentSession(platform, request)
    const { details, party, params } = question
    if (details.prompt.name === 'login') {
      const fresh = session && Date.parse(session.confirmedAt ?? '') / 1000 >= details.iat
      const again = details.prompt.reasons.some((reason) => reason !== 'no_session')
      // Signed in now: restart the request, which finds the session.
      if (session && (!again || fresh)) return reply.redirect(anew(params), 303)
      return reply.redirect(signIn(platform, details.uid, params, again), 303)
    }
    if (!session || !party) return reply.redirect(anew(params), 303)
    const value = newFormValue(platform, reply)
    const html = consentPage({
      frame: await readFrame(platform, firstLocale(params), request.headers),
      service: '',
      method: undefined,
      party,
      name: session.name,
      withUsername: !party.pairwise,
      offline: party.offlineAccess && asksOffline(params),
      action: `${openidPath}/interaction/${details.uid}`,
      lt: platform.secret.sign('openid-consent', whatWasAsked(value, session.id, question)),
    })
    return page(reply, html, { address: String(params.redirect_uri) })
  },

  async answer({ db, platform, body, request, reply }) {
    noStore(reply)
    const visit = { platform, request, reply }
    const question = await questionOf(visit)
    if (!question) return expired(visit)
    const { details, party, params } = question
    const session = await currentSession(platform, request)
    const value = readFormCookie(platform, request)
    if (!session || !party) return reply.redirect(anew(params), 303)
    const seen = whatWasAsked(value, session.id, question)
    // Show the page again if the form is not ours, has expired, or its content has changed since.
    if (!value || !platform.secret.verify('openid-consent', seen, body.lt ?? ''))
      return reply.redirect(`${openidPath}/interaction/${details.uid}`, 303)
    const agreed = body.decision === 'go'
    if (agreed && (await isConsentDue(db, party, session.accountId)))
      await insertConsent(db, party, session.accountId)
    const provider = await providerOf(platform)
    const next = await provider.interactionResult(
      request.raw,
      reply.raw,
      agreed
        ? { consent: {} }
        : {
            error: 'access_denied',
            error_description: `the member did not agree to share information with ${nameOf(party, 'en')}`,
          },
    )
    return reply.redirect(next, 303)
  },
}

/** The pending interaction of this browser; undefined if it has expired or belongs to another browser. */
async function questionOf({ platform, request, reply }: Visit) {
  const provider = await providerOf(platform)
  const { uid } = request.params as { uid: string }
  const { cookies } = provider.createContext(request.raw, reply.raw)
  if (cookies.get(provider.cookieName('interaction'), { signed: true }) !== uid) return undefined
  // `interactionDetails` would refuse an interaction whose session was replaced by a new sign-in.
  const details = await provider.Interaction.find(uid)
  if (!details) return undefined
  const party = await findParty(platform, String(details.params.client_id))
  return { details, party, params: details.params }
}

const asksOffline = ({ scope }: Record<string, unknown>) =>
  String(scope ?? '')
    .split(' ')
    .includes('offline_access')

/** The same request from the start, without asking a member who has just signed in to sign in again. */
function anew(params: Record<string, unknown>) {
  const { prompt, max_age: _, ...rest } = params
  const prompts = String(prompt ?? '')
    .split(' ')
    .filter((name) => name && name !== 'login')
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
  if (prompts.length > 0) query.set('prompt', prompts.join(' '))
  return `${openidPath}/auth?${query}`
}

const signIn = (
  platform: Platform,
  uid: string,
  params: Record<string, unknown>,
  renew: boolean,
) => {
  const locale = firstLocale(params)
  return `/cas/login?${new URLSearchParams({
    service: `${platform.origin()}${openidPath}/interaction/${uid}`,
    ...(renew && { renew: 'true' }),
    ...(locale && { lang: languageOf(locale) }),
  })}`
}

/** Binds an answer to the session, the interaction and exactly what was shown. */
const whatWasAsked = (
  value: string,
  sessionId: string,
  { details, party }: NonNullable<Question>,
) => JSON.stringify([value, sessionId, details.uid, party?.id, (party as Party).attributes])

async function expired(visit: Visit) {
  visit.reply.code(400)
  const frame = await readFrame(visit.platform, undefined, visit.request.headers)
  const text = errorText('openid.request_refused', frame.language)
  return page(visit.reply, messagePage(frame, { kind: 'refused', text }))
}
