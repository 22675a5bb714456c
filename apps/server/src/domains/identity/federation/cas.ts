import { OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { isServiceTicket, readServiceResponse } from './cas-answer.ts'
import {
  type ExternalIdentity,
  requestProvider,
  UntrustedAnswerError,
} from './external-identity.ts'
import type { PendingLogin } from './pending-login.ts'
import type { Provider } from './queries.ts'
import { firstText, trimSlashes } from './rules.ts'

/** The service URL for a CAS server: our callback, or the return route if it is the central login. */
export function casServiceUrl(platform: Platform, pending: PendingLogin, central: boolean): string {
  const { provider, state, returnTarget } = pending
  if (!central) return `${platform.origin()}/token/federation/callback/${provider}?state=${state}`
  return `${platform.origin()}/page/index/index?${new URLSearchParams({ returnTarget, state })}`
}

export function casLoginAddress({ settings }: Provider, service: string): string {
  const { serverUrl = '', renew } = settings
  return `${trimSlashes(serverUrl)}/login?${new URLSearchParams({ service, ...(renew && { renew: 'true' }) })}`
}

/**
 * Validates a ticket with the CAS server that issued it. Only the ticket is taken from the request, escaped; all
 * addresses come from us and the settings (CVE-2014-4172).
 * @throws OutboundError, UntrustedAnswerError
 */
export async function validateTicket(
  platform: Platform,
  provider: Provider,
  service: string,
  ticket: unknown,
): Promise<ExternalIdentity> {
  if (typeof ticket !== 'string' || !isServiceTicket(ticket))
    throw new UntrustedAnswerError('the ticket parameter is not a ticket')
  const { user, attributes } = readServiceResponse(
    await requestValidation(platform, provider, service, ticket),
  )
  const { matchUsername, usernameAttribute, nameAttribute } = provider.settings
  return {
    subject: user,
    display: nameAttribute ? firstText(attributes[nameAttribute]) || user : user,
    username: matchUsername
      ? usernameAttribute
        ? firstText(attributes[usernameAttribute])
        : user
      : '',
    session: ticket,
  }
}

export async function requestValidation(
  platform: Platform,
  { settings }: Provider,
  service: string,
  ticket: string,
): Promise<string> {
  const { serverUrl = '', validateUrl, renew } = settings
  const search = new URLSearchParams({ service, ticket, ...(renew && { renew: 'true' }) })
  const { status, bytes } = await requestProvider(
    platform,
    `${trimSlashes(validateUrl || serverUrl)}/p3/serviceValidate?${search}`,
  )
  if (status !== 200) throw new OutboundError(`it answered with the status ${status}`)
  return bytes.toString('utf8')
}
