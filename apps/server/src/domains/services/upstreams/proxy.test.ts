import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { news } from '@atrium/contract/content/news'
import { services } from '@atrium/contract/services/services'
import { settings } from '@atrium/contract/shell/config.operator'
import { tasks } from '@atrium/contract/work/tasks'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'

type ReceivedRequest = {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: string
}
/** An upstream with configurable answers that records its requests. */
const system = {
  received: [] as ReceivedRequest[],
  answer: (_request: ReceivedRequest, response: http.ServerResponse) => void response.end(),
}
const server = http.createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const received = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
  }
  system.received.push(received)
  system.answer(received, response)
})
const respondWith =
  (status: number, body: unknown, headers: Record<string, string | string[]> = {}) =>
  (_request: ReceivedRequest, response: http.ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
const ok = (data: unknown) => ({ code: 0, message: '', data })

let app: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let origin: string
let admin: string
let student: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  app = await testApp()
  node = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${port}` })
  await node.app.ready()
  admin = await app.tokenOf('admin')
  student = await app.tokenOf('student')
})
afterAll(async () => {
  await node.app.close()
  await node.platform.close()
  server.closeAllConnections()
  server.close()
})

const call = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { token, headers, payload }: { token?: string; headers?: object; payload?: object | string } = {},
) => {
  const response = await node.app.inject({
    method,
    url,
    ...(payload !== undefined && { payload }),
    headers: { ...(token && { 'x-id-token': token }), ...headers },
  })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}
const set = (key: string, value: string) =>
  call('PUT', settings.update.path.replace('{key}', key), { token: admin, payload: { value } })
let turn = 0
/** Each test uses a new address, which has no failures yet. */
beforeEach(async () => {
  system.received = []
  turn += 1
  const base = `${origin}/gateway-${turn}`
  expect((await set('servicesBase', base)).status).toBe(200)
  expect((await set('cmsBase', `${base}/`)).status).toBe(200)
})
const below = (path: string) => `/gateway-${turn}${path}`

test('a call is forwarded with a token for that upstream only, and no other member data', async () => {
  system.answer = respondWith(200, ok({ list: [], total: 0, pageNo: 1, pageSize: 5 }), {
    'set-cookie': ['sid=1', 'other=2'],
    'x-powered-by': 'Old',
    connection: 'close',
  })
  const answer = await call('GET', `${services.list.path}?typeId=a-b-c&pageSize=5&secret=1`, {
    token: student,
    headers: {
      'accept-language': 'en-GB,zh',
      'x-terminal-info': 'wechat',
      'x-device-info': 'e30',
      cookie: 'atrium=1',
      authorization: 'Bearer x',
      'x-forwarded-for': '10.0.0.1',
    },
  })
  expect(answer).toMatchObject({ status: 200, body: ok({ list: [], total: 0 }) })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.headers['x-powered-by']).toBeUndefined()
  const [received] = system.received
  expect(received).toMatchObject({
    method: 'GET',
    path: below('/v1/service/list?typeId=a-b-c&pageSize=5'),
    headers: { 'accept-language': 'en', 'x-terminal-info': 'wechat' },
  })
  expect(Object.keys(received?.headers ?? {}).sort()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'user-agent',
    'x-id-token',
    'x-request-id',
    'x-terminal-info',
  ])
  const token = String(received?.headers['x-id-token'])
  expect(token).not.toBe(student)
  expect(decodeProtectedHeader(token).typ).toBe('at+jwt')
  const claims = decodeJwt(token)
  expect(claims).toMatchObject({ aud: `${origin}/gateway-${turn}`, iss: node.platform.origin() })
  expect(claims.sub).toBe(decodeJwt(student).sub)
  expect(Number(claims.exp) - Number(claims.iat)).toBe(60)
  // It is not accepted by the portal, and can be verified with our published key.
  expect((await call('GET', services.lastUsed.path, { token })).status).toBe(401)
  const keys = createLocalJWKSet(node.platform.keys.jwks() as JSONWebKeySet)
  await expect(jwtVerify(token, keys, { audience: String(claims.aud) })).resolves.toBeDefined()
})

test('a visitor’s call is forwarded without a token, or not at all if it is for members only', async () => {
  system.answer = respondWith(200, ok([]))
  expect((await call('GET', services.types.path)).status).toBe(200)
  expect(system.received[0]?.headers['x-id-token']).toBeUndefined()
  expect((await call('GET', services.lastUsed.path)).body).toMatchObject({
    error: 'session.required',
  })
  expect(system.received).toHaveLength(1)
})

test('a form is forwarded as JSON with the fields of the contract, and foreign ids are kept', async () => {
  system.answer = respondWith(200, ok(null))
  const { status } = await call('POST', services.recordUse.path, {
    token: student,
    payload: 'serviceId=8f6c-11&admin=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(status).toBe(200)
  expect(system.received[0]).toMatchObject({
    method: 'POST',
    path: below('/v1/service/recordUseService'),
    body: '{"serviceId":"8f6c-11"}',
    headers: { 'content-type': 'application/json' },
  })
})

test('an id cannot escape the path of the forwarded call', async () => {
  system.answer = respondWith(200, ok({}))
  for (const id of ['..%2f..%2fadmin', '%2e%2e', '..', 'a%2fb', 'a%3fb', 'a%0d%0ab']) {
    const path = news.read.path.replace('{id}', id)
    const { status } = await call('GET', path, { token: student })
    expect([400, 404], id).toContain(status)
  }
  expect(system.received.map(({ path }) => path)).toEqual([])
})

test('HTML from an upstream is sanitised', async () => {
  system.answer = respondWith(
    200,
    ok({ content: '<p onclick="x()">a<script>b</script></p>', title: 'T' }),
  )
  const { body } = await call('GET', news.read.path.replace('{id}', 'n-1'), { token: student })
  expect(body.data).toEqual({ content: '<p>a</p>', title: 'T' })
  expect(system.received[0]?.path).toBe(below('/api/proxy/cms/api/rest/mobile/v2/contents/n-1'))
})

test('an error keeps its name and message, but never ends the session', async () => {
  const refusal = { code: 404, error: 'service.not_found', message: 'No such\nservice', data: null }
  system.answer = respondWith(
    404,
    { ...refusal, stack: 'at x', requestId: 'theirs' },
    { etag: 'x' },
  )
  const read = `${services.read.path}?serviceId=nothing`
  expect(await call('GET', read, { token: student })).toMatchObject({
    status: 404,
    body: {
      code: 404,
      error: 'service.not_found',
      message: 'No such service',
      data: null,
      requestId: expect.not.stringContaining('theirs'),
    },
  })
  system.answer = respondWith(403, { ...refusal, code: 403, error: 'session.expired' })
  expect((await call('GET', read, { token: student })).body.error).toBe('session.forbidden')
  system.answer = respondWith(401, { ...refusal, code: 401, error: 'session.expired' })
  expect(await call('GET', read, { token: student })).toMatchObject({
    status: 502,
    body: { error: 'server.upstream_invalid' },
  })
  expect((await call('GET', read)).body.error).toBe('session.required')
})

test.each([
  ['HTML', respondWith(200, '<html>', { 'content-type': 'text/html' })],
  ['invalid JSON', respondWith(200, '{"code":0,')],
  ['a list without an envelope', respondWith(200, [])],
  ['an error and the status 200', respondWith(200, { code: 500, message: 'no', data: null })],
  ['no data', respondWith(200, { code: 0, message: '' })],
  ['an HTML error page', respondWith(404, '<h1>Not found</h1>', { 'content-type': 'text/html' })],
  ['success and the status 404', respondWith(404, ok(null))],
  [
    'a redirect to an internal address',
    respondWith(302, '', { location: 'http://169.254.169.254/latest' }),
  ],
  ['a redirect to itself', respondWith(301, '', { location: '/elsewhere' })],
  ['too much data', respondWith(200, ok('x'.repeat(2_100_000)))],
  ['a wrong content encoding', respondWith(200, ok(1), { 'content-encoding': 'gzip' })],
])('an upstream response with %s returns 502', async (_, answer) => {
  system.answer = answer
  expect(await call('GET', services.types.path, { token: student })).toMatchObject({
    status: 502,
    body: { code: 502, error: 'server.upstream_invalid', data: null },
  })
  // The upstream is alive, so further calls are allowed.
  expect(system.received).toHaveLength(1)
})

test('an upstream is not called after five failures, and the error says when to retry', async () => {
  system.answer = (_request, response) => void response.destroy()
  const types = () => call('GET', services.types.path, { token: student })
  for (let count = 0; count < 5; count++)
    expect(await types()).toMatchObject({
      status: 503,
      body: { error: 'server.upstream_unavailable' },
    })
  const answer = await types()
  expect(answer).toMatchObject({ status: 503, body: { error: 'server.upstream_unavailable' } })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(5)
  expect(system.received).toHaveLength(5)
  // Other families are not affected, nor the same upstream under a new address.
  expect((await call('GET', tasks.counts.path, { token: student })).status).toBe(200)
  await set('servicesBase', `${origin}/new-${turn}`)
  system.answer = respondWith(200, ok([]))
  expect((await types()).status).toBe(200)
})

test('a call to a slow upstream times out after ten seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    expect(milliseconds).toBe(10_000)
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), 50)
    return controller.signal
  })
  system.answer = () => {}
  try {
    const { status, body } = await call('GET', services.types.path, { token: student })
    expect({ status, error: body.error }).toEqual({
      status: 503,
      error: 'server.upstream_unavailable',
    })
  } finally {
    timeout.mockRestore()
  }
})

test.each([
  ['ftp://a.example.edu', 'format'],
  ['https://user:pass@a.example.edu', 'format'],
  ['https://a.example.edu/?x=1', 'format'],
  ['https://a.example.edu/#x', 'format'],
  ['https:\\\\a.example.edu', 'format'],
  ['javascript:alert(1)', 'format'],
  ['https://10.0.0.7/gateway', 'closed'],
  ['https://169.254.169.254', 'closed'],
  ['https://[::1]:8443', 'closed'],
  ['https://localhost/api', 'closed'],
  ['http://9.9.9.9/api', 'https'],
  ['https://no-such-host.invalid', 'unknown'],
])('the upstream address %s is rejected when it is set', async (value, kind) => {
  const words: Record<string, string> = {
    format: '格式',
    closed: 'ATRIUM_OUTBOUND_ALLOW',
    https: 'https://',
    unknown: '不存在',
  }
  const { status, body } = await set('servicesBase', value)
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'config.value_invalid' })
  expect(body.fields.value).toContain(words[kind])
})

test('without an upstream this server answers, and only system operators can set one', async () => {
  await set('servicesBase', '')
  system.answer = respondWith(200, ok([]))
  const { body } = await call('GET', services.types.path, { token: student })
  expect(body.data.length).toBeGreaterThan(3)
  expect(system.received).toHaveLength(0)
  const path = settings.update.path.replace('{key}', 'servicesBase')
  const refused = await call('PUT', path, { token: student, payload: { value: origin } })
  expect(refused.status).toBe(403)
})
