import type { Body, Endpoint, EndpointTable, Params, Query, Reply } from '@atrium/contract/define'
import { baseOf, type UpstreamName } from '@atrium/contract/services/upstreams'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { audited } from '#platform/audit.ts'
import type { Db } from '#platform/database/db.ts'
import { observeRequest } from '#platform/metrics.ts'
import { isOperator } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { showError } from './answer-error.ts'
import { type BodyCache, type EncodableBody, type EncodedAnswer, encoded } from './body-cache.ts'
import { callerNetwork } from './caller-network.ts'
import { declaredQuery, splitDeclared } from './declared.ts'
import { fail, type IssueKind } from './errors.ts'
import { matchesEtag } from './etag.ts'
import type { Member, Viewer } from './guard.ts'
import type { Painter } from './painter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once known. */
    viewer: Viewer | undefined
    /** Registry code of the calling system, for endpoints with `integration` access. */
    integrator: string | undefined
    /** Undeclared body fields of a strict endpoint; reported together with the issues of the declared ones. */
    undeclared: Record<string, IssueKind> | undefined
    /** The path of the matched route, set when an endpoint handles the request. */
    route: string | undefined
  }
}

/** The argument of a handler. `viewer` is a member if the contract requires one. */
export type Context<E extends Endpoint> = {
  db: Db
  viewer: E['access'] extends 'member' | 'operator' ? Member : Viewer
  params: Params<E>
  query: Query<E>
  body: Body<E>
  platform: Platform
  request: FastifyRequest
  /** For what the envelope cannot express: cookies, a redirect, a stream. */
  reply: FastifyReply
}
/** The result of a handler; `reply` if the handler has sent the response itself (a redirect, a stream). */
export type Answer<E extends Endpoint> =
  | (E['preEncoded'] extends true ? EncodedAnswer : Reply<E>)
  | (E extends { media: string } ? FastifyReply : never)
/** One function per endpoint of a table: a missing or misspelt one does not compile. */
export type Handlers<T extends EndpointTable> = {
  [K in keyof T]: (context: Context<T[K]>) => Promise<Answer<T[K]>>
}

/** The running platform, or undefined while the database is unreachable. */
export type Host = {
  platform: Platform | undefined
  /** True once a stop is requested: not ready any more, but still serving until load balancers have noticed. */
  draining?: boolean
  /** Renders pages with the built portal. */
  painter?: Painter
  /** Forwards a call to another system if operators have configured one; returns undefined if we answer ourselves. */
  proxy?: (
    platform: Platform,
    base: UpstreamName,
    call: ProxiedCall,
  ) => Promise<Proxied | undefined>
  /**
   * Identifies the system that calls an `integration` endpoint.
   * @throws session.required, session.expired, session.forbidden
   */
  authenticateIntegration?: (
    platform: Platform,
    endpoint: Endpoint,
    request: FastifyRequest,
  ) => Promise<{ code: string }>
}
/** A call before our field validation: another system uses other keys. */
export type ProxiedCall = {
  endpoint: Endpoint
  viewer: Viewer | undefined
  request: FastifyRequest
}
export type Proxied =
  | { status: number; data: unknown }
  | {
      status: number
      refusal: { error: string; message: string; fields: Record<string, string> | undefined }
    }

/** Serves every endpoint of a table at its path, with access check, validation, envelope and cache. */
export function serve<T extends EndpointTable>(
  app: FastifyInstance,
  host: Host,
  table: T,
  handlers: Handlers<T>,
): void {
  for (const [name, endpoint] of Object.entries(table)) {
    const handler = handlers[name] as (context: unknown) => Promise<unknown>
    const base = baseOf(endpoint)
    const url = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.route({
      method: endpoint.method,
      url,
      ...(endpoint.media === 'text/html' && { errorHandler: showError }),
      ...(endpoint.largest && { bodyLimit: endpoint.largest }),
      ...((endpoint.cached || endpoint.preEncoded) && { compress: false }),
      schema: {
        ...(endpoint.params && { params: endpoint.params }),
        ...(endpoint.query && { querystring: endpoint.query }),
        ...(endpoint.body && !endpoint.bodyByParts && { body: endpoint.body }),
      },
      preValidation: (request, reply) => prepare(host, endpoint, base, request, reply),
      handler(request, reply) {
        request.route = url
        if (Object.keys(request.undeclared ?? {}).length > 0)
          fail('request.invalid', { fields: request.undeclared })
        return answer(host, endpoint, handler, request, reply)
      },
    })
  }
}

/** Runs before validation: authenticates, checks permissions, forwards to another system, drops undeclared fields. */
async function prepare(
  host: Host,
  endpoint: Endpoint,
  base: UpstreamName | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { platform } = host
  if (platform) await identify(host, platform, endpoint, request)
  if (endpoint.body) {
    if (endpoint.bodyOrQuery)
      request.body = { ...(request.query as object), ...((request.body as object) ?? {}) }
    else request.body ??= {}
    readJsonTexts(endpoint.body, request.body)
  }
  if (base && platform) {
    const proxied = await host.proxy?.(platform, base, {
      endpoint,
      viewer: request.viewer,
      request,
    })
    if (proxied) return answerProxied(proxied, request, reply)
  }
  request.query = declaredQuery(endpoint.query, request.query)
  // Clients of the specification's calls may send extra fields; for our own endpoints they are reported.
  if (endpoint.body && !endpoint.bodyByParts) {
    const { declared, issues } = splitDeclared(endpoint.body, request.body)
    request.body = declared
    if (isStrict(endpoint)) request.undeclared = issues
  }
}

const isStrict = ({ path, access }: Endpoint) =>
  access === 'integration' || path.startsWith('/console-api/')

/** Form clients can send a list or an object only as JSON text. Invalid JSON is left for the validator to report. */
function readJsonTexts(schema: { properties?: Record<string, { type?: string }> }, body: unknown) {
  const fields = body as Record<string, unknown>
  for (const [name, { type }] of Object.entries(schema.properties ?? {})) {
    const text = fields[name]
    if ((type !== 'array' && type !== 'object') || typeof text !== 'string') continue
    if (!/^\s*[[{]/.test(text)) continue
    try {
      fields[name] = JSON.parse(text)
    } catch {}
  }
}

async function answer(
  host: Host,
  endpoint: Endpoint,
  handler: (context: unknown) => Promise<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const platform = host.platform ?? fail('server.unavailable', { retryAfter: 2 })
  // The database came back after `prepare`: nobody has been authenticated yet.
  if (!request.viewer && !request.integrator) await identify(host, platform, endpoint, request)
  const { viewer } = request
  const handle = () =>
    handler({
      db: platform.db,
      viewer,
      params: request.params,
      query: request.query,
      body: request.body,
      platform,
      request,
      reply,
    })
  const run =
    endpoint.access === 'operator' && viewer?.signedIn
      ? () => operate(platform, endpoint, viewer, request, handle)
      : handle

  const { bodies } = platform
  if (endpoint.cached && bodies && platform.topics.connected()) {
    const audienceClass = viewer ? viewer.audienceClass : 'public'
    if (audienceClass !== null) {
      // In schema order and with defaults applied, so that equivalent addresses share a cached body.
      const query = declaredQuery(endpoint.query, request.query)
      const key = `${endpoint.path} ${JSON.stringify(request.params)} ${JSON.stringify(query)} ${audienceClass}`
      const stamp = platform.topics.stamp(['audience', ...endpoint.cached])
      const kept = bodies.find(key, stamp)
      if (!kept) countMiss(platform, bodies, viewer, request)
      const entry = kept ?? (await bodies.read(key, stamp, async () => envelope(await run())))
      return sendWithEtag(entry, request, reply)
    }
  }

  const data = await run()
  // Wait for this node's caches, so that the caller reads its own write.
  if (endpoint.method !== 'GET') await platform.topics.flushed()
  // Personal data: browsers must not keep it after sign-out.
  if (endpoint.preEncoded) return sendWithEtag(data as EncodedAnswer, request, reply, 'no-store')
  if (endpoint.media) {
    // A handler that has already answered (a redirect, a stream) returns the reply.
    if (reply.sent || data === reply) return reply
    if (!reply.hasHeader('content-type')) reply.type(`${endpoint.media}; charset=utf-8`)
    return reply.send(endpoint.media === 'application/json' ? JSON.stringify(data) : data)
  }
  reply.header('cache-control', 'no-store')
  reply.header('content-type', 'application/json; charset=utf-8')
  const text = envelope(data)
  return endpoint.cached ? sendEncoded({ plain: Buffer.from(text) }, request, reply) : text
}

/** Sends a cached response with an ETag, or 304. */
function sendWithEtag(
  entry: EncodedAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  cacheControl = 'private, no-cache',
) {
  reply.header('etag', entry.etag)
  reply.header('cache-control', cacheControl)
  reply.header('vary', 'x-id-token, accept-encoding')
  reply.header('content-type', 'application/json; charset=utf-8')
  if (matchesEtag(request.headers['if-none-match'], entry.etag)) return reply.code(304).send()
  return sendEncoded(entry, request, reply)
}

/**
 * Sends a body in an encoding the client accepts. Cached bodies are compressed once, here instead of in the compression
 * hook, which costs time even when it has nothing to do.
 */
async function sendEncoded(body: EncodableBody, request: FastifyRequest, reply: FastifyReply) {
  const accepted = request.headers['accept-encoding']
  if (!accepted) return body.plain
  const { encoding, bytes } = await encoded(body, accepted)
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

/** Wraps another system's answer in our own envelope: none of its headers or cookies pass through. */
function answerProxied(proxied: Proxied, request: FastifyRequest, reply: FastifyReply) {
  reply
    .code(proxied.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
  if ('data' in proxied) return reply.send(envelope(proxied.data))
  const { error, message, fields } = proxied.refusal
  const body = { code: proxied.status, error, message, data: null, requestId: request.id }
  return reply.send(JSON.stringify({ ...body, ...(fields && { fields }) }))
}

/**
 * Authenticates the caller, if the endpoint needs it, and checks their permission.
 * @throws session.required, session.expired, session.forbidden
 */
async function identify(
  host: Host,
  platform: Platform,
  endpoint: Endpoint,
  request: FastifyRequest,
) {
  const { access } = endpoint
  if (access === 'public') return
  if (access === 'integration') {
    const integrator = await host.authenticateIntegration?.(platform, endpoint, request)
    request.integrator = (integrator ?? fail('session.forbidden')).code
    return
  }
  request.viewer = await platform.guard.viewerOf(tokenOf(request))
  if (access !== 'guest' && !request.viewer.signedIn) fail('session.required')
  await checkPermission(platform, endpoint, request)
}

/**
 * Limits cache misses per caller to a tenth of the request limit, so that varying the query cannot overload the
 * database. Cache hits are not counted.
 */
function countMiss(
  { env }: Platform,
  bodies: BodyCache,
  viewer: Viewer | undefined,
  request: FastifyRequest,
) {
  if (env.ATRIUM_RATE_LIMIT === 0) return
  const [caller, max] = viewer?.signedIn
    ? [viewer.sessionId, env.ATRIUM_RATE_LIMIT]
    : [callerNetwork(request.ip), env.ATRIUM_RATE_LIMIT_ADDRESS]
  if (bodies.countMiss(caller) > max / 10) fail('request.too_many', { retryAfter: 60 })
}

/** Checks an operator's permission. Denied attempts of operators are audited. @throws session.forbidden */
async function checkPermission(platform: Platform, endpoint: Endpoint, request: FastifyRequest) {
  const { access, permission, delegated, method } = endpoint
  const { viewer } = request
  if (access !== 'operator' || !viewer?.signedIn) return
  const may =
    permission &&
    (viewer.permissions.includes(permission) || (delegated && viewer.permissionsIn[permission]))
  if (may) return
  const refuse = async () => fail('session.forbidden')
  // Attempts of other members are not audited: they could fill the log.
  if (method === 'GET' || !isOperator(viewer)) return refuse()
  return audited(platform, endpoint, viewer, request, refuse)
}

/** Audits changes by operators. */
async function operate(
  platform: Platform,
  endpoint: Endpoint,
  viewer: Member,
  request: FastifyRequest,
  handle: () => Promise<unknown>,
) {
  return endpoint.method === 'GET' ? handle() : audited(platform, endpoint, viewer, request, handle)
}

export const envelope = (data: unknown) =>
  `{"code":0,"message":"","data":${JSON.stringify(data ?? null)}}`

export function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-id-token']
  return typeof header === 'string' && header !== '' ? header : undefined
}

export function observeRequests(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    // `routeOptions` is rebuilt on every access.
    const endpoint = request.route ?? request.routeOptions.url ?? 'none'
    observeRequest(endpoint, reply.statusCode, reply.elapsedTime / 1000)
    request.log.debug({ status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
    done()
  })
}
