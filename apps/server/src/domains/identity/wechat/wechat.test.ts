import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { wechat } from '@atrium/contract/identity/wechat'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readEnvironment } from '#platform/environment.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { signatureOf, signedPart } from './rules.ts'

const officialTicket =
  'sM4AOVdWfPE4DxkXGEs8VMCPGGVi4C3VM0P37wVUCFvkVAy_90u5h9nbSlYy3-Sl-HhTdfl2fzFy1AOcHKP7qg'
test.each([
  [
    officialTicket,
    'Wm3WZYTPz0wzccnW',
    1414587457,
    'http://mp.weixin.qq.com?params=value',
    '0f9de62fce790f9a083d5c99e95740ceb90c27ed',
  ],
  [
    officialTicket,
    'Wm3WZYTPz0wzccnW',
    1414587457,
    'http://mp.weixin.qq.com',
    'f4d90daf4b3bca3078ab155816175ba34c443a7b',
  ],
  [
    'TICKET-0001',
    'n0nceStr16chars0',
    1767225600,
    'https://m.example.edu.cn/pages/tab/index/index?isHideTabbar=1',
    '8f9a92ce81edee536405121f093615bd2e5cb080',
  ],
])('signs ticket %s, nonce %s, time %i, URL %s', (ticket, nonce, timestamp, url, signature) => {
  expect(signatureOf(ticket, nonce, timestamp, url)).toBe(signature)
  expect(signatureOf(ticket, nonce, timestamp, signedPart(`${url}#/a?b`))).toBe(signature)
})

// ---- against a server that implements WeChat's protocol ----

const app = { id: 'wx0123456789abcdef', secret: '0123456789abcdef0123456789abcdef' }
const requests: string[] = []
let mood: 'well' | 'down' | 'token ended' | 'wrong secret' | 'nonsense' = 'well'
let issued = 0
const api = http.createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const url = new URL(request.url ?? '', 'http://x')
    const say = (answer: object) => response.end(JSON.stringify(answer))
    if (mood === 'down') return response.destroy()
    if (mood === 'nonsense') return response.end('<html>')
    if (url.pathname === '/cgi-bin/stable_token' && request.method === 'POST') {
      const body = JSON.parse(text)
      requests.push(body.force_refresh ? 'token, forced' : 'token')
      if (
        body.grant_type !== 'client_credential' ||
        body.secret !== app.secret ||
        body.appid !== app.id
      )
        return say({ errcode: 40125, errmsg: 'invalid appsecret' })
      if (mood === 'wrong secret') return say({ errcode: 40125, errmsg: 'invalid appsecret' })
      if (body.force_refresh) mood = 'well'
      return say({ access_token: `TOKEN-${++issued}`, expires_in: 7200 })
    }
    if (url.pathname === '/cgi-bin/ticket/getticket' && url.searchParams.get('type') === 'jsapi') {
      requests.push('ticket')
      if (mood === 'token ended') return say({ errcode: 42001, errmsg: 'access_token expired' })
      if (!url.searchParams.get('access_token')?.startsWith('TOKEN-'))
        return say({ errcode: 40001, errmsg: 'invalid credential' })
      return say({ errcode: 0, errmsg: 'ok', ticket: `TICKET-${issued}`, expires_in: 7200 })
    }
    response.writeHead(404).end()
  })
})

let shared: TestApp
let port: number
beforeAll(async () => {
  shared = await testApp()
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  port = (api.address() as AddressInfo).port
})
afterAll(() => void api.close())
const nodes: Awaited<ReturnType<typeof openNode>>[] = []
beforeEach(async () => {
  await shared.platform.db.deleteFrom('wechat_credential').execute()
  requests.length = 0
  mood = 'well'
  return async () => {
    for (const node of nodes.splice(0)) {
      await node.app.close()
      await node.platform.close()
    }
  }
})
/** Opens a node with a WeChat account. */
async function node(variables: Record<string, string> = {}) {
  const opened = await openNode(shared.url, {
    ATRIUM_PUBLIC_URL: 'https://m.example.edu',
    ATRIUM_WECHAT_APP_ID: app.id,
    ATRIUM_WECHAT_SECRET: app.secret,
    ATRIUM_WECHAT_API: `http://127.0.0.1:${port}`,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.0/8:${port}`,
    ...variables,
  })
  nodes.push(opened)
  return (url = 'https://m.example.edu/pages/tab/index/index?isHideTabbar=1#top') =>
    opened.app.inject({ url: wechat.sign.path, query: { url } })
}

test('a portal page is signed without its fragment, with one ticket for all nodes', async () => {
  const [one, two] = [await node(), await node()]
  const answers = await Promise.all([one(), one(), two(), two()])
  for (const answer of answers) {
    const { appid, timestamp, nonceStr, signature } = answer.json().data
    expect(appid).toBe(app.id)
    expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(10)
    expect(signature).toBe(
      signatureOf(
        `TICKET-${issued}`,
        nonceStr,
        timestamp,
        'https://m.example.edu/pages/tab/index/index?isHideTabbar=1',
      ),
    )
  }
  expect(new Set(answers.map((answer) => answer.json().data.nonceStr)).size).toBe(4)
  expect(requests).toEqual(['token', 'ticket'])
  const stored = await shared.platform.db.selectFrom('wechat_credential').selectAll().execute()
  expect(stored.map(({ kind }) => kind).sort()).toEqual(['access_token', 'jsapi_ticket'])
  expect(JSON.stringify(stored)).not.toMatch(/TOKEN-|TICKET-/)
  for (const { expires_at } of stored) {
    const seconds = (Date.parse(expires_at) - Date.now()) / 1000
    expect(seconds).toBeGreaterThan(6800)
    expect(seconds).toBeLessThanOrEqual(6900)
  }
})

test.each([
  'https://evil.example/',
  'https://m.example.edu.evil.example/',
  'https://m.example.edu@evil.example/',
  'http://m.example.edu/',
  'https://m.example.edu:8443/',
  'm.example.edu/pages',
  'javascript:alert(1)',
  '#https://m.example.edu/',
])('%s is not signed', async (url) => {
  const answer = await (await node())(url)
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'wechat.address_refused'])
  expect(requests).toEqual([])
})

test('a token that expired early is renewed once with force_refresh', async () => {
  mood = 'token ended'
  expect((await (await node())()).statusCode).toBe(200)
  expect(requests).toEqual(['token', 'ticket', 'token, forced', 'ticket'])
})

test.each(['down', 'wrong secret', 'nonsense'] as const)(
  'WeChat %s: returns 502 and sends no request for a while',
  async (how) => {
    mood = how
    const sign = await node()
    const answer = await sign()
    expect(answer.json()).toMatchObject({ error: 'wechat.unavailable' })
    expect(answer.statusCode).toBe(502)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.body).not.toContain(app.secret)
    const before = requests.length
    mood = 'well'
    expect((await sign()).statusCode).toBe(502)
    expect(requests).toHaveLength(before)
    vi.setSystemTime(Date.now() + 16_000)
    expect((await sign()).statusCode).toBe(200)
    vi.useRealTimers()
  },
)

test('signing returns 404 without a WeChat account', async () => {
  expect(await shared.visitor(wechat.sign, { query: { url: 'http://localhost/' } })).toMatchObject({
    status: 404,
    error: 'wechat.not_configured',
  })
})

test('startup fails for an app id without its secret, and errors contain no secret', () => {
  expect(() => readEnvironment({ ATRIUM_WECHAT_APP_ID: app.id })).toThrow('ATRIUM_WECHAT_SECRET')
  expect(() => readEnvironment({ ATRIUM_WECHAT_SECRET: app.secret })).toThrow(
    'ATRIUM_WECHAT_APP_ID',
  )
  expect(() => readEnvironment({ ATRIUM_WECHAT_SECRET: 'short-one' })).toThrow(/^(?!.*short-one)/s)
})
