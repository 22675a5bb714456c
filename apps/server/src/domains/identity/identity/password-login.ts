import { usernameMax } from '@atrium/contract/define'
import type { ErrorCode } from '@atrium/contract/errors'
import type { FastifyRequest } from 'fastify'
import { checkCaptcha } from '#domains/identity/browsers/captcha.ts'
import { requireOwnPage } from '#domains/identity/browsers/own-page.ts'
import { callerNetwork } from '#platform/http/caller-network.ts'
import { fail } from '#platform/http/errors.ts'
import { signIns } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { recordAuthentication } from './authentication-log.ts'
import { type PasswordAnswer, passwordSources } from './extensions.ts'
import { knownDeviceOf } from './known-devices.ts'
import { hashIsOld, hashingOf } from './password.ts'
import {
  activateAccount,
  countFailure,
  findAccountByUsername,
  findThrottle,
  forgetFailures,
  replacePasswordHash,
} from './queries.ts'
import type { AuthResult } from './sign-in.ts'

/** When tries are slowed down, and for how long at most. An address may be a whole campus: it waits late and briefly. */
const throttle = {
  account: { free: 5, maxSeconds: 900 },
  address: { free: 300, maxSeconds: 30 },
}
/** Failures of an address before a captcha is due, in those of an account. */
const addressPatience = 10

/** What a try is counted by. A device that is known has its own count, which no stranger fills. */
type Keys = { own: string; address?: string }

async function keysOf(
  platform: Platform,
  request: FastifyRequest,
  username: string,
  sessionId: string | undefined,
): Promise<Keys> {
  if (sessionId) return { own: `session:${sessionId}` }
  const known = await knownDeviceOf(platform, request, { username })
  if (known) return { own: `known:${known}` }
  return {
    own: `account:${username.trim().toLowerCase().slice(0, usernameMax)}`,
    address: addressKey(request),
  }
}
const addressKey = (request: FastifyRequest) => `address:${callerNetwork(request.ip)}`

/** What a directory says of somebody whom it knows, as we answer it. */
const directoryRefusals = {
  expired: 'login.directory_expired',
  must_change: 'login.directory_must_change',
  disabled: 'login.directory_disabled',
  locked: 'login.directory_locked',
  unavailable: 'login.directory_unavailable',
} as const satisfies Record<Exclude<PasswordAnswer, 'right' | 'refused'>, ErrorCode>

/**
 * The account whose username and password these are. Unknown, locked, disabled and wrong all answer the same, in the same
 * time; only somebody who knows the password learns that an account waits for activation. Where a directory answers for
 * passwords, it is asked whatever the name, and what is kept here is compared whatever the name: neither the answer nor its
 * time tells where somebody comes from.
 * @param captcha a solution, needed once `login.captcha_due` was answered
 * @param sessionId of the member, where it is they who confirm
 */
export async function checkPassword(
  platform: Platform,
  request: FastifyRequest,
  username: string,
  password: string,
  captcha?: string,
  sessionId?: string,
): Promise<AuthResult> {
  requireOwnPage(platform, request)
  const { db } = platform
  const keys = await keysOf(platform, request, username, sessionId)
  const before = await gate(platform, keys)
  if (before.captchaDue && !(await checkCaptcha(platform, captcha))) fail('login.captcha_due')
  const account = await findAccountByUsername(db, username)
  const hashing = hashingOf(platform)
  const [isOurs, asked] = await Promise.all([
    hashing.matches(account?.passwordHash, password),
    askSources(platform, account, username, password),
  ])
  const byDirectory = asked?.decides ?? false
  const right = byDirectory ? asked?.answer === 'right' : isOurs
  const way = byDirectory ? 'directory' : 'password'
  // What failed meanwhile counts for this try too: many at the same time learn no more than one after another.
  const after = await gate(platform, keys)
  if (after.captchaDue && !before.captchaDue) fail('login.captcha_due')
  const refuse = async (code: ErrorCode, result: string) => {
    signIns.inc({ way, result: 'refused' })
    await recordAuthentication(db, request, {
      personId: account?.personId ?? null,
      accountId: account?.id ?? null,
      username,
      way,
      result,
    })
    return fail(code, code === 'login.directory_unavailable' ? { retryAfter: 10 } : {})
  }
  const count = async () => {
    await countFailure(db, keys.own, throttle.account)
    if (keys.address) await countFailure(db, keys.address, throttle.address)
  }
  const disabled = account?.status === 'disabled'
  const reason = asked?.answer ?? 'refused'
  // A directory that is away says so for everybody alike: it would have spoken of some, and which is not told.
  if ((!right || disabled) && (reason === 'unavailable' || (byDirectory && !disabled)))
    if (reason !== 'right' && reason !== 'refused') {
      // Who only waits for the directory is not held up later; guesses at others count.
      if (!byDirectory || reason === 'locked') await count()
      return refuse(directoryRefusals[reason], reason)
    }
  if (!account || !right || disabled) {
    await count()
    return refuse('login.refused', 'refused')
  }
  if (account.status === 'inactive' && !byDirectory)
    return refuse('login.not_activated', 'not_activated')
  if (after.ownFailures > 0) await forgetFailures(db, keys.own)
  const { personId, passwordHash } = account
  if (byDirectory) {
    if (account.status === 'inactive') await activateAccount(db, account.id)
    return { way, personId, accountId: account.id }
  }
  if (passwordHash && hashIsOld(passwordHash))
    await replacePasswordHash(db, personId, passwordHash, await hashing.hash(password))
  return { way, personId, accountId: account.id }
}

/** What another system that knows passwords says; the one that keeps this account's password, if any, decides. */
async function askSources(
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

/** Whether the next try of this address needs a captcha, whatever name it is for. */
export async function isCaptchaDue(platform: Platform, request: FastifyRequest) {
  const address = addressKey(request)
  const { failures } = await findThrottle(platform.db, [address])
  return captchaDue(await captchaAfter(platform), 0, failures.get(address) ?? 0)
}

/** @throws login.too_many */
async function gate(platform: Platform, keys: Keys) {
  const { failures, blockedSeconds } = await findThrottle(platform.db, Object.values(keys))
  if (blockedSeconds > 0) {
    signIns.inc({ way: 'password', result: 'blocked' })
    fail('login.too_many', { retryAfter: blockedSeconds })
  }
  const ownFailures = failures.get(keys.own) ?? 0
  const addressFailures = keys.address ? (failures.get(keys.address) ?? 0) : 0
  return {
    ownFailures,
    captchaDue: captchaDue(await captchaAfter(platform), ownFailures, addressFailures),
  }
}

const captchaAfter = async (platform: Platform) =>
  Number((await currentSettings(platform)).captchaAfter)

/** @param after failures of one account, or of a device known to it; 0: never */
const captchaDue = (after: number, own: number, ofAddress: number) =>
  after > 0 && (own >= after || ofAddress >= after * addressPatience)
