import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Addresses of the API: under these an unknown address is an error, everywhere else it is a screen of the portal. */
const apiMounts =
  /^\/(token|cas|portal-api|message|transaction|schedule|personal|robot|files|thumbor|console-api|docs|openapi\.json|healthz|readyz|metrics|assets)(\/|[?]|$)/
export const isApiAddress = (url: string) => apiMounts.test(url)

/**
 * Serves the built portal: compressed files as they lie there, the page for every screen address, a strict policy. Files
 * are looked up when they are asked for, so a portal that is built anew beside a running server is served at once.
 */
export async function servePortal(app: FastifyInstance, dist: string) {
  // The API runs without a built portal (tests, a split set-up); pages are then not found.
  if (!existsSync(path.join(dist, 'index.html'))) return
  await app.register(fastifyStatic, {
    root: path.join(dist, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    index: false,
    cacheControl: false,
    // Names under assets/ carry a hash of their content.
    setHeaders: (reply) => reply.header('cache-control', 'public, max-age=31536000, immutable'),
  })
  await app.register(fastifyStatic, {
    root: dist,
    wildcard: false,
    preCompressed: true,
    index: false,
    decorateReply: false,
    globIgnore: ['**/*.br', '**/*.gz', '**/index.html', '**/csp.json', 'assets/**'],
    cacheControl: false,
    setHeaders: (reply) => reply.header('cache-control', 'public, max-age=3600'),
  })
  app.get('/*', async (request, reply) => {
    if (isApiAddress(request.url)) return reply.callNotFound()
    reply.headers({ 'content-security-policy': contentPolicy(dist), 'cache-control': 'no-cache' })
    return reply.sendFile('index.html', dist, { cacheControl: false })
  })
}

/** Scripts and styles of our own only; what stands in the page itself is named by its hash (csp.json of the build). */
function contentPolicy(dist: string) {
  const file = path.join(dist, 'csp.json')
  const { styles = [] } = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { styles?: string[] })
    : {}
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styles.map((hash) => `'${hash}'`).join(' ')}`.trim(),
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
