import type { FastifyRequest } from 'fastify'
import { fail } from '#platform/errors.ts'
import { signIns } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { recordAuthentication } from './authentication-log.ts'
import { hashingOf } from './password.ts'
import {
  countFailure,
  findAccountByUsername,
  findBlockedSeconds,
  forgetFailures,
} from './queries.ts'
import type { Proof } from './sign-in.ts'

/** When tries are slowed down, and for how long at most. An address may be a whole campus: it waits late and briefly. */
const throttle = {
  account: { free: 5, longestSeconds: 900 },
  address: { free: 300, longestSeconds: 60 },
}

/**
 * The account whose username and password these are. Unknown, locked, disabled and wrong all answer the same, in the same
 * time; only somebody who knows the password learns that an account waits for activation.
 */
export async function checkPassword(
  platform: Platform,
  request: FastifyRequest,
  username: string,
  password: string,
): Promise<Proof> {
  const { db } = platform
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
  const right = await hashingOf(platform).matches(account?.passwordHash, password)
  if (!account || !right || account.status === 'disabled') {
    await countFailure(db, keys.account, throttle.account)
    await countFailure(db, keys.address, throttle.address)
    signIns.inc({ way: 'password', result: 'refused' })
    await recordAuthentication(db, request, {
      personId: account?.personId ?? null,
      accountId: account?.id ?? null,
      username,
      way: 'password',
      result: 'refused',
    })
    fail('login.refused')
  }
  if (account.status === 'inactive') fail('login.not_activated')
  await forgetFailures(db, keys.account)
  return { way: 'password', personId: account.personId, accountId: account.id }
}
