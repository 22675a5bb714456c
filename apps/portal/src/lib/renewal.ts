import { sessions } from '@atrium/contract/identity/sessions'
import { takeEarlyRenewal } from './early-answers.ts'
import {
  getSession,
  onSession,
  parseToken,
  rereadSession,
  type Session,
  setRenewedToken,
} from './session.ts'

/** No call goes out with a token that is good for less, in milliseconds: it may be under way for a while. */
const tooShort = 30_000
/** Before it gets that far, one tab renews it by itself; not all devices of a campus in the same second. */
const early = (3 + 3 * Math.random()) * 60_000
const retryAfter = 60_000

/** Nothing answers: whether the session lives is not known. */
class RenewalUnknown extends Error {}

let renewing: Promise<Session | null> | undefined
/** A token that no refresh cookie belongs to: it lasts as long as it lasts. */
let alone = ''

const left = ({ expiresAt }: Session) => expiresAt - Date.now()

/**
 * The session with a token to call with, renewed if need be. Null: nobody is signed in, or the session is over.
 * @throws RenewalUnknown
 */
export async function liveSession(): Promise<Session | null> {
  const session = getSession()
  if (!session || left(session) > tooShort) return session
  try {
    return await renew(session)
  } catch (error) {
    if (left(session) > 0) return session
    throw error
  }
}

/**
 * A fresh token in the place of this one, once for all who ask. Null: the session is over.
 * @throws RenewalUnknown
 */
export function renew(session: Session): Promise<Session | null> {
  renewing ??= inOneTab(() => exchange(session)).finally(() => {
    renewing = undefined
    watchSession()
  })
  return renewing
}

/** One tab of several at a time. Without locks the server bears two tabs at once for ten seconds. */
const inOneTab = (work: () => Promise<Session | null>): Promise<Session | null> =>
  navigator.locks ? navigator.locks.request('atrium-renewal', work) : work()

async function exchange(old: Session): Promise<Session | null> {
  // Another tab was first, signed out, or signed in.
  const now = rereadSession()
  if (!now || (now.token !== old.token && left(now) > tooShort)) return now
  const response =
    (await takeEarlyRenewal(now.token)) ??
    // The answer may be lost on the way; asked again at once, the server still takes the same cookie.
    (await ask(4000)) ??
    (await ask(15_000))
  const answer = await response?.json().catch(() => undefined)
  if (response?.ok && answer?.data?.idToken) {
    // The cookie is of whoever signed in here; a token that came in an address may be of somebody else.
    if (parseToken(answer.data.idToken)?.accountId !== now.accountId) return withoutCookie(now)
    setRenewedToken(answer.data.idToken)
    return getSession()
  }
  if (response?.status !== 401 && response?.status !== 403) throw new RenewalUnknown()
  return answer?.error === 'session.required' ? withoutCookie(now) : null
}

/** It lasts as long as it lasts. */
function withoutCookie(session: Session): Session | null {
  if (left(session) <= 0) return null
  alone = session.token
  return session
}

async function ask(milliseconds: number) {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), milliseconds)
  try {
    const { method, path } = sessions.refresh
    return await fetch(path, {
      method,
      headers: { Accept: 'application/json' },
      signal: abort.signal,
    })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

let over: (session: Session) => void = () => {}
/** The shell says what happens when the server says that a session is over while nobody is calling. */
export function onSessionOver(handler: (session: Session) => void) {
  over = handler
}

let timer: ReturnType<typeof setTimeout> | undefined
/** Renews the session before it runs out, for as long as the page can be seen. */
function watchSession() {
  clearTimeout(timer)
  const session = getSession()
  if (!session || session.token === alone) return
  // A timer counts to 2^31 at most.
  const wait = Math.min(left(session) - early, 2 ** 30)
  if (wait > 0) timer = setTimeout(watchSession, wait)
  else if (document.visibilityState === 'visible')
    renew(session).then(
      (next) => next ?? over(session),
      () => {
        clearTimeout(timer)
        timer = setTimeout(watchSession, retryAfter)
      },
    )
}

/** From now on, and whenever a page that slept, was hidden or offline is there again. */
export function startWatching() {
  watchSession()
  onSession(watchSession)
  for (const event of ['visibilitychange', 'pageshow', 'online'])
    addEventListener(event, watchSession)
}
