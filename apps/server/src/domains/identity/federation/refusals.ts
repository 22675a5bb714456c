import type { FastifyRequest } from 'fastify'
import { recordAuthentication } from '#domains/identity/identity/authentication-log.ts'
import { signIns } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { toRefusal } from './external-identity.ts'
import { authMethodOf } from './logins.ts'
import type { Provider } from './queries.ts'

/** Logs a failed external sign-in and throws a user-facing refusal. */
export async function recordRefusal(
  platform: Platform,
  request: FastifyRequest,
  { code, kind }: Provider,
  error: unknown,
): Promise<never> {
  const refusal = toRefusal(platform, code, error)
  const method = authMethodOf(kind)
  const result = refusal.code === 'federation.unavailable' ? 'blocked' : 'refused'
  signIns.inc({ way: method, result })
  await recordAuthentication(platform.db, request, {
    personId: null,
    accountId: null,
    way: method,
    result,
  })
  throw refusal
}
