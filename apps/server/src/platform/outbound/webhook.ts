import { createHmac } from 'node:crypto'
import { fetchExternal, type OutboundAnswer } from './outbound.ts'

const patienceSeconds = 10

/**
 * Calls another system, signed as in Standard Webhooks (standardwebhooks.com); libraries exist for most languages.
 * @param call `id` is the same for every retry; without `key` the call is unsigned; without `body` it is a GET
 * @throws OutboundError after 10 s without an answer, or for http outside the opened networks
 */
export const callWebhook = (
  address: string,
  {
    id,
    body,
    key,
    allow,
    maxBytes,
  }: {
    id: string
    body?: string
    key: string | undefined
    /** ATRIUM_OUTBOUND_ALLOW */
    allow: string | undefined
    /** without it the response body is not read */
    maxBytes?: number
  },
): Promise<OutboundAnswer> =>
  fetchExternal(address, {
    allow,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...signatureOf(id, body ?? '', key),
    },
    ...(body !== undefined && { body }),
    ...(maxBytes === undefined ? { headersOnly: true } : { maxBytes }),
    seconds: patienceSeconds,
    redirects: 0,
    // The payload is personal data.
    confidential: true,
  })

function signatureOf(
  id: string,
  body: string,
  key: string | undefined,
  now = new Date(),
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (!key) return headers
  const bytes = key.startsWith('whsec_') ? Buffer.from(key.slice(6), 'base64') : Buffer.from(key)
  const signature = createHmac('sha256', bytes)
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}
