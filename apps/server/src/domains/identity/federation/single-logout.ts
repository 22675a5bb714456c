import { buildEndSessionUrl } from 'openid-client'
import { hashSecret, revokeSignIn } from '#domains/identity/identity/queries.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { withTimeout } from '#platform/with-timeout.ts'
import { readLogoutRequest } from './cas-answer.ts'
import { configurationOf, readLogoutToken } from './openid.ts'
import { findProviderOfSession, listSessionsOf, type Provider } from './queries.ts'
import { mayRedirectTo, realmOf, trimSlashes } from './rules.ts'

/**
 * Ends the sessions opened with a ticket. The message is not signed; the unguessable ticket is its only proof (CAS 3.0,
 * 2.3.3), so an unknown one has no effect.
 * @param provider that must have issued the ticket, if the address names one
 */
export async function endSessionsByTicket(
  platform: Platform,
  request: string,
  provider?: Provider,
) {
  const sessionHash = hashSecret(readLogoutRequest(request))
  await end(
    platform,
    await listSessionsOf(platform.db, {
      sessionHash,
      ...(provider && { providerId: provider.id }),
    }),
  )
}

/** As `endSessionsByTicket`, for a signed token, which names a session or a person. */
export async function endSessionsByToken(platform: Platform, provider: Provider, token: string) {
  const claims = await readLogoutToken(platform, provider, token)
  await end(
    platform,
    await listSessionsOf(
      platform.db,
      'session' in claims
        ? { providerId: provider.id, sessionHash: hashSecret(claims.session) }
        : {
            providerId: provider.id,
            realm: realmOf(provider.kind, provider.settings),
            subject: claims.subject,
          },
    ),
  )
}

/** Ends these sessions and all others of their sign-ins. */
async function end(platform: Platform, sessions: readonly { id: string }[]) {
  for (const { id } of sessions)
    for (const ended of await revokeSignIn(platform.db, id, 'logout'))
      platform.guard.forgetSession(ended)
}

/** How long to wait for the provider's logout address, in milliseconds. */
const timeoutMs = 3000

/**
 * The address that ends the session at the provider and redirects back to `returnTo`. Undefined if the session did not
 * come from a provider, operators disabled it, or the provider has no such address.
 */
export async function externalLogoutAddress(
  platform: Platform,
  sessionId: string,
  returnTo: string,
): Promise<string | undefined> {
  const provider = await findProviderOfSession(platform.db, sessionId)
  if (!provider?.settings.signOutThere) return undefined
  if (provider.kind === 'cas')
    return `${trimSlashes(provider.settings.serverUrl ?? '')}/logout?${new URLSearchParams({ service: returnTo })}`
  return withTimeout(
    timeoutMs,
    openidLogoutAddress(platform, provider, returnTo).catch((error) => {
      platform.log.warn(
        { err: error, provider: provider.code },
        'the logout address of an external login is not available',
      )
      return undefined
    }),
    undefined,
  )
}

async function openidLogoutAddress(platform: Platform, provider: Provider, returnTo: string) {
  const configuration = await configurationOf(platform, provider)
  if (!configuration.serverMetadata().end_session_endpoint) return undefined
  const { href } = buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo })
  const { casHosts } = await currentSettings(platform)
  return mayRedirectTo(href, provider.settings.issuer ?? '', casHosts) ? href : undefined
}
