import type { Endpoint, Envelope, ErrorEnvelope, Input, Reply } from '@atrium/contract/define'
import { figures } from '@atrium/rules/figures'
import { pageVersionHeader } from '@atrium/rules/page-version-header'
import { detectDevice } from '@atrium/rules/user-agent'
import { m } from '#paraglide/messages.js'
import { takeEarlyAnswer } from './early-answers.ts'
import { environment, userAgent } from './environment.ts'
import { htmlLang } from './language.ts'
import { liveSession, renew } from './renewal.ts'
import { getSession, type Session } from './session.ts'
import { read, write } from './storage.ts'

/** The input of a call; optional if the endpoint requires none. */
export type InputArgs<E extends Endpoint> =
  Record<string, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/** English issues are worded to follow the name of a field, such as “is required”, but are shown alone below it. */
const capitalise = (issue: string) =>
  issue.replace(/^[a-z](?!.*\p{Script=Han})/su, (first) => first.toUpperCase())

/**
 * Why a call failed, with a message for the user. `code` is an error code of the contract, or `network` or `timeout`.
 */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string
  /** The issue of each invalid field, as shown below it. */
  readonly fields: Record<string, string>
  /** Seconds to wait before trying again, from the Retry-After header; 0 if not given. */
  retryAfter = 0
  constructor(
    code: string,
    status: number,
    message: string,
    requestId = '',
    fields: Record<string, string> = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId
    this.fields = Object.fromEntries(
      Object.entries(fields).map(([name, issue]) => [name, capitalise(issue)]),
    )
  }
  /** True if the same call may succeed a moment later. */
  get isTransient() {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

export type RequestParts = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}
type UnauthorisedHandler = (endpoint: Endpoint) => void

let unauthorisedHandler: UnauthorisedHandler = () => {}
/** Set by the shell; called when the server no longer accepts the session. */
export function onUnauthorised(handler: UnauthorisedHandler) {
  unauthorisedHandler = handler
}

let serverFailureHandler: (failure: ApiError) => void = () => {}
/** Set by the shell; called when the server answers with status 500. */
export function onServerFailure(handler: (failure: ApiError) => void) {
  serverFailureHandler = handler
}

let configuredTimeout = 0
/** The setting `requestTimeout`, in milliseconds; 0 keeps the defaults. */
export function setRequestTimeout(milliseconds: number) {
  configuredTimeout = Math.max(0, milliseconds || 0)
}

/** Calls an endpoint of the contract and returns its data. Aborted calls reject with the signal's reason. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input?: Input<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  const { params, query, body } = (input ?? {}) as RequestParts
  const isMember = endpoint.access !== 'public' && getSession() !== null
  if (endpoint.access === 'member' && !isMember) {
    unauthorisedHandler(endpoint)
    throw new ApiError('session.required', 403, m.shell_sign_in_needed())
  }
  const abort = new AbortController()
  const timeoutMs =
    configuredTimeout || (isMember ? figures.requestTimeout : figures.guestRequestTimeout)
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    abort.abort()
  }, timeoutMs)
  const forwardAbort = () => abort.abort()
  signal?.addEventListener('abort', forwardAbort)
  try {
    const url = buildUrl(endpoint.path, params, query)
    const session = isMember ? await liveSession() : null
    if (isMember && !session) {
      unauthorisedHandler(endpoint)
      throw new ApiError('session.expired', 401, m.shell_sign_in_needed())
    }
    if (endpoint.method === 'GET') {
      const token = session?.token ?? null
      const early = await takeEarlyAnswer(url, token, endpoint.access === 'public', abort.signal)
      if (early !== undefined) return early as Reply<E>
    }
    const send = (caller: Session | null) =>
      fetch(url, {
        method: endpoint.method,
        headers: commonHeaders(caller, body !== undefined),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: abort.signal,
      })
    let response = await send(session)
    let answer: Envelope<Reply<E>> | ErrorEnvelope = await response.json()
    // Retry once with a renewed token before asking anybody to sign in again.
    if (session && isSessionRefused(response, answer)) {
      const next = await renew(session)
      if (next && next.token !== session.token) {
        response = await send(next)
        answer = await response.json()
      }
    }
    if (session && isSessionRefused(response, answer)) unauthorisedHandler(endpoint)
    if (response.ok && answer.code === 0) return answer.data as Reply<E>
    const { error, message, requestId, fields } = answer as ErrorEnvelope
    const failure = new ApiError(error, response.status, message, requestId, fields)
    failure.retryAfter = Number(response.headers.get('retry-after')) || 0
    if (response.status === 500) serverFailureHandler(failure)
    throw failure
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (signal?.aborted) throw signal.reason
    if (isTimedOut) throw new ApiError('timeout', 0, m.shell_error_timeout())
    throw new ApiError('network', 0, m.shell_error_network())
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', forwardAbort)
  }
}

/** Whether the session was refused; a 401 may also be about a wrong password, for example. */
const isSessionRefused = ({ status }: Response, answer: object) =>
  status === 401 && 'error' in answer && String(answer.error).startsWith('session.')

/** Headers sent with every request. */
export const commonHeaders = (session: Session | null, hasBody: boolean) => ({
  Accept: 'application/json',
  'Accept-Language': htmlLang(),
  'X-Terminal-Info': environment.terminalLabel,
  ...pageVersionHeader,
  'X-Device-Info': deviceInfo(),
  ...(session && { 'X-Id-Token': session.token }),
  ...(hasBody && { 'Content-Type': 'application/json' }),
})

/** The path with its parameters filled in, followed by the query. Empty values are omitted; a list repeats its name. */
export function buildUrl(
  path: string,
  params: RequestParts['params'] = {},
  query: RequestParts['query'] = {},
) {
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const entries = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const search = new URLSearchParams(
    entries.flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  )
  return entries.length > 0 ? `${pathname}?${search}` : pathname
}

let device: string | undefined
/** Device description for the server's lists of devices, as base64url JSON. */
function deviceInfo() {
  // btoa and headers accept Latin letters only.
  device ??= btoa(
    JSON.stringify({
      deviceId: deviceId(),
      os: environment.os,
      ...detectDevice(userAgent),
    }).replace(/[^ -~]/g, ''),
  )
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
  return device
}

function deviceId() {
  const storedId = read('deviceId')
  if (storedId) return storedId
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  write('deviceId', id)
  return id
}
