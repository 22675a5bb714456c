import { registry } from '@atrium/contract/sso/registry'
import type { Platform } from '#platform/platform.ts'
import type { Caller } from './test-app.ts'

type Input = { params?: Record<string, string>; query?: string; body?: object }

/**
 * Calls a listening node as a registered system, with a client credentials token.
 * @param options `admin` creates the systems' secrets
 */
export function systemCaller({
  origin,
  platform,
  admin,
}: {
  origin: string
  platform: Platform
  admin: Caller
}) {
  const secrets = new Map<string, string>()
  async function secretOf(system: string) {
    const known = secrets.get(system)
    if (known) return known
    const { secret } = (await admin(registry.replaceSecret, { params: { code: system } })).data
    secrets.set(system, secret)
    await platform.topics.flushed()
    return secret
  }
  async function tokenOf(system: string) {
    const answer = await fetch(`${origin}/cas/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: system,
        client_secret: await secretOf(system),
      }),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  async function call(
    system: string,
    endpoint: { method: string; path: string },
    input: Input,
    // biome-ignore lint/suspicious/noExplicitAny: what came back is what is tested
  ): Promise<any> {
    const address = endpoint.path.replace(
      /\{(\w+)\}/g,
      (_, name: string) => input.params?.[name] ?? '',
    )
    const response = await fetch(`${origin}${address}${input.query ?? ''}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${await tokenOf(system)}`,
        ...(input.body && { 'content-type': 'application/json' }),
      },
      ...(input.body && { body: JSON.stringify(input.body) }),
    })
    return { status: response.status, ...((await response.json()) as object) }
  }
  return { call, secretOf, tokenOf }
}
