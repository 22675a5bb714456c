import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { config } from '@atrium/contract/shell/config'
import { isScreenAddress } from '@atrium/rules/screen-address'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '#platform/environment.ts'
import { type EncodedAnswer, encoded } from './body-cache.ts'
import { matchesEtag } from './etag.ts'

/** First path segments of the API. An unknown address below them is an error; anywhere else it is a portal screen. */
const apiMounts =
  /^\/(token|cas|portal-api|message|transaction|schedule|personal|robot|files|scim|caldav|thumbor|console-api|docs|openapi\.json|healthz|readyz|metrics|assets)(\/|$)/
/** Matches regardless of percent-encoding, because routes match the decoded path. */
export const isApiAddress = (url: string) => apiMounts.test(decodedPath(url))

function decodedPath(url: string) {
  const path = url.split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A rendered page, and the hashes its content security policy must allow. */
export type PaintedAnswer = {
  body: EncodedAnswer
  policy: { styles: readonly string[]; script: string }
}
/** Finds the rendered page for a request; undefined to send the page as built. */
export type FindPainted = (request: FastifyRequest) => Promise<PaintedAnswer | undefined>

/**
 * Serves the built portal: precompressed files, the page for every screen address, a strict policy. Files are looked up
 * per request, so a rebuilt portal is served without a restart.
 */
export async function servePortal(
  app: FastifyInstance,
  env: Environment,
  dist: string,
  findPainted: FindPainted = async () => undefined,
) {
  // The API also runs without a built portal (tests, separate hosting); pages then return 404.
  if (!existsSync(path.join(dist, 'index.html'))) return
  // `sendFile` callers set their own headers: the headers of a folder must not apply to other files.
  await app.register(fastifyStatic, {
    root: dist,
    serve: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    etag: false,
    lastModified: false,
  })
  await app.register(fastifyStatic, {
    root: path.join(dist, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    // File names under assets/ contain a content hash.
    setHeaders: (reply, file) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      if (/[/\\]pdf\.worker[\w.-]+$/.test(file))
        reply.header('content-security-policy', pdfWorkerPolicy)
    },
  })
  for (const name of fixedFiles(dist))
    app.get(`/${name}`, (request, reply) => sendFixed(request, reply, dist, name, headersOf(name)))
  if (env.ATRIUM_DEMO) await serveSimulator(app, path.join(dist, '../simulator/dist'))
  // For password managers (W3C, "A Well-Known URL for Changing Passwords").
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.header('cache-control', 'no-cache').redirect('/pages/modifyPwd/modifyPwd', 303),
  )
  const secure = env.ATRIUM_PUBLIC_URL?.startsWith('https:') ?? false
  app.get('/*', async (request, reply) => {
    const address = request.url.split('?', 1)[0] ?? ''
    if (!isScreenAddress(address)) {
      // A missing file or endpoint gets an error response; for a mistyped page address the portal shows a message.
      const isFile = /\.[^/]*$/.test(address)
      const wantsPage = request.headers.accept?.includes('text/html') && !isFile
      if (isApiAddress(address) || !wantsPage) return reply.callNotFound()
      reply.code(404)
    }
    const isSecure = secure || request.protocol === 'https'
    const headers = {
      ...pageHeaders,
      ...(secure && strictTransport),
      // Revalidated each time: a new version refers to new files.
      'cache-control': 'private, no-cache',
    }
    const painted = await findPainted(request)
    if (painted) {
      const policy = contentPolicy(env, painted.policy.styles, isSecure, painted.policy.script)
      return sendPainted(request, reply, painted, { ...headers, 'content-security-policy': policy })
    }
    const policy = contentPolicy(env, stylesOf(dist), isSecure)
    return sendFixed(request, reply, dist, 'index.html', {
      ...headers,
      'content-security-policy': policy,
    })
  })
}

/**
 * Browsers cached the pages of the first release for a year, and their code does not check for a newer version. On
 * start each such page requests the system configuration without the `x-page` header of current pages; the response
 * then clears the browser's cache, so that the next start loads the current version. Only requests from our pages are
 * affected, not those of programs.
 */
export function clearOldPages(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
) {
  if (
    url.startsWith(config.system.path) &&
    headers['sec-fetch-site'] === 'same-origin' &&
    !headers['x-page']
  )
    reply.header('clear-site-data', '"cache"')
  done()
}

/** Files next to the page that have a fixed address. */
const fixedFiles = (dist: string) =>
  readdirSync(dist, { withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !/^\.|^(index\.html|csp\.json)|\.(br|gz)$/.test(entry.name),
    )
    .map(({ name }) => name)

function headersOf(name: string): Record<string, string> {
  if (name === 'service-worker.js') return serviceWorkerHeaders
  // An outdated icon is harmless; an outdated stylesheet would not match the current page.
  return { 'cache-control': isPicture.test(name) ? 'public, max-age=86400' : 'no-cache' }
}
const isPicture = /\.(png|svg|ico)$/

/**
 * Sends a file whose address stays the same while its content changes. The ETag is a hash of what is sent, because date
 * and size are not enough: packages and container images give the files of all versions the same date, and a page that
 * refers to other files can have the same length.
 */
function sendFixed(
  request: FastifyRequest,
  reply: FastifyReply,
  dist: string,
  name: string,
  headers: Record<string, string>,
) {
  const hash = createHash('sha256').update(readFileSync(path.join(dist, name)))
  const etag = `"${hash.update(JSON.stringify(headers)).digest('base64url').slice(0, 24)}"`
  // Weak, because it is the same for all encodings.
  reply.headers({ ...headers, etag: `W/${etag}` })
  if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag))
    return reply.code(304).header('vary', 'accept-encoding').send()
  return reply.sendFile(name, dist)
}

/** Sends a rendered page, which differs between viewers. */
async function sendPainted(
  request: FastifyRequest,
  reply: FastifyReply,
  { body }: PaintedAnswer,
  headers: Record<string, string>,
) {
  // Weak, because it is the same for all encodings.
  reply.headers({ ...headers, etag: `W/${body.etag}`, vary: 'accept-language, accept-encoding' })
  if (matchesEtag(request.headers['if-none-match'], body.etag)) return reply.code(304).send()
  const { encoding, bytes } = await encoded(body, request.headers['accept-encoding'] ?? '')
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type('text/html; charset=utf-8').send(bytes)
}

/** The container simulator frames the portal with another user agent. For trials and tests, so only in a demo. */
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
  // Framed services get camera and location only through the frame's `allow` attribute; this header must permit both.
  'permissions-policy':
    'camera=*, geolocation=*, accelerometer=(self), gyroscope=(self), microphone=(self)',
}
/** A worker has its own policy: it fetches fonts and tables from our origin, and decodes images with WebAssembly. */
const pdfWorkerPolicy =
  "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
/** The service worker fetches on behalf of the page, from our origin only. */
const serviceWorkerHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
}
/** Two years, as browsers' preload lists require. Only if the public address is https, else users are locked out. */
const strictTransport = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }

/** The hashes of the inline styles in the page. */
function stylesOf(dist: string): string[] {
  const file = path.join(dist, 'csp.json')
  if (!existsSync(file)) return []
  return (JSON.parse(readFileSync(file, 'utf8')) as { styles?: string[] }).styles ?? []
}

/** Allows only our own scripts and styles; inline ones are listed by hash. */
function contentPolicy(
  env: Environment,
  styles: readonly string[],
  secure: boolean,
  script?: string,
) {
  return [
    "default-src 'self'",
    // 'wasm-unsafe-eval' is for the barcode reader; it allows WebAssembly but not eval. WeChat's script gives pages
    // functions that only WeChat can provide; it is allowed only if WeChat is configured.
    `script-src 'self' 'wasm-unsafe-eval'${script ? ` '${script}'` : ''}${env.ATRIUM_WECHAT_APP_ID ? ' https://res.wx.qq.com' : ''}`,
    `style-src 'self' ${styles.map((hash) => `'${hash}'`).join(' ')}`.trim(),
    "img-src 'self' data: blob:",
    // Video and audio from hosts that operators list: the page requests no others, and media cannot run code.
    "media-src 'self' https:",
    "connect-src 'self'",
    // The server decides per address and viewer which site may be framed (webview.check). A list here would reveal
    // services to visitors who may not use them, and would become too long for a header. http: frames are allowed only
    // on http installations: a page loaded by https never frames them, whatever the configuration says.
    `frame-src 'self' https:${secure ? '' : ' http:'}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
