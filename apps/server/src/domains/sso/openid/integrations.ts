import type { Endpoint } from '@atrium/contract/define'
import { type Integration, integrations } from '@atrium/contract/sso/registry'
import type { FastifyRequest } from 'fastify'
import { errors as joseErrors } from 'jose'
import type { errors, KoaContextWithOIDC, ResourceServer } from 'oidc-provider'
import { findParty } from '#domains/sso/registry/parties.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { openidPath } from './issuer.ts'

/** Audience of a token for a part of the API: `https://m.example.edu/message`. */
const audienceOf = (platform: Platform, mount: string) => `${platform.origin()}/${mount}`

/**
 * The resource server for a requested audience. Only for a client's own calls (client_credentials), not for calls on
 * behalf of members.
 * @throws InvalidTarget (RFC 8707) if the client is not registered for it
 */
export async function integrationAt(
  platform: Platform,
  refusals: typeof errors,
  ctx: KoaContextWithOIDC,
  resource: string,
): Promise<ResourceServer> {
  const party = await findParty(platform, ctx.oidc.client?.clientId ?? '')
  const mount = integrations.find((name) => resource === audienceOf(platform, name))
  const own = ctx.oidc.params?.grant_type === 'client_credentials'
  if (!own || !mount || !party?.integrations.includes(mount))
    throw new refusals.InvalidTarget('the client is not registered for this resource')
  return {
    scope: '',
    audience: resource,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  }
}

/**
 * The default resource of a client that is registered for one part of the API only.
 * @throws InvalidTarget if there are none or several
 */
export async function defaultIntegration(
  platform: Platform,
  refusals: typeof errors,
  ctx: KoaContextWithOIDC,
): Promise<string | undefined> {
  if (ctx.oidc.params?.grant_type !== 'client_credentials') return undefined
  const party = await findParty(platform, ctx.oidc.client?.clientId ?? '')
  const [mount, ...others] = party?.integrations ?? []
  if (!mount || others.length > 0) throw new refusals.InvalidTarget('resource is required')
  return audienceOf(platform, mount)
}

/**
 * Admits a system's call with a token for the endpoint's part of the API, as long as it is registered for that.
 * @throws session.required, session.expired, session.forbidden
 */
export async function authenticateIntegration(
  platform: Platform,
  { path }: Pick<Endpoint, 'path'>,
  { headers }: FastifyRequest,
): Promise<{ code: string }> {
  const mount = path.split('/')[1] ?? ''
  const token = /^Bearer ([\w.-]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (!token) fail('session.required')
  const claims = await platform.keys
    .verify(token, {
      type: 'at+jwt',
      audience: audienceOf(platform, mount),
      issuer: platform.origin() + openidPath,
    })
    .catch((error) => {
      if (error instanceof joseErrors.JOSEError || (error as Error).message === 'unknown key')
        fail('session.expired')
      throw error
    })
  const party = await findParty(platform, claims.sub ?? '')
  if (claims.client_id !== claims.sub || !party?.integrations.includes(mount as Integration))
    fail('session.forbidden')
  return { code: party.code }
}
