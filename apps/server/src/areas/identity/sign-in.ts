import { randomBytes } from 'node:crypto'
import type { Session } from '@atrium/contract/identity'
import type { FastifyRequest } from 'fastify'
import { fail } from '#platform/errors.ts'
import { tokenAudience } from '#platform/guard.ts'
import { signIns } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { type Hashing, openHashing } from './password.ts'
import {
  countFailure,
  type Device,
  findAccountByUsername,
  findBlockedSeconds,
  forgetFailures,
  getTokenFacts,
  insertSession,
} from './queries.ts'

/** When tries are slowed down, and for how long at most. An address may be a whole campus: it waits late and briefly. */
const throttle = {
  account: { free: 5, longestSeconds: 900 },
  address: { free: 300, longestSeconds: 60 },
}

const idTokenSeconds = 2 * 60 * 60
/** A session lives this long; the id token that names it much shorter. */
export const sessionDays = 14

let hashing: Hashing | undefined

/**
 * The account whose username and password these are. Unknown, locked, disabled and wrong all answer the same, in the same
 * time; only somebody who knows the password learns that an account waits for activation.
 */
export async function checkPassword(
  platform: Platform,
  request: FastifyRequest,
  username: string,
  password: string,
): Promise<string> {
  const { db, env } = platform
  hashing ??= openHashing(env.ATRIUM_HASH_THREADS)
  const keys = {
    account: `account:${username.trim().toLowerCase().slice(0, 100)}`,
    address: `address:${request.ip}`,
  }
  const blocked = await findBlockedSeconds(db, Object.values(keys))
  if (blocked > 0) {
    signIns.inc({ way: 'password', result: 'blocked' })
    fail('login.too_many', { retryAfter: blocked })
  }
  const account = await findAccountByUsername(db, username)
  const right = await hashing.matches(account?.passwordHash, password)
  if (!account || !right || account.status === 'disabled') {
    await countFailure(db, keys.account, throttle.account)
    await countFailure(db, keys.address, throttle.address)
    signIns.inc({ way: 'password', result: 'refused' })
    fail('login.refused')
  }
  if (account.status === 'inactive') fail('login.not_activated')
  await forgetFailures(db, keys.account)
  signIns.inc({ way: 'password', result: 'ok' })
  return account.id
}

/** Opens a portal session and answers the id token that names it. */
export async function openPortalSession(
  platform: Platform,
  request: FastifyRequest,
  accountId: string,
  centralSessionId: string | null = null,
): Promise<Session & { sessionId: string }> {
  const sessionId = await insertSession(platform.db, {
    kind: 'portal',
    accountId,
    device: deviceOf(request),
    address: request.ip,
    days: sessionDays,
    centralSessionId,
  })
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
      audience: tokenAudience,
      subject: facts.username,
      id: `${sessionId}.${randomBytes(6).toString('hex')}`,
      seconds: idTokenSeconds,
    },
  )
  return {
    sessionId,
    idToken,
    expiresAt: new Date(Date.now() + idTokenSeconds * 1000).toISOString(),
    username: facts.username,
  }
}

/** What the caller says of its device: a hint for the list of devices, never believed further. */
export function deviceOf(request: FastifyRequest): Device {
  const device: Device = { userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300) }
  const terminal = request.headers['x-terminal-info']
  if (terminal === 'wechat' || terminal === 'app' || terminal === 'h5') device.terminal = terminal
  const header = request.headers['x-device-info']
  if (typeof header !== 'string' || header.length > 1400) return device
  try {
    const said = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >
    for (const key of ['deviceId', 'os', 'osVersion', 'model', 'appVersion'] as const) {
      const value = said[key]
      if (typeof value === 'string') device[key] = value.slice(0, 100)
    }
  } catch {
    // a malformed hint is ignored
  }
  return device
}
