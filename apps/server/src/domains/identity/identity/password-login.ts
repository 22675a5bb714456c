import { usernameMax } from '@atrium/contract/define'
import type { ErrorCode } from '@atrium/contract/errors'
import type { FastifyRequest } from 'fastify'
import { checkCaptcha } from '#domains/identity/browsers/captcha.ts'
import { requireSameOrigin } from '#domains/identity/browsers/same-origin.ts'
import { callerNetwork } from '#platform/http/caller-network.ts'
import { fail } from '#platform/http/errors.ts'
import { signIns } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { recordAuthentication } from './authentication-log.ts'
import { type PasswordAnswer, passwordSources } from './extensions.ts'
import { findDeviceThrottleKey } from './known-devices.ts'
import { hashingOf, isHashOutdated } from './password.ts'
import {
  activateAccount,
  clearFailures,
  countFailure,
  findAccountByUsername,
  findThrottle,
  replacePasswordHash,
} from './queries.ts'
import type { AuthResult } from './sign-in.ts'

/**
 * When attempts are throttled, and for how long at most. An address may be a whole campus: it is throttled late and
 * briefly.
 */
const throttle = {
  account: { free: 5, maxSeconds: 900 },
  address: { free: 300, maxSeconds: 30 },
}
/** Factor by which an address may fail more often than an account before a captcha is required. */
const addressFactor = 10

/** Throttle keys of an attempt. A known device has its own counter, which strangers cannot fill. */
type Keys = { own: string; address?: string }

async function keysOf(
  platform: Platform,
  request: FastifyRequest,
  username: string,
  sessionId: string | undefined,
): Promise<Keys> {
  if (sessionId) return { own: `session:${sessionId}` }
  const known = await findDeviceThrottleKey(platform, request, { username })
  if (known) return { own: `known:${known}` }
  return {
    own: `account:${username.trim().toLowerCase().slice(0, usernameMax)}`,
    address: addressKey(request),
  }
}
const addressKey = (request: FastifyRequest) => `address:${callerNetwork(request.ip)}`

/** Directory results for known users, mapped to our error codes. */
const directoryRefusals = {
  expired: 'login.directory_expired',
  must_change: 'login.directory_must_change',
  disabled: 'login.directory_disabled',
  locked: 'login.directory_locked',
  unavailable: 'login.directory_unavailable',
} as const satisfies Record<Exclude<PasswordAnswer, 'right' | 'refused'>, ErrorCode>

/**
 * Returns the account that matches username and password. Unknown, locked, disabled and wrong give the same answer in
 * the same time; only somebody who knows the password learns that an account needs activation. If a directory verifies
 * passwords, it is asked for every name and the local hash is always compared too: neither the answer nor its timing
 * reveals where an account is managed.
 * @param captcha a solution, required after `login.captcha_due`
 * @param sessionId of the member, when they confirm their identity
 */
export async function checkPassword(
  platform: Platform,
  request: FastifyRequest,
  username: string,
  password: string,
  captcha?: string,
  sessionId?: string,
): Promise<AuthResult> {
  requireSameOrigin(platform, request)
  const { db } = platform
  const keys = await keysOf(platform, request, username, sessionId)
  const before = await checkThrottle(platform, keys)
  if (before.captchaDue && !(await checkCaptcha(platform, captcha))) fail('login.captcha_due')
  const account = await findAccountByUsername(db, username)
  const hashing = hashingOf(platform)
  const [isOurs, external] = await Promise.all([
    hashing.matches(account?.passwordHash, password),
    querySources(platform, account, username, password),
  ])
  const byDirectory = external?.decides ?? false
  const isCorrect = byDirectory ? external?.answer === 'right' : isOurs
  const method = byDirectory ? 'directory' : 'password'
  // Concurrent failures count for this attempt too: parallel attempts reveal no more than sequential ones.
  const after = await checkThrottle(platform, keys)
  if (after.captchaDue && !before.captchaDue) fail('login.captcha_due')
  const refuse = async (code: ErrorCode, result: string) => {
    signIns.inc({ way: method, result: 'refused' })
    await recordAuthentication(db, request, {
      personId: account?.personId ?? null,
      accountId: account?.id ?? null,
      username,
      way: method,
      result,
    })
    return fail(code, code === 'login.directory_unavailable' ? { retryAfter: 10 } : {})
  }
  const countAttempt = async () => {
    await countFailure(db, keys.own, throttle.account)
    if (keys.address) await countFailure(db, keys.address, throttle.address)
  }
  const isDisabled = account?.status === 'disabled'
  const reason = external?.answer ?? 'refused'
  // An unavailable directory is reported for every name: reporting it for its own members only would reveal who they
  // are.
  if ((!isCorrect || isDisabled) && (reason === 'unavailable' || (byDirectory && !isDisabled)))
    if (reason !== 'right' && reason !== 'refused') {
      // Attempts during a directory outage are not counted against its members; guesses at other names are.
      if (!byDirectory || reason === 'locked') await countAttempt()
      return refuse(directoryRefusals[reason], reason)
    }
  if (!account || !isCorrect || isDisabled) {
    await countAttempt()
    return refuse('login.refused', 'refused')
  }
  if (account.status === 'inactive' && !byDirectory)
    return refuse('login.not_activated', 'not_activated')
  if (after.ownFailures > 0) await clearFailures(db, keys.own)
  const { personId, passwordHash } = account
  if (byDirectory) {
    if (account.status === 'inactive') await activateAccount(db, account.id)
    return { way: method, personId, accountId: account.id }
  }
  if (passwordHash && isHashOutdated(passwordHash))
    await replacePasswordHash(db, personId, passwordHash, await hashing.hash(password))
  return { way: method, personId, accountId: account.id }
}

/** Asks all password sources; the answer of the one that manages this account's password takes precedence. */
async function querySources(
  platform: Platform,
  account: { id: string; personId: string } | undefined,
  username: string,
  password: string,
) {
  const answers = await Promise.all(
    passwordSources.all().map(({ check }) => check(platform, account, username, password)),
  )
  return answers.find((answer) => answer?.decides) ?? answers.find((answer) => answer)
}

/** Whether the next attempt from this address needs a captcha, regardless of the name. */
export async function isCaptchaDue(platform: Platform, request: FastifyRequest) {
  const address = addressKey(request)
  const { failures } = await findThrottle(platform.db, [address])
  return needsCaptcha(await captchaThreshold(platform), 0, failures.get(address) ?? 0)
}

/** @throws login.too_many */
async function checkThrottle(platform: Platform, keys: Keys) {
  const { failures, blockedSeconds } = await findThrottle(platform.db, Object.values(keys))
  if (blockedSeconds > 0) {
    signIns.inc({ way: 'password', result: 'blocked' })
    fail('login.too_many', { retryAfter: blockedSeconds })
  }
  const ownFailures = failures.get(keys.own) ?? 0
  const addressFailures = keys.address ? (failures.get(keys.address) ?? 0) : 0
  return {
    ownFailures,
    captchaDue: needsCaptcha(await captchaThreshold(platform), ownFailures, addressFailures),
  }
}

const captchaThreshold = async (platform: Platform) =>
  Number((await currentSettings(platform)).captchaAfter)

/** @param threshold failures allowed per account or known device before a captcha; 0: never */
const needsCaptcha = (threshold: number, ownFailures: number, addressFailures: number) =>
  threshold > 0 && (ownFailures >= threshold || addressFailures >= threshold * addressFactor)
