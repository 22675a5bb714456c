import path from 'node:path'
import compress from '@fastify/compress'
import formbody from '@fastify/formbody'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Environment } from '#platform/environment.ts'
import { answerError, requestId } from '#platform/http/answer-error.ts'
import { fail } from '#platform/http/errors.ts'
import { buildLateChecks } from '#platform/http/input-checks.ts'
import { openApiDocument } from '#platform/http/openapi.ts'
import { openPainter } from '#platform/http/painter.ts'
import { clearOldPages, servePortal } from '#platform/http/portal-files.ts'
import { readiness } from '#platform/http/readiness.ts'
import { limitRequests, unlimited } from '#platform/http/request-limit.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { type Host, observeRequests } from '#platform/http/serve.ts'
import { requestLog } from '#platform/log.ts'
import { metrics } from '#platform/metrics.ts'
import { isSameSecret } from '#platform/secret.ts'
import { version } from '#platform/version.ts'
import { openPaintedHome } from './domains/shell/home/painted-home.ts'
import { areas } from './domains.ts'

/** Maximum size of JSON and form bodies; uploads have their own limit. */
const bodyLimit = 256 * 1024

/**
 * Timeouts in ms. `headers` and `request` limit how long a client may take to send them; an upload that is cut off on a
 * slow network can be resumed. Responses may take any time, unless nothing moves for `silence`.
 */
const patience = { headers: 20_000, request: 15 * 60_000, silence: 5 * 60_000, check: 5000 }

export const checkOptions = {
  // Report all invalid fields; declared.ts bounds their number.
  allErrors: true,
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: false,
} as const

/** Builds the HTTP server without listening. It works before the database answers; until then endpoints return 503. */
export async function buildApp(
  env: Environment,
  log: Logger,
  host: Host,
  { headers, request, silence, check } = patience,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: requestLog as never,
    genReqId: requestId as never,
    trustProxy: env.ATRIUM_TRUST_PROXY?.split(',').map((part) => part.trim()) ?? false,
    bodyLimit,
    http: { headersTimeout: headers, connectionsCheckingInterval: check },
    requestTimeout: request,
    connectionTimeout: silence,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    ajv: { customOptions: checkOptions },
    schemaController: { compilersFactory: { buildValidator: buildLateChecks as never } },
    // Make undecodable paths decodable, so that they reach the portal or the API as unknown addresses.
    rewriteUrl: ({ url = '/' }) => (hasDecodablePath(url) ? url : url.replaceAll('%', '%25')),
    // On close, in-flight requests finish and idle keep-alive connections are closed.
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance
  app.setErrorHandler(answerError)
  observeRequests(app)
  app.decorateRequest('viewer', undefined)
  app.decorateRequest('route', undefined)
  app.decorateRequest('undeclared', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders)
    reply.header('x-request-id', request.id)
    done()
  })

  // Close a connection whose request was in flight when the stop began; kept alive, it would delay the stop.
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing || host.draining) reply.header('connection', 'close')
    done(null, payload)
  })

  await limitRequests(app, env, log, host)
  await app.register(formbody, { bodyLimit })
  await app.register(compress, {
    global: true,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { 1: 4 } },
    // Most responses have a few thousand bytes; synchronous compression costs a third of a stream.
    syncThreshold: 64 * 1024,
    // No client sends compressed requests, and a small one could expand to a large one.
    globalDecompression: false,
  })

  await unlimited(app, async (scope) => serveHealth(scope, env, host))
  await app.register(swagger, {
    mode: 'static',
    specification: { document: openApiDocument(env.ATRIUM_PUBLIC_URL ?? '/', version) as never },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: docsPolicy,
    theme: { title: 'Atrium API' },
    logo: { type: 'image/svg+xml', content: Buffer.from(logo), href: '/docs' },
    // Disable the validator: it is a third-party site.
    uiConfig: { docExpansion: 'none', tryItOutEnabled: true, validatorUrl: null },
  })
  app.get('/openapi.json', { schema: { hide: true } as never }, async () => app.swagger())

  app.addHook('onRequest', clearOldPages)
  const portal = path.join(import.meta.dirname, '../../portal/dist')
  host.painter = openPainter(portal)
  for (const { serve } of areas) await serve?.(app, host)
  const paintedHome = openPaintedHome(host, host.painter)
  await unlimited(app, async (scope) => {
    await withCookies(scope, (inner) => servePortal(inner, env, portal, paintedHome))
  })
  const counted = env.ATRIUM_RATE_LIMIT > 0 ? { preHandler: app.rateLimit() } : {}
  app.setNotFoundHandler(counted, () => fail('request.not_found'))
  return app
}

/** The product logo in white, for the dark bar of the API reference. */
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#fff" stroke-width="1.4" stroke-linecap="round"><path d="M3 20.5h18M5 20.5v-10a7 7 0 0 1 14 0v10M9 20.5v-9a3 3 0 0 1 6 0v9"/></svg>'

function hasDecodablePath(url: string) {
  const path = url.split('?', 1)[0] ?? ''
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Allows its own files and requests to our endpoints only. No upgrade to https: the server may run on http. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The hash is of the only inline style of Swagger UI.
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every response; pages add their own content policy and page-only headers. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

function serveHealth(app: FastifyInstance, env: Environment, host: Host) {
  const hidden = { schema: { hide: true } as never }
  /** Liveness. */
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  /** Readiness: the database is migrated and reachable. With `?for=writes` it must also accept changes. */
  app.get('/readyz', hidden, async (request, reply) => {
    const status = await readiness(host)
    const { for: purpose } = request.query as { for?: unknown }
    const ready = status === 'ready' || (status === 'read-only' && purpose !== 'writes')
    reply.header('cache-control', 'no-store')
    return reply.code(ready ? 200 : 503).send({ status })
  })
  /** For Prometheus. Behind a reverse proxy all requests seem local, so set a token there. */
  app.get('/metrics', hidden, async (request, reply) => {
    const allowed = env.ATRIUM_METRICS_TOKEN
      ? isSameSecret(request.headers.authorization ?? '', `Bearer ${env.ATRIUM_METRICS_TOKEN}`)
      : isLoopback(request.ip) && !request.headers['x-forwarded-for']
    if (!allowed) fail('session.forbidden')
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

const isLoopback = (address: string) => /^(127\.|::1$|::ffff:127\.)/.test(address)
