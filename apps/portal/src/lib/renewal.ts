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

/** Milliseconds. No call uses a token with less time left than this, because the request itself may take a while. */
const tooShort = 30_000
/**
 * One tab renews the token this long before it expires; randomised, so that the devices of a campus do not renew all in
 * the same second.
 */
const early = (3 + 3 * Math.random()) * 60_000
const retryAfter = 60_000

/** The server did not answer: whether the session is still valid is unknown. */
class RenewalUnknown extends Error {}

let renewing: Promise<Session | null> | undefined
/** A token without a refresh cookie; it cannot be renewed. */
let alone = ''

const left = ({ expiresAt }: Session) => expiresAt - Date.now()

/**
 * The session with a usable token, renewed if needed. Null if nobody is signed in or the session is over.
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
 * Replaces this token; concurrent callers share one request. Null if the session is over.
 * @throws RenewalUnknown
 */
export function renew(session: Session): Promise<Session | null> {
  renewing ??= inOneTab(() => exchange(session)).finally(() => {
    renewing = undefined
    watchSession()
  })
  return renewing
}

/** Runs in one tab at a time. Without the Locks API, the server tolerates two tabs at once for ten seconds. */
const inOneTab = (work: () => Promise<Session | null>): Promise<Session | null> =>
  navigator.locks ? navigator.locks.request('atrium-renewal', work) : work()

async function exchange(old: Session): Promise<Session | null> {
  // Another tab may have renewed, signed out or signed in.
  const now = rereadSession()
  if (!now || (now.token !== old.token && left(now) > tooShort)) return now
  const response =
    (await takeEarlyRenewal(now.token)) ??
    // The response may be lost on the way; the server still accepts the same cookie for an immediate retry.
    (await ask(4000)) ??
    (await ask(15_000))
  const answer = await response?.json().catch(() => undefined)
  if (response?.ok && answer?.data?.idToken) {
    // The cookie belongs to the account that signed in here; a token from an address may belong to another.
    if (parseToken(answer.data.idToken)?.accountId !== now.accountId) return withoutCookie(now)
    setRenewedToken(answer.data.idToken)
    return getSession()
  }
  if (response?.status !== 401 && response?.status !== 403) throw new RenewalUnknown()
  return answer?.error === 'session.required' ? withoutCookie(now) : null
}

/** The token stays in use until it expires. */
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
/** Set by the shell; called when the server reports the end of a session outside a call. */
export function onSessionOver(handler: (session: Session) => void) {
  over = handler
}

let timer: ReturnType<typeof setTimeout> | undefined
/** Renews the session before it expires, while the page is visible. */
function watchSession() {
  clearTimeout(timer)
  const session = getSession()
  if (!session || session.token === alone) return
  // setTimeout is limited to 2^31 ms.
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

/** Starts renewing, also whenever the page wakes, becomes visible or is online again. */
export function startWatching() {
  watchSession()
  onSession(watchSession)
  for (const event of ['visibilitychange', 'pageshow', 'online'])
    addEventListener(event, watchSession)
}
