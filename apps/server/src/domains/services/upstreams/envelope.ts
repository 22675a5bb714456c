import type { ErrorCode } from '@atrium/contract/errors'
import type { TSchema } from 'typebox'
import { cleanRichText } from '#platform/text/rich-text.ts'

/** An upstream's answer in our envelope, or why it is not one (a sentence for the log). */
export type EnvelopeResult =
  | { data: unknown }
  | { refusal: { error: string; message: string; fields: Record<string, string> | undefined } }
  | { issue: string }

type Answer = { status: number; bytes: Buffer; headers: { 'content-type'?: string | undefined } }

/** Statuses that are the caller's fault; any other failure is the upstream's own. */
const refusals: Record<number, ErrorCode> = {
  400: 'request.invalid',
  403: 'session.forbidden',
  404: 'request.not_found',
  409: 'request.invalid',
  413: 'request.too_large',
  422: 'request.invalid',
  429: 'request.too_many',
}

export function readEnvelope({ status, bytes, headers }: Answer): EnvelopeResult {
  const type = headers['content-type'] ?? 'none'
  if (!/^application\/json\b/i.test(type))
    return { issue: `answers with the type ${type.slice(0, 60)} instead of application/json` }
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    return { issue: 'answers with something that is not JSON' }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !('code' in body))
    return { issue: 'answers without the envelope { code, message, data }' }
  const { code, data, error, message, fields } = body as Record<string, unknown>
  if (status >= 200 && status < 300) {
    if (code !== 0)
      return { issue: `answers with the status ${status} and the code ${JSON.stringify(code)}` }
    return data === undefined ? { issue: 'answers without data' } : { data }
  }
  if (typeof code !== 'number' || code === 0)
    return {
      issue: `answers with the status ${status} and the code ${String(JSON.stringify(code)).slice(0, 40)}`,
    }
  const fallback = refusals[status]
  if (!fallback) return { issue: `answers with the status ${status}` }
  return {
    refusal: {
      error: nameOf(error) ?? fallback,
      message: typeof message === 'string' ? cleanText(message) : '',
      fields: fieldsOf(fields),
    },
  }
}

/** Passes error names through, except those of sessions and the server, which only we may report. */
function nameOf(error: unknown) {
  if (typeof error !== 'string' || !/^[a-z]{2,30}(\.[a-z_]{2,40}){1,2}$/.test(error))
    return undefined
  return /^(session|login|server)\./.test(error) ? undefined : error
}

const cleanText = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)

function fieldsOf(fields: unknown): Record<string, string> | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const texts = Object.entries(fields)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .slice(0, 20)
  return texts.length > 0
    ? Object.fromEntries(texts.map(([name, text]) => [name.slice(0, 60), cleanText(text)]))
    : undefined
}

type Schema = TSchema & {
  description?: string
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}

/** Sanitises HTML in the data where the contract declares it as sanitised. */
export function sanitizeData(schema: Schema, data: unknown): unknown {
  if (typeof data === 'string')
    return schema.description?.startsWith('sanitised HTML') ? cleanRichText(data) : data
  if (schema.anyOf)
    return schema.anyOf.reduce<unknown>((value, part) => sanitizeData(part, value), data)
  if (Array.isArray(data)) {
    const { items } = schema
    return items ? data.map((item) => sanitizeData(items, item)) : data
  }
  if (typeof data !== 'object' || data === null || !schema.properties) return data
  const properties = schema.properties
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const part = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, part ? sanitizeData(part, value) : value]
    }),
  )
}
