import { buildEndSessionUrl } from 'openid-client'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { within } from '#platform/within.ts'
import { configurationOf } from './openid.ts'
import { findProviderOfSession, type Provider } from './queries.ts'
import { baseOf, maySendTo } from './rules.ts'

/** Nobody waits longer to be signed out because a provider does not say where, in milliseconds. */
const patience = 3000

/**
 * Where the browser ends the session at the provider that this one came by, and is sent back from to `returnTo`. Nothing where
 * it came by none, where operators do not want it, or where the provider has no such address.
 */
export async function outsideLogoutAddress(
  platform: Platform,
  sessionId: string,
  returnTo: string,
): Promise<string | undefined> {
  const provider = await findProviderOfSession(platform.db, sessionId)
  if (!provider?.settings.signOutThere) return undefined
  if (provider.kind === 'cas')
    return `${baseOf(provider.settings.serverUrl ?? '')}/logout?${new URLSearchParams({ service: returnTo })}`
  return within(
    patience,
    openidLogoutAddress(platform, provider, returnTo).catch((error) => {
      platform.log.warn({ err: error, provider: provider.code }, 'no way to sign out there')
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
  return maySendTo(href, provider.settings.issuer ?? '', casHosts) ? href : undefined
}
