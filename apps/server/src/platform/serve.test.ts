import { endpoints } from '@atrium/contract'
import { config } from '@atrium/contract/config'
import type { Endpoint } from '@atrium/contract/define'
import { home } from '@atrium/contract/home'
import { identity } from '@atrium/contract/identity'
import { services } from '@atrium/contract/services'
import { beforeAll, describe, expect, test } from 'vitest'
import { openNode, type TestApp, testApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
const all: [string, Endpoint][] = Object.entries(endpoints).flatMap(([area, table]) =>
  Object.entries(table as Record<string, Endpoint>).map(([name, endpoint]): [string, Endpoint] => [
    `${area}.${name}`,
    endpoint,
  ]),
)

describe('the envelope', () => {
  test('an error has a stable name, words in the language asked for, and the request id', async () => {
    const ask = (language: string) =>
      app.app.inject({
        url: services.read.path,
        query: { serviceId: '999999999' },
        headers: { 'accept-language': language, 'x-request-id': 'from-the-caller-1' },
      })
    const chinese = (await ask('zh-CN,en;q=0.5')).json()
    expect(chinese).toMatchObject({
      code: 404,
      error: 'service.not_found',
      data: null,
      requestId: 'from-the-caller-1',
    })
    expect(chinese.message).toMatch(/服务/)
    expect((await ask('en-GB')).json().message).toMatch(/service/i)
    expect((await ask('fr')).json().message).toBe(chinese.message)
  })

  test('a hostile request id is replaced', async () => {
    const response = await app.app.inject({
      url: '/healthz',
      headers: { 'x-request-id': 'a\u0009b' },
    })
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('bad input ends in 4xx, in the envelope', () => {
  const post = (payload: string | Buffer, type: string) =>
    app.app.inject({
      method: 'POST',
      url: identity.passwordLogin.path,
      payload,
      headers: { 'content-type': type },
    })

  test.each([
    ['broken JSON', '{"username":', 'application/json', 400],
    ['a JSON string', '"x"', 'application/json', 400],
    ['a JSON null', 'null', 'application/json', 400],
    ['a prototype', '{"__proto__":{"username":"student"}}', 'application/json', 400],
    ['an unknown type', '<a/>', 'application/xml', 415],
    [
      'too large a body',
      JSON.stringify({ username: 'x'.repeat(300_000) }),
      'application/json',
      413,
    ],
    ['nothing', '', 'application/x-www-form-urlencoded', 400],
    ['NUL characters', '{"username":"stu\\u0000dent","password":"x"}', 'application/json', 400],
  ])('%s', async (_, payload, type, status) => {
    const response = await post(payload, type)
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({
      code: status,
      data: null,
      error: expect.stringMatching(/^request\./),
    })
  })

  test('an unknown address, a wrong method and an undecodable path', async () => {
    expect((await app.app.inject('/portal-api/v1/nothing')).json()).toMatchObject({
      code: 404,
      error: 'request.not_found',
    })
    expect((await app.app.inject({ method: 'DELETE', url: home.read.path })).statusCode).toBe(404)
    for (const address of ['/portal-api/%E0%A4%A', '/portal-api/%', '/files/%E0%A4%A'])
      expect((await app.app.inject(address)).json()).toMatchObject({
        requestId: expect.any(String),
      })
    expect((await app.app.inject('/portal-api/%E0%A4%A')).statusCode).toBe(404)
  })

  test('a sweep of hostile values over every endpoint never ends in 5xx', async () => {
    const token = await app.tokenOf('student')
    const hostile = [
      '',
      '0',
      '-1',
      '99999999999999999999',
      "' or 1=1 --",
      '%00',
      '\u0000',
      '[]',
      '{"a":1}',
      'a'.repeat(3000),
      '../../etc/passwd',
      '𝟙💥',
    ]
    for (const [name, endpoint] of all) {
      const fields = [
        ...Object.keys(endpoint.query?.properties ?? {}),
        ...Object.keys((endpoint.body as { properties?: object } | undefined)?.properties ?? {}),
      ]
      const params = Object.keys(endpoint.params?.properties ?? {})
      for (const value of hostile) {
        const input = Object.fromEntries(fields.map((field) => [field, value]))
        const response = await app.app.inject({
          method: endpoint.method,
          url: params.reduce(
            (path, key) => path.replace(`{${key}}`, encodeURIComponent(value)),
            endpoint.path,
          ),
          query: endpoint.query ? input : {},
          ...(endpoint.body && { payload: input }),
          headers: { 'x-id-token': name.startsWith('identity.logout') ? 'x' : token },
        })
        expect(
          response.statusCode,
          `${name} with ${JSON.stringify(value.slice(0, 30))}: ${response.body.slice(0, 200)}`,
        ).toBeLessThan(500)
      }
    }
  }, 60_000)
})

describe('every endpoint', () => {
  test.each(all.filter(([, endpoint]) => endpoint.access === 'member'))(
    '%s asks for a session',
    async (_, endpoint) => {
      const params = Object.keys(endpoint.params?.properties ?? {})
      const response = await app.app.inject({
        method: endpoint.method,
        url: params.reduce((path, key) => path.replace(`{${key}}`, '1'), endpoint.path),
        ...(endpoint.body && { payload: { ids: ['1'], serviceId: '1', timeZone: '' } }),
        query: { id: '1', from: '2026-01-01', to: '2026-01-01' },
      })
      expect(response.json()).toMatchObject({ code: 401, error: 'session.required' })
    },
  )

  test('is in the OpenAPI document, with a summary', async () => {
    const document = (await app.app.inject('/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    for (const [name, endpoint] of all) {
      expect(document.paths[endpoint.path][endpoint.method.toLowerCase()], name).toMatchObject({
        summary: expect.stringMatching(/\w/),
      })
    }
    expect((await app.app.inject('/docs/')).statusCode).toBe(200)
  })
})

describe('what is cached', () => {
  test('differs by audience and is compressed once somebody takes it', async () => {
    const student = await app.as('student')
    const own = await student(services.list, { query: { pageSize: 200 } })
    const others = await app.visitor(services.list, { query: { pageSize: 200 } })
    expect(own.data.total).toBeGreaterThan(others.data.total)
    for (const encoding of ['br', 'gzip']) {
      const response = await app.app.inject({
        url: services.list.path,
        headers: { 'accept-encoding': encoding },
      })
      expect(response.headers['content-encoding']).toBe(encoding)
      expect(response.headers.etag).toBeDefined()
    }
  })

  test.each([
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0.0', undefined],
    ['BR;q=0.5', 'br'],
    ['x-br', undefined],
  ])('goes out for %s as %s', async (taken, encoding) => {
    const { headers } = await app.app.inject({
      url: services.list.path,
      headers: { 'accept-encoding': taken },
    })
    expect(headers['content-encoding']).toBe(encoding)
  })

  test('is not sent again to who has it, also behind a proxy that compresses', async () => {
    const ask = (ifNoneMatch: string) =>
      app.app.inject({ url: services.list.path, headers: { 'if-none-match': ifNoneMatch } })
    const { etag } = (await ask('"another"')).headers
    for (const known of [`${etag}`, `W/${etag}`, `"another", ${etag}`])
      expect(await ask(known)).toMatchObject({ statusCode: 304, body: '' })
    expect((await ask(`"x${etag}`)).statusCode).toBe(200)
  })

  test('a configuration key that is set reaches the next answer; a value that does not fit is refused', async () => {
    const { updateSetting } = await import('#areas/config/queries.ts')
    const rowLength = async () =>
      (await app.visitor(config.system)).data.publicConfig.find(
        (entry) => entry.key === 'servicesNumPerRow',
      )?.value
    await updateSetting(app.platform.db, 'servicesNumPerRow', '4')
    await app.platform.topics.settled()
    expect(await rowLength()).toBe('4')
    await app.platform.db
      .updateTable('config_value')
      .set({ value: 'many' })
      .where('key', '=', 'servicesNumPerRow')
      .execute()
    await updateSetting(app.platform.db, 'sortIndex', '2')
    await app.platform.topics.settled()
    expect(await rowLength()).toBe('5')
  })
})

test('a text that an operator sets is cleaned before anybody reads it', async () => {
  const { updateSetting } = await import('#areas/config/queries.ts')
  await updateSetting(
    app.platform.db,
    'userPrivacy',
    '<h2>Privacy</h2><script>alert(1)</script><p onclick="alert(2)">We keep little.</p>',
  )
  await app.platform.topics.settled()
  const { data } = await app.visitor(config.text, { query: { name: 'userPrivacy' } })
  expect(data.html).toContain('We keep little.')
  expect(data.html).not.toMatch(/script|onclick/)
})

describe('security headers', () => {
  test('stand on every answer, errors too', async () => {
    for (const url of ['/healthz', '/portal-api/nothing', home.read.path]) {
      const { headers } = await app.app.inject(url)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    }
  })
})

describe('the request limit', () => {
  /** Statuses of so many visits to home, one after the other, on a node with this limit. */
  async function visits(count: number, variables: Record<string, string>) {
    const { app: node, platform } = await openNode(app.url, variables)
    const answers = []
    for (let n = 0; n < count; n++) answers.push(await node.inject(home.read.path))
    const alive = await node.inject('/healthz')
    await node.close()
    await platform.close()
    return { answers, alive }
  }

  test('answers in the envelope, says when to come again, and never closes the health check', async () => {
    const { answers, alive } = await visits(4, { ATRIUM_RATE_LIMIT: '3' })
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 429])
    expect(answers[3]?.json()).toMatchObject({
      code: 429,
      error: 'request.too_many',
      requestId: expect.any(String),
    })
    expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(alive.statusCode).toBe(200)
  })

  test('a Redis that is down costs nobody an answer', async () => {
    const { answers } = await visits(3, {
      ATRIUM_RATE_LIMIT: '1',
      REDIS_URL: 'redis://127.0.0.1:1',
    })
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200])
  })

  test.runIf(process.env.ATRIUM_TEST_REDIS_URL)('is shared by nodes through Redis', async () => {
    const both = { ATRIUM_RATE_LIMIT: '3', REDIS_URL: String(process.env.ATRIUM_TEST_REDIS_URL) }
    const first = await visits(2, both)
    const second = await visits(2, both)
    const statuses = [...first.answers, ...second.answers].map((answer) => answer.statusCode)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  })
})
