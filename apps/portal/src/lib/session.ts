import { useSyncExternalStore } from 'react'
import { read, remove, write } from './storage.ts'

/** What the id token says about who is signed in. The server alone decides what that is worth. */
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
 * The session, or null: no token, or one that cannot be read. One whose token has run out is a session still: the next call
 * renews it (`renewal.ts`), and the server alone says when it is over.
 */
export function getSession(): Session | null {
  if (ignored) return null
  if (current === undefined) current = readSession()
  return current
}

/** For as long as this page lives, nobody is signed in: calls go without a token. The session itself is left alone. */
export function ignoreSession() {
  ignored = true
}

/** Somebody signs in, or nobody is signed in any more. */
export function setSession(token: string | null) {
  keepToken(token)
  announce()
}

/** The same session goes on with another token: nothing on the screen changes by it. */
export function setRenewedToken(token: string) {
  keepToken(token)
  current = undefined
}

/** What is stored now, which another tab may have renewed. */
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

function announce() {
  current = undefined
  for (const listener of listeners) listener()
}

function keepToken(token: string | null) {
  if (token) {
    // First, so that another tab which hears of the token knows since when it lasts.
    write('idTokenSince', { of: token.slice(-16), at: Date.now() })
    write('idToken', token)
    keepInfo(claimsOf(token))
  } else {
    remove('myInfo')
    remove('idToken')
    remove('idTokenSince')
  }
}

function readSession(): Session | null {
  const token = read('idToken') ?? ''
  const session = parseToken(token)
  const since = read('idTokenSince')
  // The clock of a device may be hours wrong: a token lasts as long as it lasts, from when it came.
  const life = lifeOf(token)
  const info = read('myInfo')
  // The token of a host app may say no more than whose it is.
  if (session && info?.accountId === session.accountId) {
    session.identityTypeCode ||= info.identityTypeCode
    session.name ||= info.userName
  }
  if (session && life > 0 && since?.of === token.slice(-16)) session.expiresAt = since.at + life
  return session
}

/** What the token leaves out is as it was known of the same account. */
function keepInfo(claims: Record<string, unknown> = {}) {
  const accountId = String(claims.ATTR_accountId ?? '')
  const known = read('myInfo')
  const text = (name: keyof NonNullable<typeof known>) =>
    String(claims[`ATTR_${name}`] ?? (known?.accountId === accountId ? known[name] : ''))
  write('myInfo', {
    userName: text('userName'),
    accountId,
    identityTypeCode: text('identityTypeCode'),
    organizationCode: text('organizationCode'),
    organizationId: text('organizationId'),
    organizationName: text('organizationName'),
  })
}

// Another tab of the browser signed in or out, or renewed the session of both.
addEventListener('storage', (event) => {
  if (event.key !== 'idToken' && event.key !== null) return
  const before = current?.accountId
  if (rereadSession()?.accountId !== before || before === undefined) announce()
})

// A page that the browser kept, and shows again on the way back, may be of somebody who has signed out since.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  const before = current?.accountId
  if (rereadSession()?.accountId !== before) announce()
})

/** Reads the claims without verifying them: the signature is the server's business. */
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

function lifeOf(token: string) {
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
