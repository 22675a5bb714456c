import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearCookie, readCookie, setCookie } from '#domains/identity/browsers/cookies.ts'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import type { Platform } from '#platform/platform.ts'
import { isSameSecret } from '#platform/secret.ts'

/** An outside login under way: kept by the browser it began in, sealed, and by nobody else. */
export type Begun = {
  provider: string
  /** goes to the provider and has to come back */
  state: string
  /** stands in its id token */
  nonce: string
  /** of PKCE; never leaves us before the code is redeemed */
  verifier: string
  returnTarget: string
  onwards: string
  /** milliseconds */
  until: number
}

const minutes = 10
/** Lax: the provider sends people back by a link. It reaches the call that redeems tickets, too. */
const begunCookie = { name: 'FL-atrium', path: '/token', sameSite: 'lax' } as const
/** Afterwards: whose browser may sign in by what the provider has shown. */
const browserCookie = { name: 'FB-atrium', path: '/token/federation', sameSite: 'lax' } as const

export function keepBegun(
  platform: Platform,
  reply: FastifyReply,
  given: Pick<Begun, 'provider' | 'returnTarget' | 'onwards'>,
): Begun {
  const random = () => randomBytes(24).toString('hex')
  const begun: Begun = {
    ...given,
    state: random(),
    nonce: random(),
    verifier: randomBytes(48).toString('base64url'),
    until: Date.now() + minutes * 60_000,
  }
  const { provider, state, nonce, verifier, returnTarget, onwards, until } = begun
  const sealed = platform.secret.encrypt(
    JSON.stringify(['begun', provider, state, nonce, verifier, returnTarget, onwards, until]),
  )
  setCookie(platform, reply, begunCookie, sealed, minutes * 60)
  return begun
}

/** What this browser has begun, if it has this state. It is over then: what comes a second time finds nothing. */
export function takeBegun(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  state: unknown,
): Begun | undefined {
  const sealed = readCookie(platform, request, begunCookie)
  const begun = sealed === undefined ? undefined : read(platform, sealed)
  // Somebody else's state does not end what this browser has under way.
  if (!begun || typeof state !== 'string' || begun.state !== state) return undefined
  clearCookie(platform, reply, begunCookie)
  return begun.until > Date.now() ? begun : undefined
}

function read(platform: Platform, sealed: string): Begun | undefined {
  const text = platform.secret.decrypt(sealed)
  if (text === undefined) return undefined
  const [what, provider, state, nonce, verifier, returnTarget, onwards, until] = JSON.parse(
    text,
  ) as [string, string, string, string, string, string, string, number]
  if (what !== 'begun') return undefined
  return { provider, state, nonce, verifier, returnTarget, onwards, until }
}

/** Marks the browser that what was shown belongs to. @returns the hash that is kept here */
export function markBrowser(platform: Platform, reply: FastifyReply): string {
  const secret = randomBytes(24).toString('base64url')
  setCookie(platform, reply, browserCookie, secret, minutes * 60)
  return hashSecret(secret)
}

/**
 * Whether this is the browser of that hash. A mini-program, whose pages have none of its cookies, is known by its nonce
 * alone: in a link it would bind a stranger's WeChat to whoever follows it elsewhere and shows who they are.
 */
export function isBrowser(platform: Platform, request: FastifyRequest, hash: string): boolean {
  const { 'sec-fetch-site': site, 'user-agent': program = '' } = request.headers
  if (hash === '') return site === undefined || /miniProgram/i.test(program)
  const secret = readCookie(platform, request, browserCookie)
  return secret !== undefined && isSameSecret(hashSecret(secret), hash)
}
