import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebAddress } from '@atrium/contract/shell/webview'
import { webview } from '@atrium/contract/shell/webview'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'

type Node = Awaited<ReturnType<typeof openNode>>

let app: TestApp
/** One node is served by https, as in production; the other by http, as in a trial, and may call our test site. */
let secure: Node
let plain: Node

// Names end in .invalid where the server may request them: no test leaves this machine.

// A site with framing headers that records its requests.
const asked: string[] = []
const site = http.createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  const path = request.url ?? ''
  if (path === '/slow') return
  if (path === '/elsewhere') return response.writeHead(302, { location: 'http://[::1]:1/' }).end()
  if (path === '/deny') response.setHeader('x-frame-options', 'DENY')
  if (path === '/policy') response.setHeader('content-security-policy', "frame-ancestors 'none'")
  if (path === '/picky' && request.method === 'HEAD') return response.writeHead(405).end()
  if (path === '/picky') response.setHeader('x-frame-options', 'SAMEORIGIN')
  if (path === '/broken') return response.writeHead(500, { 'x-frame-options': 'DENY' }).end()
  response.end('<h1>Hello</h1>')
})
let siteOrigin = ''

const everybody: Rule[] = [
  { effect: 'include', kind: 'everybody' },
  { effect: 'include', kind: 'guests' },
]

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  siteOrigin = `http://127.0.0.1:${port}`
  app = await testApp()
  secure = await openNode(app.url, { ATRIUM_PUBLIC_URL: 'https://m.example.edu.cn' })
  plain = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.0/8:${port},127.0.0.1:1` })
  await addService('T-SITE', siteOrigin, everybody)
  await addService('T-DOWN', 'http://127.0.0.1:1/', everybody)
  await addService('T-LIB', 'https://lib.campus.invalid/app/index.html', everybody)
  await addService('T-LIB-HOURS', 'https://lib.campus.invalid/app/hours', everybody)
  await addService('T-STAFF', 'https://staff.campus.invalid/', [
    { effect: 'include', kind: 'identity', target: 'T01' },
  ])
})
afterAll(async () => {
  for (const { app: node, platform } of [secure, plain]) {
    await node.close()
    await platform.close()
  }
  site.closeAllConnections()
  site.close()
})

async function addService(name: string, url: string, rules: Rule[]) {
  const { db } = app.platform
  await db.transaction().execute(async (db) => {
    const type = await db.selectFrom('service_type').select('id').executeTakeFirstOrThrow()
    const audience_id = await audienceFor(db, rules)
    await db
      .insertInto('service')
      .values({ service_no: name, name, name_en: `${name} en`, type_id: type.id, url, audience_id })
      .execute()
    await invalidate(db, 'services')
  })
  for (const { platform } of [app, secure, plain]) await platform.topics.flushed()
}

async function check(node: Node, url: string, who: { token?: string; from?: string } = {}) {
  const response = await node.app.inject({
    method: 'GET',
    url: webview.check.path,
    query: { url },
    headers: who.token ? { 'x-id-token': who.token } : {},
    remoteAddress: who.from ?? '127.0.0.1',
  })
  expect(response.statusCode).toBe(200)
  return response.json().data as WebAddress
}

describe('which addresses open inside the app', () => {
  test.each([
    ['/pages/secondWork', 'https://m.example.edu.cn/pages/secondWork', 'allowed'],
    ['https://M.EXAMPLE.edu.cn:443/x', 'https://m.example.edu.cn/x', 'allowed'],
    ['https://ｍ.example.edu.cn/', 'https://m.example.edu.cn/', 'allowed'],
    ['https:evil.com', 'https://m.example.edu.cn/evil.com', 'allowed'],
    ['/cas/login', 'https://m.example.edu.cn/cas/login', 'refused'],
    ['/files/1', 'https://m.example.edu.cn/files/1', 'refused'],
    ['/%66iles/1', 'https://m.example.edu.cn/%66iles/1', 'refused'],
    ['/%zz', 'https://m.example.edu.cn/%zz', 'allowed'],
  ])('%j belongs to the portal', async (text, url, framing) => {
    expect(await check(secure, text)).toMatchObject({ kind: 'framed', url, framing, service: null })
  })

  test.each([
    ['//evil.com', 'https://evil.com/'],
    ['/\\evil.com', 'https://evil.com/'],
    ['\\\\evil.com', 'https://evil.com/'],
    ['///evil.com', 'https://evil.com/'],
    ['/\t/evil.com', 'https://evil.com/'],
    ['https://evil.com\\@m.example.edu.cn/', 'https://evil.com/@m.example.edu.cn/'],
    ['https://evil.com#@m.example.edu.cn', 'https://evil.com/#@m.example.edu.cn'],
    ['https://m.example.edu.cn.evil.com/', 'https://m.example.edu.cn.evil.com/'],
    ['https://m.example.edu.cn%2eevil.com/', 'https://m.example.edu.cn.evil.com/'],
    ['https://lib.campus.invalid.evil.com/app/', 'https://lib.campus.invalid.evil.com/app/'],
    ['https://lib.campus.invalid:8443/app/', 'https://lib.campus.invalid:8443/app/'],
    ['https://lib.campus.invalid/other', 'https://lib.campus.invalid/other'],
    ['https://lib.campus.invalid/app/..%2fother', 'https://lib.campus.invalid/app/..%2fother'],
  ])('%j leaves the app', async (text, url) => {
    expect(await check(secure, text)).toMatchObject({ kind: 'leaving', url, service: null })
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'weixin://dl',
    'http://example.org/',
    'https://m.example.edu.cn@evil.com/',
    'https://a:b@lib.campus.invalid/app/',
    'https://',
    '',
  ])('%j is refused unless it is empty', async (text) => {
    // An empty address is our own home page.
    const kind = text === '' ? 'framed' : 'refused'
    expect(await check(secure, text)).toMatchObject({ kind })
  })

  test('an address that is too long or missing returns 400', async () => {
    for (const query of [{ url: `https://example.org/${'a'.repeat(2000)}` }, {}])
      expect(await app.visitor(webview.check, { query })).toMatchObject({
        status: 400,
        error: 'request.invalid',
        fields: { url: expect.any(String) },
      })
  })

  test('an internationalised host is returned in Unicode and Punycode', async () => {
    expect(await check(secure, 'https://аррӏе.com:8443/')).toMatchObject({
      kind: 'leaving',
      host: 'аррӏе.com:8443',
      hostCode: 'xn--80ak6aa92e.com:8443',
    })
    expect(await check(secure, 'https://example.org/')).toMatchObject({
      host: 'example.org',
      hostCode: '',
    })
  })

  test('a service is found by its folder, and the closest folder wins', async () => {
    expect(await check(secure, 'https://lib.campus.invalid/app/map?a=1')).toMatchObject({
      kind: 'framed',
      url: 'https://lib.campus.invalid/app/map?a=1',
      service: { name: 'T-LIB', nameEn: 'T-LIB en' },
    })
    expect(await check(secure, 'https://lib.campus.invalid/app/hours/today')).toMatchObject({
      service: { name: 'T-LIB-HOURS' },
    })
  })

  test('a service that the viewer may not see is treated as an external site', async () => {
    const address = 'https://staff.campus.invalid/pay'
    const student = await app.tokenOf('student')
    const teacher = await app.tokenOf('teacher')
    expect(await check(plain, address)).toMatchObject({ kind: 'leaving', service: null })
    expect(await check(plain, address, { token: student })).toMatchObject({
      kind: 'leaving',
      service: null,
    })
    expect(await check(plain, address, { token: teacher })).toMatchObject({
      kind: 'framed',
      service: { name: 'T-STAFF' },
    })
  })

  test('addresses of logins and tabs are framed without being services', async () => {
    const { db } = app.platform
    await db.transaction().execute(async (db) => {
      await updateSetting(db, 'casHosts', '["cas.campus.invalid"]')
      await updateSetting(db, 'footTabs', '[{"externalUrl":"https://tab.campus.invalid/"}]')
    })
    await secure.platform.topics.flushed()
    for (const address of ['https://cas.campus.invalid/login', 'https://tab.campus.invalid/'])
      expect(await check(secure, address)).toMatchObject({ kind: 'framed', service: null })
    expect(await check(secure, 'http://cas.campus.invalid/login')).toMatchObject({
      kind: 'refused',
    })
  })
})

describe('whether a site can be framed', () => {
  test.each([
    ['/open', 'allowed', ['HEAD /open']],
    ['/deny', 'refused', ['HEAD /deny']],
    ['/policy', 'refused', ['HEAD /policy']],
    ['/picky', 'refused', ['HEAD /picky', 'GET /picky']],
    ['/broken', 'unknown', ['HEAD /broken', 'GET /broken']],
    ['/elsewhere', 'unknown', ['HEAD /elsewhere']],
    ['/slow', 'unknown', ['HEAD /slow']],
  ])('%s: %s', async (path, framing, requests) => {
    asked.length = 0
    const address = siteOrigin + path
    const answer = { kind: 'framed', framing, service: { name: 'T-SITE' } }
    expect(await check(plain, address)).toMatchObject(answer)
    expect(await check(plain, `${address}?again=1`)).toMatchObject(answer)
    expect(asked).toEqual(requests)
  })

  test('a site that refuses connections is unreachable', async () => {
    expect(await check(plain, 'http://127.0.0.1:1/')).toMatchObject({ framing: 'unreachable' })
  })

  test('a site in the internal network is not requested unless allowed', async () => {
    asked.length = 0
    const { platform, app: node } = await openNode(app.url)
    const response = await node.inject({ url: webview.check.path, query: { url: siteOrigin } })
    expect(response.json().data).toMatchObject({ kind: 'framed', framing: 'unknown' })
    expect(asked).toEqual([])
    await node.close()
    await platform.close()
  })

  test('an http service cannot be framed in an https portal and is not requested', async () => {
    asked.length = 0
    expect(await check(secure, siteOrigin)).toMatchObject({ kind: 'framed', framing: 'refused' })
    expect(asked).toEqual([])
  })

  test('a viewer over the limit gets an answer without a request to the site', async () => {
    asked.length = 0
    const from = '10.9.9.9'
    const token = await app.tokenOf('staff')
    const many = (count: number, name: string, who: object) =>
      Promise.all(
        Array.from({ length: count }, (_, at) => check(plain, `${siteOrigin}/${name}/${at}`, who)),
      )
    await many(15, 'first', { token })
    const rest = await many(15, 'then', { token })
    expect(asked).toHaveLength(20)
    expect(rest.filter((answer) => answer.framing === 'unknown')).toHaveLength(10)
    expect(rest.every((answer) => answer.kind === 'framed')).toBe(true)
    // Other viewers are not affected.
    expect(await check(plain, `${siteOrigin}/other`, { from })).toMatchObject({
      framing: 'allowed',
    })
  })

  test('concurrent checks of one address make one request', async () => {
    asked.length = 0
    const all = await Promise.all(
      Array.from({ length: 8 }, () => check(plain, `${siteOrigin}/one`)),
    )
    expect(all.every((answer) => answer.framing === 'allowed')).toBe(true)
    expect(asked).toEqual(['HEAD /one'])
  })
})
