import { hashSecret, revokeSignIn } from '#domains/identity/identity/queries.ts'
import type { Platform } from '#platform/platform.ts'
import { readLogoutRequest } from './cas-answer.ts'
import { readLogoutToken } from './openid.ts'
import { listSessionsOf, type Provider } from './queries.ts'
import { realmOf } from './rules.ts'

/**
 * Ends what came by a ticket. The message is not signed: a ticket nobody can guess is its only proof (CAS 3.0, 2.3.3), so one
 * that no living session came by does nothing.
 * @param provider whose ticket it must be, where the address says so
 */
export async function endByTicket(platform: Platform, request: string, provider?: Provider) {
  const sessionHash = hashSecret(readLogoutRequest(request))
  await end(
    platform,
    await listSessionsOf(platform.db, {
      sessionHash,
      ...(provider && { providerId: provider.id }),
    }),
  )
}

/** The same for a signed token, which may name a session or a person. */
export async function endByToken(platform: Platform, provider: Provider, token: string) {
  const named = await readLogoutToken(platform, provider, token)
  await end(
    platform,
    await listSessionsOf(
      platform.db,
      'session' in named
        ? { providerId: provider.id, sessionHash: hashSecret(named.session) }
        : {
            providerId: provider.id,
            realm: realmOf(provider.kind, provider.settings),
            subject: named.subject,
          },
    ),
  )
}

/** Ends these sessions and whatever was signed in together with them. */
async function end(platform: Platform, sessions: readonly { id: string }[]) {
  for (const { id } of sessions)
    for (const ended of await revokeSignIn(platform.db, id, 'logout'))
      platform.guard.forgetSession(ended)
}
