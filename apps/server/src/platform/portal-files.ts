import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Addresses of the API: under these an unknown address is an error, everywhere else it is a screen of the portal. */
const apiMounts =
  /^\/(token|cas|portal-api|message|transaction|schedule|personal|robot|files|thumbor|console-api|docs|openapi\.json|healthz|readyz|metrics|assets)(\/|[?]|$)/
export const isApiAddress = (url: string) => apiMounts.test(url)

/** Serves the built portal: compressed files as they lie there, the page for every screen address, a strict policy. */
export async function servePortal(app: FastifyInstance, dist: string) {
  const indexFile = path.join(dist, 'index.html')
  // The API runs without a built portal (tests, a split set-up); pages are then not found.
  if (!existsSync(indexFile)) return
  const policy = contentPolicy(dist)
  await app.register(fastifyStatic, {
    root: dist,
    wildcard: false,
    preCompressed: true,
    index: false,
    globIgnore: ['**/*.br', '**/*.gz', '**/index.html', '**/*.map'],
    cacheControl: false,
    setHeaders(reply, file) {
      // Names under assets/ carry a hash of their content.
      reply.header(
        'cache-control',
        file.includes(`${path.sep}assets${path.sep}`)
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=3600',
      )
    },
  })
  const page = async (
    _request: unknown,
    reply: {
      headers: (h: Record<string, string>) => unknown
      sendFile: (file: string, options: object) => unknown
    },
  ) => {
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
    return reply.sendFile('index.html', { cacheControl: false })
  }
  app.get('/', page as never)
  app.get('/*', async (request, reply) => {
    if (isApiAddress(request.url)) return reply.callNotFound()
    return page(request, reply as never)
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
