import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@atrium/contract/define'
import type { ErrorCode } from '@atrium/contract/errors'
import { bases, pathBelow, type UpstreamName } from '@atrium/contract/services/upstreams'
import Value from 'typebox/value'
import { defineState } from '#platform/area-state.ts'
import { errorText, fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { ProxiedCall } from '#platform/http/serve.ts'
import { upstreamAnswers } from '#platform/metrics.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { type Circuit, newCircuit, release, retryAfterSeconds, tryAcquire } from './circuit.ts'
import { readEnvelope, sanitizeData } from './envelope.ts'

/** timeout in seconds */
const timeoutSeconds = 10
const maxAnswerBytes = 2_000_000
/** seconds; enough for a single call */
const tokenSeconds = 60

const circuitsOf = defineState(() => new Map<UpstreamName, Circuit>())

/**
 * Forwards the call to the upstream configured for this family; undefined if there is none.
 * @throws server.upstream_unavailable, server.upstream_invalid
 */
export async function proxyToUpstream(
  platform: Platform,
  upstream: UpstreamName,
  { endpoint, viewer, request }: ProxiedCall,
) {
  const configured = (await currentSettings(platform))[bases[upstream].key]
  if (configured === '') return undefined
  const address = baseAddress(upstream, configured)
  const target = new URL(address + targetPath(upstream, endpoint, request))
  const member = viewer?.signedIn ? viewer : undefined
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-language': languageOf(request.headers['accept-language']),
    'x-request-id': request.id,
  }
  const terminal = request.headers['x-terminal-info']
  if (typeof terminal === 'string' && /^\w{1,20}$/.test(terminal))
    headers['x-terminal-info'] = terminal
  if (member) headers['x-id-token'] = await tokenFor(platform, address, member)
  const body = bodyOf(endpoint, request.body)
  if (body !== undefined) headers['content-type'] = 'application/json'

  const circuit = circuitOf(platform, upstream, address)
  if (!tryAcquire(circuit, Date.now())) {
    upstreamAnswers.inc({ base: upstream, result: 'spared' })
    fail('server.upstream_unavailable', { retryAfter: retryAfterSeconds(circuit, Date.now()) })
  }
  const report = (result: 'failed' | 'invalid', reason: string) => {
    upstreamAnswers.inc({ base: upstream, result })
    request.log.warn(
      { base: upstream, call: `${endpoint.method} ${endpoint.path}`, said: reason },
      'an upstream call failed',
    )
  }
  let isAlive = false
  try {
    const answer = await fetchExternal(target.href, {
      allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
      method: endpoint.method,
      headers,
      ...(body !== undefined && { body }),
      maxBytes: maxAnswerBytes,
      seconds: timeoutSeconds,
      redirects: 0,
      confidential: true,
    })
    isAlive = answer.status < 500
    if (!isAlive) {
      report('failed', `answers with the status ${answer.status}`)
      return fail('server.upstream_unavailable', { retryAfter: 5 })
    }
    // A guest may have to sign in. For a member, a 401 means that the upstream rejects our tokens; it must not sign the
    // member out.
    if (answer.status === 401 && !member) return fail('session.required')
    const envelope =
      answer.status === 401
        ? { issue: 'does not accept our token (status 401)' }
        : readEnvelope(answer)
    if ('issue' in envelope) {
      report('invalid', envelope.issue)
      return fail('server.upstream_invalid')
    }
    upstreamAnswers.inc({ base: upstream, result: 'answered' })
    if ('data' in envelope)
      return { status: 200, data: sanitizeData(endpoint.reply, envelope.data) }
    const { error, message, fields } = envelope.refusal
    const words =
      message || errorText(errorCodeOf(answer.status), headers['accept-language'] as 'zh')
    return { status: answer.status, refusal: { error, message: words, fields } }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // Too large, or a redirect: the upstream is alive but its answer is invalid.
    isAlive = error.because === 'large' || (!error.because && !error.network)
    report(isAlive ? 'invalid' : 'failed', error.message)
    return isAlive
      ? fail('server.upstream_invalid')
      : fail('server.upstream_unavailable', { retryAfter: 5 })
  } finally {
    release(circuit, isAlive, Date.now())
  }
}

const errorCodeOf = (status: number): ErrorCode =>
  status === 404 ? 'request.not_found' : status === 403 ? 'session.forbidden' : 'request.invalid'

/** Removes trailing slashes, and the `/center` with which old configurations end for the message centre. */
export function baseAddress(upstream: UpstreamName, configured: string) {
  const trimmed = configured.replace(/\/+$/, '')
  return upstream === 'messages' ? trimmed.replace(/\/center$/, '') : trimmed
}

function circuitOf(platform: Platform, upstream: UpstreamName, address: string) {
  const circuits = circuitsOf(platform)
  const circuit = circuits.get(upstream)
  // A new address is a new upstream without failures.
  if (circuit?.address === address) return circuit
  const created = newCircuit(address)
  circuits.set(upstream, created)
  return created
}

type TargetInput = Pick<ProxiedCall['request'], 'params' | 'query'>

/** Rebuilds path and query from the contract, so that a request cannot leave its family of endpoints. */
function targetPath(upstream: UpstreamName, endpoint: Endpoint, { params, query }: TargetInput) {
  const pathParams = (params ?? {}) as Record<string, string>
  const path = pathBelow(upstream, endpoint.path).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = pathParams[name] ?? ''
    if (!/^[\w.~:@-]{1,100}$/.test(value) || /^\.+$/.test(value))
      fail('request.invalid', { fields: { [name]: 'format' } })
    return encodeURIComponent(value)
  })
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (!Object.hasOwn(endpoint.query?.properties ?? {}, name)) continue
    for (const one of Array.isArray(value) ? value : [value]) fields.append(name, String(one))
  }
  return fields.size > 0 ? `${path}?${fields}` : path
}

/** The fields of the body that the contract defines, as JSON; form texts are converted to their declared types. */
function bodyOf({ method, body }: Endpoint, input: unknown): string | undefined {
  if (method === 'GET' || !body) return undefined
  const properties: Record<string, unknown> | undefined = (body as { properties?: object })
    .properties as Record<string, unknown> | undefined
  if (!properties || typeof input !== 'object' || input === null) return JSON.stringify(input ?? {})
  const fields = Object.fromEntries(
    Object.entries(input).filter(([name]) => Object.hasOwn(properties, name)),
  )
  return JSON.stringify(Value.Convert(body, fields))
}

/** A token that identifies the member to this upstream for a single call. Our id token is never forwarded. */
export async function tokenFor(
  platform: Pick<Platform, 'db' | 'keys'>,
  address: string,
  {
    username,
    identityTypeCode,
    organizationId,
  }: Pick<Member, 'username' | 'identityTypeCode' | 'organizationId'>,
) {
  const { code } = await platform.db
    .selectFrom('organization')
    .select('code')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return platform.keys.sign(
    { identityTypeCode, organizationCode: code },
    {
      type: 'at+jwt',
      audience: address,
      subject: username,
      id: randomUUID(),
      seconds: tokenSeconds,
    },
  )
}
