import { useSyncExternalStore } from 'react'
import { read, remove, write } from './storage.ts'

/** The member according to the ID token. Only the server decides whether the token is valid. */
export type Session = {
  token: string
  username: string
  name: string
  identityTypeCode: string
  accountId: string
  /** Milliseconds, by the clock of this device. */
  expiresAt: number
}

const listeners = new Set<() => void>()
let current: Session | null | undefined
let ignored = false

/**
 * The session, or null if there is no readable token. A session whose token has expired still counts: the next call
 * renews it (`renewal.ts`), and only the server decides when it is over.
 */
export function getSession(): Session | null {
  if (ignored) return null
  if (current === undefined) current = readSession()
  return current
}

/**
 * Hides the session from this page until it is unloaded: calls are sent without a token. The stored session is
 * unchanged.
 */
export function ignoreSession() {
  ignored = true
}

/** Signs a member in, or out with null. */
export function setSession(token: string | null) {
  storeToken(token)
  notifyListeners()
}

/** Replaces the token of the same session, without notifying listeners. */
export function setRenewedToken(token: string) {
  storeToken(token)
  current = undefined
}

/** Reads the session from storage again; another tab may have renewed it. */
export function rereadSession(): Session | null {
  current = undefined
  return getSession()
}

export function onSession(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useSession = () => useSyncExternalStore(onSession, getSession, getSession)

function notifyListeners() {
  current = undefined
  for (const listener of listeners) listener()
}

function storeToken(token: string | null) {
  if (token) {
    // Written first, so that another tab notified of the token already finds the time.
    write('idTokenSince', { of: token.slice(-16), at: Date.now() })
    write('idToken', token)
    storeInfo(claimsOf(token))
  } else {
    remove('myInfo')
    remove('idToken')
    remove('idTokenSince')
  }
}

function readSession(): Session | null {
  const token = read('idToken') ?? ''
  const session = parseToken(token)
  const received = read('idTokenSince')
  // The device's clock may be hours wrong: compute the expiry from the time of receipt and the token's lifetime.
  const lifetime = lifetimeOf(token)
  const info = read('myInfo')
  // A host app's token may contain nothing but the account.
  if (session && info?.accountId === session.accountId) {
    session.identityTypeCode ||= info.identityTypeCode
    session.name ||= info.userName
  }
  if (session && lifetime > 0 && received?.of === token.slice(-16))
    session.expiresAt = received.at + lifetime
  return session
}

/** Claims missing in the token keep the values last known for the same account. */
function storeInfo(claims: Record<string, unknown> = {}) {
  const accountId = String(claims.ATTR_accountId ?? '')
  const stored = read('myInfo')
  const text = (name: keyof NonNullable<typeof stored>) =>
    String(claims[`ATTR_${name}`] ?? (stored?.accountId === accountId ? stored[name] : ''))
  write('myInfo', {
    userName: text('userName'),
    accountId,
    identityTypeCode: text('identityTypeCode'),
    organizationCode: text('organizationCode'),
    organizationId: text('organizationId'),
    organizationName: text('organizationName'),
  })
}

// Another tab signed in or out, or renewed the shared session.
addEventListener('storage', (event) => {
  if (event.key !== 'idToken' && event.key !== null) return
  const previousAccount = current?.accountId
  if (rereadSession()?.accountId !== previousAccount || previousAccount === undefined)
    notifyListeners()
})

// A page restored from the back/forward cache may belong to a member who has signed out since.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  const previousAccount = current?.accountId
  if (rereadSession()?.accountId !== previousAccount) notifyListeners()
})

/** Reads the claims without verifying them: the server checks the signature. */
export function parseToken(token: string): Session | null {
  const claims = claimsOf(token)
  if (typeof claims?.exp !== 'number') return null
  return {
    token,
    username: String(claims.sub ?? ''),
    name: String(claims.ATTR_userName ?? ''),
    identityTypeCode: String(claims.ATTR_identityTypeCode ?? ''),
    accountId: String(claims.ATTR_accountId ?? ''),
    expiresAt: claims.exp * 1000,
  }
}

function lifetimeOf(token: string) {
  const { exp, iat } = claimsOf(token) ?? {}
  return (Number(exp) - Number(iat ?? exp)) * 1000
}

function claimsOf(token: string): Record<string, unknown> | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
