import { useSyncExternalStore } from 'react'
import { read, remove, write } from './storage.ts'

/** What the id token says about who is signed in. The server alone decides what that is worth. */
export type Session = {
  token: string
  username: string
  name: string
  identityTypeCode: string
  accountId: string
  /** Milliseconds. */
  expiresAt: number
}

const listeners = new Set<() => void>()
let current: Session | null | undefined
let ignored = false
let end: ReturnType<typeof setTimeout>

/** The session, or null: no token, one that cannot be read, or one that has run out. */
export function getSession(): Session | null {
  if (ignored) return null
  if (current === undefined) {
    current = parseToken(read('idToken') ?? '')
    if (current) announceEnd(current)
  }
  if (current && current.expiresAt <= Date.now()) current = null
  return current
}

/** For as long as this page lives, nobody is signed in: calls go without a token. The session itself is left alone. */
export function ignoreSession() {
  ignored = true
}

export function setSession(token: string | null) {
  if (token) write('idToken', token)
  else remove('idToken')
  announce()
}

export function onSession(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useSession = () => useSyncExternalStore(onSession, getSession)

function announce() {
  clearTimeout(end)
  current = undefined
  for (const listener of listeners) listener()
}

/** What a member sees goes with the session, without waiting for the next call. */
function announceEnd({ expiresAt }: Session) {
  const left = expiresAt - Date.now()
  // A timer counts to 2^31 at most; longer sessions end on the next look.
  if (left > 0 && left < 2 ** 31) end = setTimeout(announce, left)
}

// Another tab of the browser signed in or out.
addEventListener('storage', (event) => {
  if (event.key === 'idToken' || event.key === null) announce()
})

/** Reads the claims without verifying them: the signature is the server's business. */
export function parseToken(token: string): Session | null {
  try {
    const payload = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    )
    const claims = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof claims.exp !== 'number') return null
    return {
      token,
      username: String(claims.sub ?? ''),
      name: String(claims.ATTR_userName ?? ''),
      identityTypeCode: String(claims.ATTR_identityTypeCode ?? ''),
      accountId: String(claims.ATTR_accountId ?? ''),
      expiresAt: claims.exp * 1000,
    }
  } catch {
    return null
  }
}
