import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { config } from '@atrium/contract/shell/config'
import { pageVersionHeader } from '@atrium/rules/page-version-header'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readEnvironment } from '#platform/environment.ts'
import { clearOldPages, servePortal } from './portal-files.ts'

const fixedFiles = [
  'service-worker.js',
  'central-login.css',
  'icon.svg',
  'icon-192.png',
  'favicon.ico',
  'robots.txt',
]

/** A minimal build of the portal, enough for its addresses. */
function makeBuild() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-dist-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const part of ['dist', 'simulator/dist']) {
    mkdirSync(path.join(folder, part), { recursive: true })
    writeFileSync(path.join(folder, part, 'index.html'), `<!doctype html><title>${part}</title>`)
  }
  mkdirSync(path.join(folder, 'dist/assets'))
  for (const file of [...fixedFiles, 'assets/app-c0ffee.js', 'assets/app-c0ffee.js.br', 'csp.json'])
    writeFileSync(path.join(folder, 'dist', file), '{}')
  return path.join(folder, 'dist')
}

async function serve(environment: Record<string, string>, dist = makeBuild()) {
  const app = Fastify()
  onTestFinished(() => app.close())
  await servePortal(app as never, readEnvironment(environment), dist)
  return app
}

const page = async (publicUrl: string, more: Record<string, string> = {}) =>
  (await (await serve({ ATRIUM_PUBLIC_URL: publicUrl, ...more })).inject('/pages/tab/index/index'))
    .headers

test('a page may use the camera, cannot be framed by other sites and runs only its own scripts', async () => {
  const headers = await page('https://m.example.edu.cn')
  expect(headers['permissions-policy']).toContain('camera=')
  expect(headers['content-security-policy']).toMatch(
    /script-src 'self' 'wasm-unsafe-eval';.*frame-ancestors 'self'/,
  )
})

test("WeChat's script is allowed if WeChat is configured", async () => {
  const { 'content-security-policy': policy } = await page('https://m.example.edu.cn', {
    ATRIUM_WECHAT_APP_ID: 'wx0123456789abcdef',
    ATRIUM_WECHAT_SECRET: 'a-secret-of-a-test',
  })
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval' https://res.wx.qq.com;")
})

test('the container simulator is served only in a demo', async () => {
  const demo = await (await serve({ ATRIUM_DEMO: '1' })).inject('/simulator/')
  expect(demo.body).toContain('simulator/dist')
  expect(demo.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const real = await (await serve({})).inject('/simulator/')
  expect(real.body).not.toContain('simulator/dist')
})

test('HSTS is sent only if the public address of the portal is https', async () => {
  expect((await page('https://m.example.edu.cn'))['strict-transport-security']).toContain(
    '63072000',
  )
  expect((await page('http://localhost:8080'))['strict-transport-security']).toBeUndefined()
})

const everything = [
  ['/', 'private, no-cache'],
  ['/pages/tab/index/index?isHideTabbar=1', 'private, no-cache'],
  ['/page/index/index', 'private, no-cache'],
  ['/choose-location', 'private, no-cache'],
  ['/pages/nothing/here', 'private, no-cache'],
  ['/assets/app-c0ffee.js', 'public, max-age=31536000, immutable'],
  ['/service-worker.js', 'no-cache'],
  ['/central-login.css', 'no-cache'],
  ['/robots.txt', 'no-cache'],
  ['/icon.svg', 'public, max-age=86400'],
  ['/icon-192.png', 'public, max-age=86400'],
  ['/favicon.ico', 'public, max-age=86400'],
  ['/simulator/', 'no-cache'],
] as const

test.each(everything)('%s is sent with Cache-Control: %s', async (address, kept) => {
  const app = await serve({ ATRIUM_DEMO: '1' })
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode, headers } = await app.inject({ method, url: address })
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe(kept)
    const again = await app.inject({
      method,
      url: address,
      headers: { 'if-none-match': `${headers.etag}` },
    })
    expect(again.statusCode).toBe(304)
    expect(again.headers['cache-control']).toBe(kept)
    expect(again.body).toBe('')
  }
})

test('the ETag of a page changes with its content even if date and size are the same', async () => {
  const dist = makeBuild()
  const app = await serve({}, dist)
  for (const [file, address] of [
    ['index.html', '/'],
    ['service-worker.js', '/service-worker.js'],
  ] as const) {
    const at = path.join(dist, file)
    const write = (text: string) => {
      writeFileSync(at, text)
      // The fixed date of npm packages and container images.
      utimesSync(at, 499162500, 499162500)
    }
    write('app-11111111.js')
    const { etag } = (await app.inject(address)).headers
    write('app-22222222.js')
    const answer = await app.inject({ url: address, headers: { 'if-none-match': `${etag}` } })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('app-22222222.js')
  }
})

test.each([
  '/foo.json',
  '/index.html',
  '/csp.json',
  '/assets/app-0ld.js',
  '/pages/x.js',
  '/.well-known/security.txt',
  '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
  '/.git/config',
  '/nothing',
  '/portal-api/nothing',
])('%s returns 404 for every Accept header', async (address) => {
  const app = await serve({})
  for (const accept of ['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
    const answer = await app.inject({ url: address, headers: { accept } })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['cache-control'] ?? '').not.toContain('max-age')
  }
})

test('an unknown address returns the portal page with 404 to a browser', async () => {
  const answer = await (await serve({})).inject({
    url: '/nothing',
    headers: { accept: 'text/html' },
  })
  expect(answer.statusCode).toBe(404)
  expect(answer.body).toContain('<!doctype html>')
})

test('/.well-known/change-password redirects to the password screen', async () => {
  const answer = await (await serve({})).inject('/.well-known/change-password')
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe('/pages/modifyPwd/modifyPwd')
})

test('only requests from pages of the first release get Clear-Site-Data', async () => {
  const app = await serve({})
  app.addHook('onRequest', clearOldPages)
  app.get(config.system.path, async () => ({}))
  const forgets = async (url: string, headers: Record<string, string>) =>
    (await app.inject({ url, headers })).headers['clear-site-data']
  const fromPage = { 'sec-fetch-site': 'same-origin' }
  expect(await forgets(config.system.path, fromPage)).toBe('"cache"')
  expect(await forgets(config.system.path, { ...fromPage, ...pageVersionHeader })).toBeUndefined()
  expect(await forgets(config.system.path, {})).toBeUndefined()
  expect(await forgets('/', fromPage)).toBeUndefined()
})

test('a page loaded over https cannot frame http pages', async () => {
  const framing = async (environment: Record<string, string>, proto: string) => {
    const app = Fastify({ trustProxy: true })
    onTestFinished(() => app.close())
    await servePortal(app as never, readEnvironment(environment), makeBuild())
    const { headers } = await app.inject({ url: '/', headers: { 'x-forwarded-proto': proto } })
    return /frame-src [^;]*/.exec(`${headers['content-security-policy']}`)?.[0]
  }
  const plain = { ATRIUM_PUBLIC_URL: 'http://m.example.edu.cn' }
  expect(await framing(plain, 'http')).toBe("frame-src 'self' https: http:")
  expect(await framing(plain, 'https')).toBe("frame-src 'self' https:")
  expect(await framing({}, 'https')).toBe("frame-src 'self' https:")
  expect(await framing({ ATRIUM_PUBLIC_URL: 'https://m.example.edu.cn' }, 'http')).toBe(
    "frame-src 'self' https:",
  )
})
