import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearCookie, readCookie, setCookie } from '#domains/identity/browsers/cookies.ts'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import type { Platform } from '#platform/platform.ts'
import { isSameSecret } from '#platform/secret.ts'

/** An external login in progress; stored only in the browser it began in, encrypted in a cookie. */
export type PendingLogin = {
  provider: string
  /** sent to the provider, which must return it */
  state: string
  /** must be in its id token */
  nonce: string
  /** of PKCE; not sent before the code is redeemed */
  verifier: string
  returnTarget: string
  onwards: string
  /** milliseconds */
  until: number
}

const minutes = 10
/** Lax, because the provider redirects back. The path also covers the endpoint that redeems tickets. */
const pendingCookie = { name: 'FL-atrium', path: '/token', sameSite: 'lax' } as const
/** Identifies the browser that may sign in with the confirmed identity. */
const browserCookie = { name: 'FB-atrium', path: '/token/federation', sameSite: 'lax' } as const

export function storePendingLogin(
  platform: Platform,
  reply: FastifyReply,
  destination: Pick<PendingLogin, 'provider' | 'returnTarget' | 'onwards'>,
): PendingLogin {
  const random = () => randomBytes(24).toString('hex')
  const pending: PendingLogin = {
    ...destination,
    state: random(),
    nonce: random(),
    verifier: randomBytes(48).toString('base64url'),
    until: Date.now() + minutes * 60_000,
  }
  const { provider, state, nonce, verifier, returnTarget, onwards, until } = pending
  const sealed = platform.secret.encrypt(
    JSON.stringify(['begun', provider, state, nonce, verifier, returnTarget, onwards, until]),
  )
  setCookie(platform, reply, pendingCookie, sealed, minutes * 60)
  return pending
}

/** Consumes the browser's pending login if its state matches; a second call finds none. */
export function consumePendingLogin(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  state: unknown,
): PendingLogin | undefined {
  const sealed = readCookie(platform, request, pendingCookie)
  const pending = sealed === undefined ? undefined : read(platform, sealed)
  // A foreign state does not end this browser's pending login.
  if (!pending || typeof state !== 'string' || pending.state !== state) return undefined
  clearCookie(platform, reply, pendingCookie)
  return pending.until > Date.now() ? pending : undefined
}

function read(platform: Platform, sealed: string): PendingLogin | undefined {
  const text = platform.secret.decrypt(sealed)
  if (text === undefined) return undefined
  const [what, provider, state, nonce, verifier, returnTarget, onwards, until] = JSON.parse(
    text,
  ) as [string, string, string, string, string, string, string, number]
  if (what !== 'begun') return undefined
  return { provider, state, nonce, verifier, returnTarget, onwards, until }
}

/** Sets the cookie of the browser a confirmed identity belongs to. @returns the hash to store */
export function setBrowserCookie(platform: Platform, reply: FastifyReply): string {
  const secret = randomBytes(24).toString('base64url')
  setCookie(platform, reply, browserCookie, secret, minutes * 60)
  return hashSecret(secret)
}

/**
 * Whether the request comes from the browser with this hash. A mini-program's pages have no such cookie, so the nonce
 * alone identifies it; elsewhere this is refused, because a link with the nonce would bind a stranger's WeChat to
 * whoever follows it and signs in.
 */
export function isSameBrowser(platform: Platform, request: FastifyRequest, hash: string): boolean {
  const { 'sec-fetch-site': site, 'user-agent': program = '' } = request.headers
  if (hash === '') return site === undefined || /miniProgram/i.test(program)
  const secret = readCookie(platform, request, browserCookie)
  return secret !== undefined && isSameSecret(hashSecret(secret), hash)
}
