import { createHash } from 'node:crypto'
import type { TaskConnector } from '@atrium/contract/work/task-connector'
import { fetchExternal, type OutboundAnswer } from '#platform/outbound/outbound.ts'

const maxTokenBytes = 100_000
const [defaultTokenSeconds, maxTokenSeconds, marginSeconds] = [300, 3600, 30]

type Request = {
  method?: 'GET' | 'POST' | 'PUT'
  headers: Record<string, string>
  body?: string
  maxBytes: number
}
export type Requester = (address: string, request: Request) => Promise<OutboundAnswer>

/** Access tokens cached in this process, by a hash of the authentication settings. */
const tokens = new Map<string, { token: string; until: number }>()

/**
 * Opens authenticated requests to a system as its description says. Requests throw an Error that says why there is no
 * answer.
 */
export function createRequester(
  { timeoutSeconds, authentication }: Pick<TaskConnector, 'timeoutSeconds' | 'authentication'>,
  secret: string | undefined,
  /** ATRIUM_OUTBOUND_ALLOW */
  allow: string | undefined,
): Requester {
  const call = (address: string, { headers, ...request }: Request) =>
    fetchExternal(address, {
      ...request,
      headers: { accept: 'application/json', ...headers },
      allow,
      seconds: timeoutSeconds,
      redirects: 0,
      confidential: true,
    })
  if (authentication.kind !== 'none' && secret === undefined)
    throw new Error('The secret is missing. Enter it again.')
  const key = createHash('sha256')
    .update(JSON.stringify([authentication, secret]))
    .digest('hex')

  async function authHeaders(): Promise<Record<string, string>> {
    const { kind, username, header = '' } = authentication
    switch (kind) {
      case 'none':
        return {}
      case 'bearer':
        return { authorization: `Bearer ${secret}` }
      case 'basic':
        return { authorization: basic(username ?? '', secret ?? '') }
      case 'header':
        return { [header.toLowerCase()]: secret ?? '' }
      case 'client-credentials': {
        const cached = tokens.get(key)
        const valid = cached && cached.until > Date.now() ? cached : await requestToken()
        tokens.set(key, valid)
        return { authorization: `Bearer ${valid.token}` }
      }
    }
  }

  /** Requests an access token with the client credentials grant (RFC 6749 4.4). */
  async function requestToken() {
    const { tokenAddress = '', clientId = '', sendSecretIn, scope, resource } = authentication
    const { status, bytes } = await call(tokenAddress, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(sendSecretIn !== 'body' && {
          authorization: basic(encodeURIComponent(clientId), encodeURIComponent(secret ?? '')),
        }),
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(sendSecretIn === 'body' && { client_id: clientId, client_secret: secret ?? '' }),
        ...(scope && { scope }),
        ...(resource && { resource }),
      }).toString(),
      maxBytes: maxTokenBytes,
    })
    if (status !== 200) throw new Error(`${tokenAddress} issues no token: status ${status}`)
    const { access_token, expires_in } = (parseJson(bytes) ?? {}) as Record<string, unknown>
    if (typeof access_token !== 'string' || access_token === '')
      throw new Error(`${tokenAddress} answers without an access_token`)
    const seconds = Math.min(Number(expires_in) || defaultTokenSeconds, maxTokenSeconds)
    for (const [key, { until }] of tokens) if (until <= Date.now()) tokens.delete(key)
    return { token: access_token, until: Date.now() + (seconds - marginSeconds) * 1000 }
  }

  return async (address, request) => {
    const send = async () =>
      call(address, { ...request, headers: { ...request.headers, ...(await authHeaders()) } })
    const answer = await send()
    // The token was revoked or expired early: retry with a new one.
    if (answer.status !== 401 || !tokens.delete(key)) return answer
    return send()
  }
}

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Parses JSON in UTF-8 (RFC 8259 8.1); undefined if invalid. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
