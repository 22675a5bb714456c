import { randomBytes } from 'node:crypto'
import type { Session } from '@atrium/contract/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currentSettings } from '#areas/config/queries.ts'
import { tokenAudience } from '#platform/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { centralCookie, refreshCookie, setCookie } from './cookies.ts'
import { deviceOf } from './device.ts'
import { noteDevice } from './known-devices.ts'
import { getTokenFacts, insertSession, touchSession } from './queries.ts'
import { insertRefreshToken } from './refresh-tokens.ts'
import type { Way } from './sign-in.ts'

const idTokenSeconds = 2 * 60 * 60

/** How somebody came in. */
export type Entry = {
  accountId: string
  way: Way
  strong: boolean
  /** when who the person is was last proven; now where it is left out */
  confirmedAt?: string | undefined
}

/** Opens the central session and a portal session beside it, and sets the cookies of both. */
export async function openSessions(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: Entry,
): Promise<Session> {
  const centralSessionId = await openCentralSession(platform, request, reply, entry)
  const { sessionId, ...session } = await openPortalSession(
    platform,
    request,
    entry,
    centralSessionId,
  )
  await setRefreshCookie(platform, reply, sessionId)
  return session
}

/** Opens a session of the central login and sets its cookie. @returns its key */
export async function openCentralSession(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: Entry,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const id = await insertSession(platform.db, {
    ...entry,
    ...(await lifetime(platform)),
    kind: 'central',
    device: deviceOf(request),
    address: request.ip,
    secret,
  })
  setCookie(platform, reply, centralCookie, secret)
  await noteDevice(platform, request, reply, entry.accountId)
  return id
}

/** Gives the browser a fresh refresh token of a portal session. */
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

/** Opens a portal session and answers the id token that names it. */
export async function openPortalSession(
  platform: Platform,
  request: FastifyRequest,
  entry: Entry,
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

/** A fresh id token of a session. */
export async function signIdToken(
  platform: Platform,
  sessionId: string,
  accountId: string,
): Promise<Session> {
  const facts = await getTokenFacts(platform.db, accountId)
  const idToken = await platform.keys.sign(
    {
      ATTR_identityTypeCode: facts.identityTypeCode,
      ATTR_userName: facts.name,
      ATTR_accountId: accountId,
      ATTR_organizationCode: facts.organizationCode,
      ATTR_organizationId: facts.organizationId,
      ATTR_organizationName: facts.organizationName,
    },
    {
      type: 'idt+jwt',
      audience: tokenAudience,
      subject: facts.username,
      id: `${sessionId}.${randomBytes(6).toString('hex')}`,
      seconds: idTokenSeconds,
    },
  )
  return {
    idToken,
    expiresAt: new Date(Date.now() + idTokenSeconds * 1000).toISOString(),
    username: facts.username,
  }
}
