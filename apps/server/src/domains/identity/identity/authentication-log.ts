import { usernameMax } from '@atrium/contract/define'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import type { AuthMethod } from './sign-in.ts'

/** Logs a sign-in attempt. `result`: ok, refused, blocked, or the refusal's code. */
export const recordAuthentication = (
  db: Db,
  request: FastifyRequest,
  entry: {
    personId: string | null
    accountId: string | null
    /** as typed; stored only if no account has that name */
    username?: string
    way: AuthMethod
    result: string
  },
) =>
  db
    .insertInto('authentication_log')
    .values({
      person_id: entry.personId,
      account_id: entry.accountId,
      username: entry.accountId ? '' : (entry.username ?? '').slice(0, usernameMax),
      way: entry.way,
      result: entry.result,
      device: JSON.stringify(deviceOf(request)),
      address: request.ip,
    })
    .execute()

/** Deletes entries older than the configured retention period. */
export async function clearAuthenticationLog(platform: Platform) {
  const days = Math.max(1, Number((await currentSettings(platform)).authenticationLogDays) || 190)
  await platform.db
    .deleteFrom('authentication_log')
    .where('happened_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .execute()
}
