import { type Endpoint, Id } from '@atrium/contract/define'
import { pathBelow, type UpstreamName } from '@atrium/contract/services/upstreams'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import { readEnvelope } from './envelope.ts'

export type Check =
  | 'answer'
  | 'shape'
  | 'time'
  | 'visitor'
  | 'token'
  | 'unknown key'
  | 'language'
  | 'paging'
/** Result of one check. `said`: a description for people. */
export type Finding = { call: string; check: Check; ok: boolean; said: string }
export type VerifySettings = {
  /** address of the system, without a trailing slash */
  address: string
  /** a member's token; without it only guest access is checked */
  token?: string | undefined
  /** a token issued for another system, which this one must refuse */
  foreignToken?: string | undefined
  /** maximum response time in milliseconds */
  slowest?: number
  /** ATRIUM_OUTBOUND_ALLOW */
  allow?: string | undefined
}

export type Call = { area: string; endpoint: Endpoint }
export type Inputs = Record<string, string>
type Answer = Awaited<ReturnType<typeof fetchExternal>> & { milliseconds: number }
export type CallResult = Answer | { issue: string }

export type Note = (check: Check, issue: string | undefined, success: string) => void

export type Schema = TSchema & {
  type?: string
  pattern?: string
  required?: string[]
  items?: Schema
  properties?: Record<string, Schema>
}
export const requiredInputs = ({ params, query }: Endpoint) =>
  [params as Schema | undefined, query as Schema | undefined].flatMap((schema) =>
    // Fields with a default are not needed.
    (schema?.required ?? []).filter((name) => !('default' in (schema?.properties?.[name] ?? {}))),
  )

export async function callUpstream(
  upstream: UpstreamName,
  { address, allow }: VerifySettings,
  { path, params }: Endpoint,
  inputs: Inputs,
  { token, language = 'zh' }: { token?: string | undefined; language?: string } = {},
): Promise<CallResult> {
  const inPath = new Set(Object.keys((params as Schema | undefined)?.properties ?? {}))
  const target = pathBelow(upstream, path).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inputs[name] ?? ''),
  )
  const query = new URLSearchParams(Object.entries(inputs).filter(([name]) => !inPath.has(name)))
  const started = performance.now()
  try {
    const answer = await fetchExternal(`${address}${target}${query.size > 0 ? `?${query}` : ''}`, {
      allow,
      headers: {
        accept: 'application/json',
        'accept-language': language,
        'x-terminal-info': 'h5',
        ...(token && { 'x-id-token': token }),
      },
      maxBytes: 2_000_000,
      seconds: 10,
      redirects: 0,
      confidential: true,
    })
    return { ...answer, milliseconds: performance.now() - started }
  } catch (error) {
    if (error instanceof OutboundError) return { issue: error.message }
    throw error
  }
}

/** The data of a successful answer, or the issue with it. */
export function dataOf(result: CallResult): { data: unknown } | { issue: string } {
  if ('issue' in result) return result
  const read = readEnvelope(result)
  if ('refusal' in read)
    return { issue: `refuses with the status ${result.status} (${read.refusal.error})` }
  return read
}

export function schemaIssue({ reply }: Endpoint, data: unknown) {
  const [issue] = Value.Errors(withAnyKeys(reply), data)
  if (!issue) return undefined
  return `data${issue.instancePath.replaceAll('/', '.')} ${issue.message}`
}

/** Our ids are digits; other systems may use any id that fits into an address. */
function withAnyKeys<S>(schema: S): S {
  if (Array.isArray(schema)) return schema.map(withAnyKeys) as S
  if (typeof schema !== 'object' || schema === null) return schema
  if (isKey(schema)) return { ...schema, pattern: '^[A-Za-z0-9_.~:@-]{1,100}$' }
  return Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, withAnyKeys(part)]),
  ) as S
}
export const isKey = (schema: object) =>
  'pattern' in schema && schema.pattern === (Id as Schema).pattern
