import { endpoints } from '@atrium/contract'
import { notices } from '@atrium/contract/content/news'
import type { Endpoint } from '@atrium/contract/define'
import { identity } from '@atrium/contract/identity/identity'
import { memberSessions } from '@atrium/contract/identity/sessions'
import { privacy } from '@atrium/contract/member/privacy'
import { services } from '@atrium/contract/services/services'
import { config } from '@atrium/contract/shell/config'
import { settings } from '@atrium/contract/shell/config.operator'
import { home } from '@atrium/contract/shell/home'
import { slides } from '@atrium/contract/shell/launch.operator'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { privacyHandlers } from '#domains/member/privacy/handlers.ts'
import { openNode, type TestApp, testApp } from '../../../test/test-app.ts'

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

describe('the response envelope', () => {
  test('an error has a stable name, a message in the requested language and the request id', async () => {
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

  test('an invalid request id is replaced', async () => {
    const response = await app.app.inject({
      url: '/healthz',
      headers: { 'x-request-id': 'a\u0009b' },
    })
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('invalid input returns 4xx in the envelope', () => {
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
    ['a __proto__ field', '{"__proto__":{"username":"student"}}', 'application/json', 400],
    ['an unknown content type', '<a/>', 'application/xml', 415],
    [
      'a body that is too large',
      JSON.stringify({ username: 'x'.repeat(300_000) }),
      'application/json',
      413,
    ],
    ['an empty body', '', 'application/x-www-form-urlencoded', 400],
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

  test('all invalid fields are named in one response', async () => {
    const admin = await app.as('admin')
    const { status, fields } = await admin(notices.save, {
      body: { title: 7, startsAt: 'tomorrow', audience: [{ kind: 'nobody' }] },
    })
    expect(status).toBe(400)
    expect(Object.keys(fields ?? {})).toEqual(
      expect.arrayContaining(['startsAt', 'endsAt', 'audience.0.kind']),
    )
  })

  test('a missing permission is reported before invalid fields', async () => {
    const student = await app.as('student')
    expect(await student(notices.save, { body: { title: 7 } })).toMatchObject({
      status: 403,
      error: 'session.forbidden',
      fields: undefined,
    })
  })

  test('a member endpoint accepts undeclared fields, which do not reach its handler', async () => {
    const handler = vi.spyOn(privacyHandlers, 'update')
    const node = await openNode(app.url)
    const token = await app.tokenOf('student')
    for (const name of ['x', 'constructor', 'valueOf', 'toString']) {
      const response = await node.app.inject({
        method: privacy.update.method,
        url: privacy.update.path,
        payload: `{ "${name}": true, "lettersAllowed": true }`,
        headers: { 'x-id-token': token, 'content-type': 'application/json' },
      })
      expect(response.statusCode, name).toBe(200)
      expect(handler.mock.lastCall?.[0].body).toStrictEqual({ lettersAllowed: true })
    }
    handler.mockRestore()
    await node.app.close()
    await node.platform.close()
  })

  test('an endpoint of the console rejects and names undeclared fields, also nested ones', async () => {
    const admin = await app.as('admin')
    const { status, fields } = await admin(settings.update, {
      params: { key: 'schoolName' },
      body: { value: '江岚大学', valeu: 'x', constructor: 1 },
    })
    expect(status).toBe(400)
    expect(fields).toEqual({ valeu: expect.any(String), constructor: expect.any(String) })
    const nested = await admin(slides.create, {
      body: {
        title: 'x',
        imageUrl: 'https://img.example.edu/a.png',
        audience: [{ kind: 'everybody' }, { kind: 'guests', colour: 'red', constructor: 1 }],
      },
    })
    expect(Object.keys(nested.fields ?? {})).toEqual([
      'audience.1.colour',
      'audience.1.constructor',
    ])
  })

  test('an endpoint of the console names invalid and undeclared fields together', async () => {
    const admin = await app.as('admin')
    const { fields } = await admin(memberSessions.removeAll, { body: { username: '', user: 'x' } })
    expect(Object.keys(fields ?? {}).toSorted()).toEqual(['user', 'username'])
  })

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
    '{"__proto__":{"x":1},"constructor":{"prototype":1}}',
    'a'.repeat(3000),
    '../../etc/passwd',
    '𝟙💥',
  ]
  /** Fields that no endpoint declares; some exist on every object. */
  const undeclared = (value: string) => ({ x: value, valueOf: value, constructor: value })
  const fieldsOf = (schema: unknown) =>
    Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

  /** Calls each endpoint with every hostile value in every field. */
  async function sweep(
    { app, tokenOf }: TestApp,
    as: string,
    which: [string, Endpoint][],
    more: (value: string) => object,
  ) {
    let token = await tokenOf(as)
    let called = 0
    for (const [name, endpoint] of which)
      for (const value of hostile) {
        const fields = (schema: unknown) =>
          Object.fromEntries(fieldsOf(schema).map((field) => [field, value]))
        const ask = () =>
          app.inject({
            method: endpoint.method,
            url: fieldsOf(endpoint.params).reduce(
              (path, key) => path.replace(`{${key}}`, encodeURIComponent(value)),
              endpoint.path,
            ),
            query: endpoint.query ? { ...fields(endpoint.query), ...undeclared(value) } : {},
            ...(endpoint.body && { payload: { ...fields(endpoint.body), ...more(value) } }),
            headers: { 'x-id-token': name.startsWith('identity.logout') ? 'x' : token },
          })
        let response = await ask()
        if (response.statusCode === 401 && endpoint.access === 'operator') {
          // A call may have ended its session.
          token = await tokenOf(as)
          response = await ask()
        }
        if (response.statusCode !== 401 && response.statusCode !== 403) called += 1
        expect(
          response.statusCode,
          `${name} with ${JSON.stringify(value.slice(0, 30))}: ${response.body.slice(0, 200)}`,
        ).toBeLessThan(500)
      }
    return called
  }

  test('hostile values in every field of every endpoint never return 5xx', async () => {
    // An accepted stream does not end; live.test.ts covers it.
    const ending = all.filter(([, { media }]) => media !== 'text/event-stream')
    await sweep(app, 'student', ending, undeclared)
  }, 240_000)

  test('hostile values never return 5xx to an operator with every permission', async () => {
    const own = await testApp()
    const operators = all.filter(([, { access }]) => access === 'operator')
    const called = await sweep(own, 'admin', operators, () => ({}))
    expect(called).toBe(operators.length * hostile.length)
    expect(await sweep(own, 'admin', operators, undeclared)).toBeGreaterThan(0)
  }, 240_000)

  test('a body with __proto__ or constructor.prototype is rejected', async () => {
    const token = await app.tokenOf('student')
    for (const payload of [
      '{"__proto__":{"lettersAllowed":false}}',
      '{"constructor":{"prototype":{"x":1}},"lettersAllowed":true}',
    ]) {
      const { statusCode } = await app.app.inject({
        method: privacy.update.method,
        url: privacy.update.path,
        payload,
        headers: { 'x-id-token': token, 'content-type': 'application/json' },
      })
      expect(statusCode).toBe(400)
    }
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})

describe('every endpoint', () => {
  test.each(all.filter(([, endpoint]) => endpoint.access === 'member'))(
    '%s requires a session',
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

describe('a cached response', () => {
  test('is shared regardless of parameter order and undeclared parameters', async () => {
    let reads = 0
    app.platform.pool.on('acquire', () => {
      reads++
    })
    const ask = (query: string) => app.app.inject(`${services.list.path}?${query}`)
    await ask('pageSize=7&pageNo=1')
    reads = 0
    // The default value shares the cache entry.
    expect((await ask('pageSize=7')).statusCode).toBe(200)
    for (const query of ['x=1', 'x=2', 'constructor=1', '__proto__=1', 'a[]=1'])
      expect((await ask(`pageNo=1&${query}&pageSize=7`)).statusCode).toBe(200)
    expect(reads).toBe(0)
  })

  test('is still served after the limit of cache misses is reached', async () => {
    const node = await openNode(app.url, {
      ATRIUM_RATE_LIMIT: '90',
      ATRIUM_RATE_LIMIT_ADDRESS: '90',
    })
    const ask = (page: number) => node.app.inject(`${services.list.path}?pageNo=${page}`)
    const statuses: number[] = []
    for (let page = 1; page <= 10; page++) statuses.push((await ask(page)).statusCode)
    expect(statuses).toEqual([...new Array(9).fill(200), 429])
    // Cached responses are still served to everybody.
    expect((await ask(1)).statusCode).toBe(200)
    await node.app.close()
    await node.platform.close()
  })

  test('differs by audience and is compressed for clients that accept it', async () => {
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
  ])('for Accept-Encoding %s has the encoding %s', async (taken, encoding) => {
    const { headers } = await app.app.inject({
      url: services.list.path,
      headers: { 'accept-encoding': taken },
    })
    expect(headers['content-encoding']).toBe(encoding)
  })

  test('returns 304 for a matching ETag, also if it is weak or one of several', async () => {
    const ask = (ifNoneMatch: string) =>
      app.app.inject({ url: services.list.path, headers: { 'if-none-match': ifNoneMatch } })
    const { etag } = (await ask('"another"')).headers
    for (const known of [`${etag}`, `W/${etag}`, `"another", ${etag}`])
      expect(await ask(known)).toMatchObject({ statusCode: 304, body: '' })
    expect((await ask(`"x${etag}`)).statusCode).toBe(200)
  })

  test('contains a changed setting at once, and the default for an invalid stored value', async () => {
    const { updateSetting } = await import('#platform/settings/settings.ts')
    const rowLength = async () =>
      (await app.visitor(config.system)).data.publicConfig.find(
        (entry) => entry.key === 'servicesNumPerRow',
      )?.value
    await updateSetting(app.platform.db, 'servicesNumPerRow', '4')
    await app.platform.topics.flushed()
    expect(await rowLength()).toBe('4')
    await app.platform.db
      .updateTable('config_value')
      .set({ value: 'many' })
      .where('key', '=', 'servicesNumPerRow')
      .execute()
    await updateSetting(app.platform.db, 'sortIndex', '2')
    await app.platform.topics.flushed()
    expect(await rowLength()).toBe('5')
  })
})

test('an HTML text set by an operator is sanitised', async () => {
  const { updateSetting } = await import('#platform/settings/settings.ts')
  await updateSetting(
    app.platform.db,
    'userPrivacy',
    '<h2>Privacy</h2><script>alert(1)</script><p onclick="alert(2)">We keep little.</p>',
  )
  await app.platform.topics.flushed()
  const { data } = await app.visitor(config.text, { query: { name: 'userPrivacy' } })
  expect(data.html).toContain('We keep little.')
  expect(data.html).not.toMatch(/script|onclick/)
})

describe('security headers', () => {
  test('are set on every response, including errors', async () => {
    for (const url of ['/healthz', '/portal-api/nothing', home.read.path]) {
      const { headers } = await app.app.inject(url)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    }
  })

  test('allow cross-origin reads only of the public OpenID metadata', async () => {
    const ask = async (url: string) =>
      (await app.app.inject({ url, headers: { origin: 'https://elsewhere.example' } })).headers
    for (const url of [
      '/portal-api/nothing',
      home.read.path,
      '/token/login/configs',
      '/scim/v2/Users',
    ])
      expect(Object.keys(await ask(url)), url).not.toContain('access-control-allow-origin')
    const open = await ask('/cas/oidc/.well-known/openid-configuration')
    expect(open['access-control-allow-origin']).toBeTruthy()
    expect(open['access-control-allow-credentials']).toBeUndefined()
  })
})
