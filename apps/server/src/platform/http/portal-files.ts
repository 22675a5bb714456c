import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { config } from '@atrium/contract/shell/config'
import { isScreenAddress } from '@atrium/rules/screen-address'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '#platform/environment.ts'
import { encoded, type KeptAnswer } from './body-cache.ts'
import { isKnown } from './etag.ts'

/** Addresses of the API: under these an unknown address is an error, everywhere else it is a screen of the portal. */
const apiMounts =
  /^\/(token|cas|portal-api|message|transaction|schedule|personal|robot|files|scim|caldav|thumbor|console-api|docs|openapi\.json|healthz|readyz|metrics|assets)(\/|$)/
/** However its letters are written: routes are found by the decoded path. */
export const isApiAddress = (url: string) => apiMounts.test(decodedPath(url))

function decodedPath(url: string) {
  const path = url.split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A page that was painted, and what its policy has to allow beside the portal's files. */
export type PaintedAnswer = {
  body: KeptAnswer
  policy: { styles: readonly string[]; script: string }
}
/** What the page at the address of a request is painted with; nothing where it is sent as it was built. */
export type FindPainted = (request: FastifyRequest) => Promise<PaintedAnswer | undefined>

/**
 * Serves the built portal: compressed files as they lie there, the page for every screen address, a strict policy. Files
 * are looked up when they are asked for, so a portal that is built anew beside a running server is served at once.
 */
export async function servePortal(
  app: FastifyInstance,
  env: Environment,
  dist: string,
  findPainted: FindPainted = async () => undefined,
) {
  // The API runs without a built portal (tests, a split set-up); pages are then not found.
  if (!existsSync(path.join(dist, 'index.html'))) return
  // What `sendFile` sends gets its headers where it is sent: those of a folder must not reach any other file.
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
    // Names under assets/ carry a hash of their content.
    setHeaders: (reply, file) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      if (/[/\\]pdf\.worker[\w.-]+$/.test(file))
        reply.header('content-security-policy', pdfWorkerPolicy)
    },
  })
  for (const name of fixedFiles(dist))
    app.get(`/${name}`, (request, reply) => sendFixed(request, reply, dist, name, headersOf(name)))
  if (env.ATRIUM_DEMO) await serveSimulator(app, path.join(dist, '../simulator/dist'))
  // Where password managers look for the screen (W3C, "A Well-Known URL for Changing Passwords").
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.header('cache-control', 'no-cache').redirect('/pages/modifyPwd/modifyPwd', 303),
  )
  const secure = env.ATRIUM_PUBLIC_URL?.startsWith('https:') ?? false
  app.get('/*', async (request, reply) => {
    const address = request.url.split('?', 1)[0] ?? ''
    if (!isScreenAddress(address)) {
      // A file or an endpoint that is not there is an error; a person who mistyped is told by the portal.
      const isFile = /\.[^/]*$/.test(address)
      const wantsPage = request.headers.accept?.includes('text/html') && !isFile
      if (isApiAddress(address) || !wantsPage) return reply.callNotFound()
      reply.code(404)
    }
    const isSecure = secure || request.protocol === 'https'
    const headers = {
      ...pageHeaders,
      ...(secure && strictTransport),
      // Asked for again each time: a new version names new files.
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
 * Pages of the first release were kept for a year by browsers, and their code knows of no other. Each asks for the system
 * configuration when it starts, without the mark that pages have now: the answer empties the browser's cache, and the next
 * start is a new one. Only pages of ours are answered so, never programs.
 */
export function forgetOldPages(
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

/** What lies beside the page under an address that stays. */
const fixedFiles = (dist: string) =>
  readdirSync(dist, { withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !/^\.|^(index\.html|csp\.json)|\.(br|gz)$/.test(entry.name),
    )
    .map(({ name }) => name)

function headersOf(name: string): Record<string, string> {
  if (name === 'service-worker.js') return serviceWorkerHeaders
  // An icon from yesterday does no harm; a style of yesterday does not fit the page of today.
  return { 'cache-control': isPicture.test(name) ? 'public, max-age=86400' : 'no-cache' }
}
const isPicture = /\.(png|svg|ico)$/

/**
 * A file whose address stays while its content changes. The ETag is made of what is sent: packages and images of containers
 * give the files of all versions one date, and a page that names other files of the same length has the same size.
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
  // Weak: the same for each encoding.
  reply.headers({ ...headers, etag: `W/${etag}` })
  if (reply.statusCode === 200 && isKnown(request.headers['if-none-match'], etag))
    return reply.code(304).header('vary', 'accept-encoding').send()
  return reply.sendFile(name, dist)
}

/** A page with its first content in it, which is not the same for everybody. */
async function sendPainted(
  request: FastifyRequest,
  reply: FastifyReply,
  { body }: PaintedAnswer,
  headers: Record<string, string>,
) {
  // Weak: the same for each encoding.
  reply.headers({ ...headers, etag: `W/${body.etag}`, vary: 'accept-language, accept-encoding' })
  if (isKnown(request.headers['if-none-match'], body.etag)) return reply.code(304).send()
  const { encoding, bytes } = await encoded(body, request.headers['accept-encoding'] ?? '')
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type('text/html; charset=utf-8').send(bytes)
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
    'camera=*, geolocation=*, accelerometer=(self), gyroscope=(self), microphone=(self)',
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

/** The hashes of the styles that stand in the page itself. */
function stylesOf(dist: string): string[] {
  const file = path.join(dist, 'csp.json')
  if (!existsSync(file)) return []
  return (JSON.parse(readFileSync(file, 'utf8')) as { styles?: string[] }).styles ?? []
}

/** Scripts and styles of our own only; what stands in the page itself is named by its hash. */
function contentPolicy(
  env: Environment,
  styles: readonly string[],
  secure: boolean,
  script?: string,
) {
  return [
    "default-src 'self'",
    // WebAssembly reads scanned codes; it cannot be made out of text, as eval's scripts can.
    // WeChat's own script opens what WeChat keeps from pages; only where the institution has set WeChat up.
    `script-src 'self' 'wasm-unsafe-eval'${script ? ` '${script}'` : ''}${env.ATRIUM_WECHAT_APP_ID ? ' https://res.wx.qq.com' : ''}`,
    `style-src 'self' ${styles.map((hash) => `'${hash}'`).join(' ')}`.trim(),
    "img-src 'self' data: blob:",
    // Films and sound of hosts that operators list: the page asks for no others, and neither can act.
    "media-src 'self' https:",
    "connect-src 'self'",
    // Which site may stand in a frame the server says for each address and viewer (webview.check). A list here would tell
    // visitors of services that are not theirs, and outgrow a header. Plain services are for plain installations: a page
    // that came by https never frames them, whatever the installation is said to be.
    `frame-src 'self' https:${secure ? '' : ' http:'}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
