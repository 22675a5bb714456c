import { createHmac } from 'node:crypto'
import { fetchOutside, type OutboundAnswer } from './outbound.ts'

const patienceSeconds = 10

/**
 * A signed call to another system, as Standard Webhooks (standardwebhooks.com) has it: libraries of most languages verify it.
 * @param call `id` names it however often it is repeated; `key` signs it, without one it is not signed; without a `body` it is a GET
 * @throws OutboundError when there is no answer within 10 s, or for plain http out of the institution's network
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
    /** without it the body of the answer is not read */
    maxBytes?: number
  },
): Promise<OutboundAnswer> =>
  fetchOutside(address, {
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
    // What is told is about people.
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
