import { randomBytes } from 'node:crypto'
import type { Session } from '@atrium/contract/identity/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  centralCookie,
  readCookie,
  refreshCookie,
  setCookie,
} from '#domains/identity/browsers/cookies.ts'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { tokenAudience } from '#platform/http/token-check.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { recordDevice } from './known-devices.ts'
import {
  findSessionAccount,
  getTokenAccount,
  insertSession,
  isSameSignIn,
  moveSessions,
  revokeSession,
  revokeSignIn,
  touchSession,
} from './queries.ts'
import { insertRefreshToken, sessionOfToken } from './refresh-tokens.ts'
import type { AuthMethod } from './sign-in.ts'

const idTokenSeconds = 2 * 60 * 60

/** How somebody signed in. */
export type SignInDetails = {
  accountId: string
  way: AuthMethod
  strong: boolean
  /** when the person last proved their identity; now if omitted */
  confirmedAt?: string | undefined
  /** the external login used */
  federatedLoginId?: string | undefined
  /** days for which the browser keeps the central session; until it closes if omitted */
  rememberDays?: number | undefined
  /** the browser's previous central session */
  renews?: string | undefined
}

/** Opens a central session and a portal session, and sets the cookies of both. */
export async function openSessions(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: SignInDetails,
): Promise<Session & { sessionId: string }> {
  const centralSessionId = await openCentralSession(platform, request, reply, entry)
  const session = await openPortalSession(platform, request, entry, centralSessionId)
  await setRefreshCookie(platform, reply, session.sessionId)
  return session
}

/**
 * Opens a session of the central login and sets its cookie.
 * @returns its id
 */
export async function openCentralSession(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: SignInDetails,
): Promise<string> {
  const { rememberDays, renews } = entry
  const secret = randomBytes(32).toString('base64url')
  const id = await insertSession(platform.db, {
    ...entry,
    ...(await lifetime(platform)),
    ...(rememberDays && { days: rememberDays, idleDays: rememberDays, remembered: true }),
    kind: 'central',
    device: deviceOf(request),
    address: request.ip,
    secret,
  })
  setCookie(platform, reply, centralCookie, secret, rememberDays && rememberDays * 86_400)
  await recordDevice(platform, request, reply, entry.accountId)
  if (renews) await endPreviousSession(platform, renews, { id, accountId: entry.accountId })
  return id
}

/** Ends the previous central session. If the same account re-authenticated, its portal sessions move to the new one. */
async function endPreviousSession(
  { db, guard }: Platform,
  previousId: string,
  next: { id: string; accountId: string },
) {
  const owner = await findSessionAccount(db, previousId)
  if (owner === next.accountId)
    await db.transaction().execute((db) => moveSessions(db, previousId, next.id))
  for (const ended of await revokeSession(db, previousId)) guard.forgetSession(ended)
}

/**
 * A browser has one portal session at a time: when it gets another, the one named by its refresh cookie ends, with all
 * sessions of its sign-in. If both came from the same central session, only the former portal session ends.
 * @param next the session that replaces it; if omitted, the whole former sign-in ends
 */
export async function endReplacedSession(
  platform: Platform,
  request: FastifyRequest,
  next?: string,
) {
  const { db, guard, secret } = platform
  const replacedId = sessionOfToken(secret, readCookie(platform, request, refreshCookie) ?? '')
  if (!replacedId || replacedId === next) return
  const sameSignIn = next !== undefined && (await isSameSignIn(db, replacedId, next))
  const ended = await (sameSignIn ? revokeSession : revokeSignIn)(db, replacedId, 'switch')
  for (const id of ended) guard.forgetSession(id)
}

/** Sets a new refresh token of a portal session as cookie. */
export async function setRefreshCookie(platform: Platform, reply: FastifyReply, sessionId: string) {
  const token = await insertRefreshToken(platform.db, platform.secret, sessionId)
  const { days } = await lifetime(platform)
  setCookie(platform, reply, refreshCookie, token, days * 86_400)
}

async function lifetime(platform: Platform) {
  const settings = await currentSettings(platform)
  return {
    idleDays: Math.max(1, Number(settings.sessionIdleDays) || 14),
    days: Math.max(1, Number(settings.sessionAbsoluteDays) || 90),
  }
}

/** Opens a portal session and returns its id token. */
export async function openPortalSession(
  platform: Platform,
  request: FastifyRequest,
  entry: SignInDetails,
  centralSessionId: string | null = null,
): Promise<Session & { sessionId: string }> {
  if (centralSessionId) await touchSession(platform.db, centralSessionId)
  const sessionId = await insertSession(platform.db, {
    ...entry,
    ...(await lifetime(platform)),
    kind: 'portal',
    device: deviceOf(request),
    address: request.ip,
    centralSessionId,
  })
  return { sessionId, ...(await signIdToken(platform, sessionId, entry.accountId)) }
}

/** Signs a new id token for a session. */
export async function signIdToken(
  platform: Platform,
  sessionId: string,
  accountId: string,
): Promise<Session> {
  const account = await getTokenAccount(platform.db, accountId)
  const idToken = await platform.keys.sign(
    {
      ATTR_identityTypeCode: account.identityTypeCode,
      ATTR_userName: account.name,
      ATTR_accountId: accountId,
      ATTR_organizationCode: account.organizationCode,
      ATTR_organizationId: account.organizationId,
      ATTR_organizationName: account.organizationName,
    },
    {
      type: 'idt+jwt',
      audience: tokenAudience,
      subject: account.username,
      id: `${sessionId}.${randomBytes(6).toString('hex')}`,
      seconds: idTokenSeconds,
    },
  )
  return {
    idToken,
    expiresAt: new Date(Date.now() + idTokenSeconds * 1000).toISOString(),
    username: account.username,
  }
}
