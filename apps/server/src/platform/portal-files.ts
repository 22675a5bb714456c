import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Environment } from './environment.ts'

/** Addresses of the API: under these an unknown address is an error, everywhere else it is a screen of the portal. */
const apiMounts =
  /^\/(token|cas|portal-api|message|transaction|schedule|personal|robot|files|scim|thumbor|console-api|docs|openapi\.json|healthz|readyz|metrics|assets)(\/|[?]|$)/
export const isApiAddress = (url: string) => apiMounts.test(url)

/**
 * Serves the built portal: compressed files as they lie there, the page for every screen address, a strict policy. Files
 * are looked up when they are asked for, so a portal that is built anew beside a running server is served at once.
 */
export async function servePortal(app: FastifyInstance, env: Environment, dist: string) {
  // The API runs without a built portal (tests, a split set-up); pages are then not found.
  if (!existsSync(path.join(dist, 'index.html'))) return
  await app.register(fastifyStatic, {
    root: path.join(dist, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    index: false,
    cacheControl: false,
    // Names under assets/ carry a hash of their content.
    setHeaders: (reply, file) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      if (/[/\\]pdf\.worker[\w.-]+$/.test(file))
        reply.header('content-security-policy', pdfWorkerPolicy)
    },
  })
  await app.register(fastifyStatic, {
    root: dist,
    wildcard: false,
    preCompressed: true,
    index: false,
    decorateReply: false,
    globIgnore: ['**/*.br', '**/*.gz', '**/index.html', '**/csp.json', 'assets/**'],
    cacheControl: false,
    setHeaders: (reply, file) =>
      reply.headers(
        /\/service-worker\.js(\.\w+)?$/.test(file)
          ? serviceWorkerHeaders
          : { 'cache-control': 'public, max-age=3600' },
      ),
  })
  if (env.ATRIUM_DEMO) await serveSimulator(app, path.join(dist, '../simulator/dist'))
  const secure = env.ATRIUM_PUBLIC_URL?.startsWith('https:') ?? false
  app.get('/*', async (request, reply) => {
    if (isApiAddress(request.url)) return reply.callNotFound()
    reply.headers({
      ...pageHeaders,
      ...(secure && strictTransport),
      'content-security-policy': contentPolicy(env, dist, secure),
      'cache-control': 'no-cache',
    })
    return reply.sendFile('index.html', dist, { cacheControl: false })
  })
}

/** The container simulator frames the portal and lends it a user agent: for trying and for tests, so in a demo only. */
async function serveSimulator(app: FastifyInstance, dist: string) {
  if (!existsSync(dist)) return
  const policy = ["default-src 'self'", "img-src 'self' data:", "frame-ancestors 'none'"].join('; ')
  await app.register(fastifyStatic, {
    root: dist,
    prefix: '/simulator/',
    redirect: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) =>
      reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' }),
  })
}

const pageHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  // A framed service gets camera and place only where its frame says so (`allow`), which this has to leave open.
  'permissions-policy':
    'camera=*, geolocation=*, accelerometer=(self), gyroscope=(self), microphone=()',
}
/** A worker obeys its own policy: it fetches fonts and tables from our origin alone, and decodes pictures. */
const pdfWorkerPolicy =
  "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
/** It fetches for the page, from our origin alone. */
const serviceWorkerHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
}
/** Two years, as browsers' lists ask for. Only where the portal is reached by https: elsewhere it would lock people out. */
const strictTransport = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }

/** Scripts and styles of our own only; what stands in the page itself is named by its hash (csp.json of the build). */
function contentPolicy(env: Environment, dist: string, secure: boolean) {
  const file = path.join(dist, 'csp.json')
  const { styles = [] } = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { styles?: string[] })
    : {}
  return [
    "default-src 'self'",
    // WebAssembly reads scanned codes; it cannot be made out of text, as eval's scripts can.
    // WeChat's own script opens what WeChat keeps from pages; only where the institution has set WeChat up.
    `script-src 'self' 'wasm-unsafe-eval'${env.ATRIUM_WECHAT_APP_ID ? ' https://res.wx.qq.com' : ''}`,
    `style-src 'self' ${styles.map((hash) => `'${hash}'`).join(' ')}`.trim(),
    "img-src 'self' data: blob:",
    // Films and sound of hosts that operators list: the page asks for no others, and neither can act.
    "media-src 'self' https:",
    "connect-src 'self'",
    // Which site may stand in a frame the server says for each address and viewer (webview.check). A list here would tell
    // visitors of services that are not theirs, and outgrow a header. Plain services are for plain installations.
    `frame-src 'self' https:${secure ? '' : ' http:'}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
