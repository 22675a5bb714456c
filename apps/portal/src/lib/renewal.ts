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
const minTimeLeft = 30_000
/**
 * One tab renews the token this long before it expires; randomised, so that the devices of a campus do not renew all in
 * the same second.
 */
const renewBefore = (3 + 3 * Math.random()) * 60_000
const retryDelay = 60_000

/** The server did not answer: whether the session is still valid is unknown. */
class RenewalUnknown extends Error {}

let renewing: Promise<Session | null> | undefined
/** A token without a refresh cookie; it cannot be renewed. */
let unrenewableToken = ''

const timeLeft = ({ expiresAt }: Session) => expiresAt - Date.now()

/**
 * The session with a usable token, renewed if needed. Null if nobody is signed in or the session is over.
 * @throws RenewalUnknown
 */
export async function liveSession(): Promise<Session | null> {
  const session = getSession()
  if (!session || timeLeft(session) > minTimeLeft) return session
  try {
    return await renew(session)
  } catch (error) {
    if (timeLeft(session) > 0) return session
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

async function exchange(previous: Session): Promise<Session | null> {
  // Another tab may have renewed, signed out or signed in.
  const current = rereadSession()
  if (!current || (current.token !== previous.token && timeLeft(current) > minTimeLeft))
    return current
  const response =
    (await takeEarlyRenewal(current.token)) ??
    // The response may be lost on the way; the server still accepts the same cookie for an immediate retry.
    (await requestRenewal(4000)) ??
    (await requestRenewal(15_000))
  const answer = await response?.json().catch(() => undefined)
  if (response?.ok && answer?.data?.idToken) {
    // The cookie belongs to the account that signed in here; a token from an address may belong to another.
    if (parseToken(answer.data.idToken)?.accountId !== current.accountId)
      return keepUntilExpiry(current)
    setRenewedToken(answer.data.idToken)
    return getSession()
  }
  if (response?.status !== 401 && response?.status !== 403) throw new RenewalUnknown()
  return answer?.error === 'session.required' ? keepUntilExpiry(current) : null
}

/** The token stays in use until it expires. */
function keepUntilExpiry(session: Session): Session | null {
  if (timeLeft(session) <= 0) return null
  unrenewableToken = session.token
  return session
}

async function requestRenewal(milliseconds: number) {
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

let sessionOverHandler: (session: Session) => void = () => {}
/** Set by the shell; called when the server reports the end of a session outside a call. */
export function onSessionOver(handler: (session: Session) => void) {
  sessionOverHandler = handler
}

let timer: ReturnType<typeof setTimeout> | undefined
/** Renews the session before it expires, while the page is visible. */
function watchSession() {
  clearTimeout(timer)
  const session = getSession()
  if (!session || session.token === unrenewableToken) return
  // setTimeout is limited to 2^31 ms.
  const wait = Math.min(timeLeft(session) - renewBefore, 2 ** 30)
  if (wait > 0) timer = setTimeout(watchSession, wait)
  else if (document.visibilityState === 'visible')
    renew(session).then(
      (next) => next ?? sessionOverHandler(session),
      () => {
        clearTimeout(timer)
        timer = setTimeout(watchSession, retryDelay)
      },
    )
}

/** Starts renewing, also whenever the page wakes, becomes visible or is online again. */
export function startRenewal() {
  watchSession()
  onSession(watchSession)
  for (const event of ['visibilitychange', 'pageshow', 'online'])
    addEventListener(event, watchSession)
}
