import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serviceOpening } from '@atrium/contract/services/service-opening'
import { services } from '@atrium/contract/services/services'
import { webview } from '@atrium/contract/shell/webview'
import { consent } from '@atrium/contract/sso/consent'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeParty } from '#domains/sso/registry/change.ts'
import { emptyParty } from '#domains/sso/registry/rules.ts'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const everybody: Rule[] = [{ effect: 'include', kind: 'everybody' }]
let counter = 0
async function addService(columns: object, rules = everybody) {
  const { db, topics } = app.platform
  const id = await db.transaction().execute(async (db) => {
    const type = await db
      .selectFrom('service_type')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const row = await db
      .insertInto('service')
      .values({
        service_no: `L-${++counter}`,
        name: '开一个服务',
        name_en: 'A service',
        type_id: type.id,
        url: 'https://svc.example.edu/start',
        audience_id: await audienceFor(db, rules),
        ...columns,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await invalidate(db, 'services')
    return row.id
  })
  await topics.flushed()
  return id
}
async function setting(key: Parameters<typeof updateSetting>[1], value: string) {
  await app.platform.db.transaction().execute((db) => updateSetting(db, key, value))
  await app.platform.topics.flushed()
}
/** Registers the service's system as a relying party. */
async function register(serviceId: string, address: string, content: object = {}) {
  const code = `launch-${serviceId}`
  await app.platform.db.transaction().execute((db) =>
    writeParty(db, 'create', {
      code,
      loopback: true,
      content: {
        ...emptyParty,
        serviceId,
        addresses: [address],
        attributes: ['name'],
        purpose: '显示你是谁',
        purposeEn: 'To show who you are',
        ...content,
      },
    }),
  )
  await app.platform.topics.flushed()
  return code
}
const launch = async (serviceId: string, more: object = {}) =>
  (await app.as('student'))(serviceOpening.launch, { body: { serviceId, ...more } })
const url = [{ tokenType: 'url', tokenKey: 'ticket' }]
const json = (value: unknown) => JSON.stringify(value)

describe('opening a service', () => {
  test.each([
    [{ url: '/pagesA/safeSet/safeSet' }, { how: 'route', url: '/pagesA/safeSet/safeSet' }],
    [
      { url: 'pages/service/search?keyWords=a' },
      { how: 'route', url: '/pages/service/search?keyWords=a' },
    ],
    [{ url: '/quick/addressList' }, { how: 'route', url: '/quick/addressList' }],
    [{ url: 'onlineSend' }, { how: 'route', url: 'onlineSend' }],
    [{}, { how: 'webview', url: 'https://svc.example.edu/start', tokens: [] }],
    [{ opening: 'browser' }, { how: 'browser' }],
    [{ opening: 'viewer' }, { how: 'viewer' }],
    [{ kind: 'remote' }, { how: 'news', url: 'https://svc.example.edu/start' }],
    [
      {
        opening: 'miniProgram',
        mini_program: json({ appId: 'wx1', path: 'a/b', engineType: 'x', more: { no: 1 } }),
      },
      {
        how: 'miniProgram',
        miniProgram: { appId: 'wx1', path: 'a/b', title: '开一个服务', engineType: 'x' },
      },
    ],
  ])('with %j returns %j', async (columns, expected) => {
    const { data } = await launch(await addService(columns))
    expect(data).toMatchObject(expected)
    if (data.miniProgram) expect(data.miniProgram).not.toHaveProperty('more')
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    'https://m.example.edu@evil.example/',
    'java\tscript:alert(1)',
    'javascript:alert(1)//addressList',
    'jw.example.edu/score',
    '',
  ])('with the invalid address %j is rejected', async (address) => {
    expect(await launch(await addService({ url: address }))).toMatchObject({
      status: 403,
      error: 'service.unavailable',
    })
  })

  test('on a terminal that it does not support, by parameter or header, is rejected', async () => {
    const serviceId = await addService({ terminals: ['2', '3'] })
    expect((await launch(serviceId, { platformType: '2' })).data.how).toBe('webview')
    expect((await launch(serviceId, { platformType: 'wechat' })).data.how).toBe('webview')
    expect(await launch(serviceId, { platformType: '6' })).toMatchObject({ status: 403 })
    expect(await launch(serviceId, { platformType: 'h5' })).toMatchObject({ status: 403 })
    for (const [terminal, status] of [
      ['app', 200],
      ['h5', 403],
    ]) {
      const answer = await app.app.inject({
        method: 'POST',
        url: serviceOpening.launch.path,
        payload: { serviceId },
        headers: { 'x-id-token': await app.tokenOf('student'), 'x-terminal-info': terminal },
      })
      expect(answer.statusCode, `${terminal}`).toBe(status)
    }
  })

  test('without access returns the same 404 as a missing service, on all endpoints', async () => {
    const serviceId = await addService({}, [{ effect: 'include', kind: 'identity', target: 'T01' }])
    const student = await app.as('student')
    const asked = [
      await student(serviceOpening.launch, { body: { serviceId } }),
      await student(services.info, { query: { serviceId } }),
      await student(services.workFlowInfo, { query: { serviceId } }),
      await student(services.guide, { query: { serviceId } }),
      await student(services.networkCheck, { query: { serviceId } }),
      await student(services.recordUse, { body: { serviceId } }),
      await student(services.findGuideAlert, { params: { serviceId } }),
      await student(services.setGuideAlert, { params: { serviceId } }),
      await student(serviceOpening.launch, { body: { serviceId: '999999999' } }),
    ]
    const bodies = asked.map(({ status, raw }) => {
      const { requestId: _, ...body } = JSON.parse(raw)
      return { status, body }
    })
    expect(bodies[0]).toMatchObject({ status: 404, body: { error: 'service.not_found' } })
    for (const body of bodies) expect(body).toEqual(bodies[0])
  })
})

describe('passing the member’s identity to a service', () => {
  test('adds a short-lived token to its address that only this service accepts', async () => {
    const serviceId = await addService({ token_accept: json(url) })
    const code = await register(serviceId, 'https://svc.example.edu/')
    const { data } = await launch(serviceId)
    const opened = new URL(data.url)
    expect(opened.origin + opened.pathname).toBe('https://svc.example.edu/start')
    const jwks = await app.app.inject('/token/jwt/jwks')
    const keys = createServer((_, response) => response.end(jwks.body)).listen(0)
    const { port } = keys.address() as AddressInfo
    const { payload } = await jwtVerify(
      opened.searchParams.get('ticket') ?? '',
      createRemoteJWKSet(new URL(`http://127.0.0.1:${port}/`)),
      { audience: code, typ: 'at+jwt', algorithms: ['ES256'] },
    ).finally(() => keys.close())
    expect(payload.sub).toBe('student')
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
    // The token is not accepted by the portal.
    const stranger = app.withToken(opened.searchParams.get('ticket') ?? '')
    expect((await stranger(services.lastUsed)).status).toBe(401)
    // For a visitor there is no token.
    const open = await addService(
      { token_accept: json(url), url: 'https://svc.example.edu/open' },
      [{ effect: 'include', kind: 'guests' }],
    )
    expect((await app.visitor(serviceOpening.launch, { body: { serviceId: open } })).data.url).toBe(
      'https://svc.example.edu/open',
    )
  })

  test('adds no token to an address that is unregistered or belongs to another service', async () => {
    const plain = await addService({ token_accept: json(url), url: 'https://unknown.example.edu/' })
    expect((await launch(plain)).data.url).toBe('https://unknown.example.edu/')
    const other = await addService({ token_accept: json(url), url: 'https://svc2.example.edu/b' })
    const owner = await addService({ url: 'https://svc2.example.edu/a' })
    await register(owner, 'https://svc2.example.edu/')
    expect((await launch(other)).data.url).toBe('https://svc2.example.edu/b')
  })

  test('requires consent if the registration says so, and counts no use before', async () => {
    const serviceId = await addService({
      token_accept: json(url),
      url: 'https://asks.example.edu/',
    })
    await register(serviceId, 'https://asks.example.edu/', { consentNeeded: true })
    const student = await app.as('student')
    const before = (await launch(serviceId)).data
    expect(before).toMatchObject({
      how: 'consent',
      url: '',
      consent: { authorized: false, attributes: ['name'] },
    })
    expect((await student(services.lastUsed)).data[0]?.serviceId).not.toBe(serviceId)
    await student(consent.agree, { body: { serviceId, attributes: ['name'] } })
    const after = (await launch(serviceId)).data
    expect(after).toMatchObject({ how: 'webview', consent: null })
    expect(new URL(after.url).searchParams.get('ticket')).toBeTruthy()
    expect((await student(services.lastUsed)).data[0]?.serviceId).toBe(serviceId)
  })

  test('uses a header in the host app and the address in a browser', async () => {
    const serviceId = await addService({
      token_accept: json([{ tokenType: 'header', tokenKey: 'X-Who' }]),
      url: 'https://head.example.edu/',
    })
    await register(serviceId, 'https://head.example.edu/')
    const inApp = (await launch(serviceId, { platformType: '2' })).data
    expect(inApp.url).toBe('https://head.example.edu/')
    expect(inApp.tokens).toMatchObject([{ type: 'header', key: 'X-Who' }])
    const inBrowser = (await launch(serviceId, { platformType: '6' })).data
    expect(inBrowser.tokens).toEqual([])
    expect(new URL(inBrowser.url).searchParams.get('X-Who')).toBeTruthy()
  })

  test('uses a cookie in the host app or a browser on the same site, otherwise the address', async () => {
    const { origin, hostname } = new URL(app.platform.origin())
    const sameHost = `${origin.replace(/:\d+$/, '')}:4711/desk`
    const [beside, elsewhere] = [sameHost, 'https://far.example.edu/'].map(async (url) => {
      const serviceId = await addService({
        token_accept: json([{ tokenType: 'cookie', tokenKey: 'desk' }]),
        url,
      })
      await register(serviceId, url)
      return serviceId
    })
    const student = await app.as('student')
    const open = async (serviceId: string | undefined, platformType: string) =>
      student(serviceOpening.launch, { body: { serviceId, platformType } })
    const inApp = await open(await beside, '2')
    expect(inApp.data).toMatchObject({ url: sameHost, tokens: [{ type: 'cookie', key: 'desk' }] })
    expect(inApp.headers['set-cookie']).toBeUndefined()
    const inBrowser = await open(await beside, '6')
    expect(inBrowser).toMatchObject({ status: 200, data: { url: sameHost, tokens: [] } })
    const [cookie] = [inBrowser.headers['set-cookie']].flat().map(String)
    expect(cookie).toMatch(/^desk=ey[\w.-]+; Max-Age=\d+; Path=\/; HttpOnly;.* SameSite=Lax$/)
    expect(cookie).not.toContain(`Domain=${hostname}`)
    const far = await open(await elsewhere, '6')
    expect(far.headers['set-cookie']).toBeUndefined()
    expect(new URL(far.data.url).searchParams.get('desk')).toBeTruthy()
  })

  test('follows authCollects, then casArry, if the service has no setting of its own', async () => {
    const serviceId = await addService({ url: 'https://conf.example.edu/app/1' })
    await register(serviceId, 'https://conf.example.edu/')
    expect((await launch(serviceId)).data.url).toBe('https://conf.example.edu/app/1')
    await setting('casArry', json(['https://conf.example.edu/']))
    const login = new URL((await launch(serviceId)).data.url)
    expect(login.pathname).toBe('/cas/login')
    expect(login.searchParams.get('service')).toBe('https://conf.example.edu/app/1')
    await setting('disableCasArry', '1')
    expect((await launch(serviceId)).data.url).toBe('https://conf.example.edu/app/1')
    await setting('authCollects', json({ 'https://conf.example.edu/app': 'url,access' }))
    expect(new URL((await launch(serviceId)).data.url).searchParams.get('access')).toBeTruthy()
    for (const key of ['casArry', 'disableCasArry', 'authCollects'] as const)
      await setting(key, { casArry: '[]', disableCasArry: '0', authCollects: '{}' }[key])
  })
})

describe('a link in a message, a task, a slide or a scan', () => {
  const link = 'https://links.example.edu/app/form?id=5'
  const check = async (address: string) =>
    (await (await app.as('student'))(webview.check, { query: { url: address } })).data
  const open = async (address: string, more: object = {}) =>
    (await app.as('student'))(webview.open, { body: { url: address, ...more } })
  beforeAll(async () => {
    const serviceId = await addService({ url: 'https://other.example.edu/' })
    await register(serviceId, 'https://links.example.edu/')
  })
  afterAll(async () => {
    await setting('casArry', '[]')
    await setting('authCollects', '{}')
  })

  test('opens unchanged if no rule matches its address', async () => {
    expect(await check(link)).toMatchObject({ kind: 'leaving', signOn: false })
    expect((await open(link)).data).toEqual({ url: link, framed: true, tokens: [] })
  })

  test('gets a token in the address or in a header, as authCollects says', async () => {
    await setting('authCollects', json({ 'https://links.example.edu/app': 'url,access' }))
    expect(await check(link)).toMatchObject({ kind: 'framed', signOn: true })
    const opened = new URL((await open(link)).data.url)
    expect(opened.searchParams.get('id')).toBe('5')
    expect(opened.searchParams.get('access')).toMatch(/^ey/)
    // An address that already contains a token gets no second one.
    expect(await check(opened.href)).toMatchObject({ signOn: false })
    expect((await open(opened.href)).data.url).toBe(opened.href)
    await setting('authCollects', json({ 'https://links.example.edu/app': 'header,X-Who' }))
    expect((await open(link, { platformType: '2' })).data).toMatchObject({
      url: link,
      tokens: [{ type: 'header', key: 'X-Who' }],
    })
  })

  test('goes through the central login if casArry matches, unless that is disabled', async () => {
    await setting('authCollects', '{}')
    await setting('casArry', json(['https://links.example.edu/']))
    const { data } = await open(link)
    expect(data.framed).toBe(false)
    expect(new URL(data.url).searchParams.get('service')).toBe(link)
    await setting('disableCasArry', '1')
    expect((await open(link)).data).toMatchObject({ url: link, framed: true })
    await setting('disableCasArry', '0')
  })

  test('gets no token if its address only looks similar, is unregistered or lacks consent', async () => {
    await setting('casArry', '[]')
    const rules = {
      'https://links.example.edu/app': 'url,access',
      'https://nobody.example.edu/': 'url,access',
      'https://consent.example.edu/': 'url,access',
    }
    await setting('authCollects', json(rules))
    await register(
      await addService({ url: 'https://third.example.edu/' }),
      'https://consent.example.edu/',
      { consentNeeded: true },
    )
    for (const address of [
      'https://links.example.edu.evil.com/app/form',
      'https://links.example.edu/apple',
      'https://links.example.edu/app/..%2fother',
      'https://nobody.example.edu/x',
      'https://consent.example.edu/x',
    ])
      expect((await open(address)).data).toEqual({ url: address, framed: true, tokens: [] })
    for (const address of [
      'javascript:alert(1)',
      '/cas/login',
      'https://a:b@links.example.edu/app',
    ])
      expect((await open(address)).data).toEqual({ url: '', framed: false, tokens: [] })
  })

  test('gets no token if the member may not use the service of that system', async () => {
    const teachers: Rule[] = [{ effect: 'include', kind: 'identity', target: 'T01' }]
    const address = 'https://teachers-only.example.edu/x'
    const serviceId = await addService({ url: 'https://teachers-only.example.edu/' }, teachers)
    await register(serviceId, 'https://teachers-only.example.edu/')
    await setting('authCollects', json({ 'https://teachers-only.example.edu/': 'url,access' }))
    expect((await open(address)).data).toEqual({ url: address, framed: true, tokens: [] })
    const teacher = await app.as('teacher')
    const { data } = await teacher(webview.open, { body: { url: address } })
    expect(new URL(data.url).searchParams.get('access')).toMatch(/^ey/)
  })

  test('gets no token for visitors', async () => {
    const { data } = await app.visitor(webview.check, { query: { url: link } })
    expect(data.signOn).toBe(false)
    expect(await app.visitor(webview.open, { body: { url: link } })).toMatchObject({ status: 401 })
  })

  test('to a page of a service uses the token setting of the service', async () => {
    const serviceId = await addService({
      url: 'https://deep.example.edu/app/',
      token_accept: json(url),
    })
    await register(serviceId, 'https://deep.example.edu/app/')
    const opened = new URL((await open('https://deep.example.edu/app/bill?no=7')).data.url)
    expect(opened.searchParams.get('ticket')).toMatch(/^ey/)
  })
})

describe('the guide of a service', () => {
  let serviceId: string
  const text = '<script>alert(1)</script>'
  beforeAll(async () => {
    serviceId = await addService({ have_guide: true })
    const { db } = app.platform
    await db.insertInto('service_guide').values({ service_id: serviceId, intro: text }).execute()
    await db
      .insertInto('service_guide_step')
      .values([
        { service_id: serviceId, position: 2, title: '第二步' },
        { service_id: serviceId, position: 1, title: '第一步' },
      ])
      .execute()
  })
  beforeEach(() => setting('ENV_SHOW_GUIDE', '1'))

  test('is shown in the configured screen before the service opens, and counts as a use', async () => {
    const student = await app.as('student')
    expect((await student(services.workFlowInfo, { query: { serviceId } })).data).toBeNull()
    const first = (await launch(serviceId)).data
    expect(first).toMatchObject({
      how: 'guide',
      url: `/pages/service/newGuide?serviceId=${serviceId}`,
      closeGuide: false,
    })
    expect((await student(services.lastUsed)).data[0]?.serviceId).toBe(serviceId)
    await setting('ENV_SHOW_GUIDE', '2')
    expect((await launch(serviceId)).data.url).toBe(
      `/pages/service/serviceGuide?serviceId=${serviceId}`,
    )
    expect((await launch(serviceId, { closeGuide: true })).data).toMatchObject({
      how: 'webview',
      closeGuide: true,
    })
    await setting('ENV_SHOW_GUIDE', '0')
    expect((await launch(serviceId)).data.how).toBe('webview')
    expect((await student(services.workFlowInfo, { query: { serviceId } })).data).toEqual({
      closeGuide: true,
      reason: 'off',
    })
  })

  test('is returned as written, with its steps in order', async () => {
    const student = await app.as('student')
    const { data } = await student(services.guide, { query: { serviceId } })
    expect(data.intro).toBe(text)
    expect(data.steps.map((step) => step.title)).toEqual(['第一步', '第二步'])
    expect(
      await student(services.guide, { query: { serviceId: await addService({}) } }),
    ).toMatchObject({ status: 404, error: 'service.no_guide' })
  })

  test('can be dismissed by each member, and the choice can be undone', async () => {
    const [student, teacher] = [await app.as('student'), await app.as('teacher')]
    const params = { serviceId }
    expect((await student(services.findGuideAlert, { params })).data).toEqual({ dismissed: false })
    await student(services.setGuideAlert, { params })
    await student(services.setGuideAlert, { params })
    expect((await student(services.findGuideAlert, { params })).data).toEqual({ dismissed: true })
    expect((await teacher(services.findGuideAlert, { params })).data).toEqual({ dismissed: false })
    expect((await launch(serviceId)).data.how).toBe('webview')
    expect((await teacher(serviceOpening.launch, { body: params })).data.how).toBe('guide')
    await student(services.deleteGuideAlert, { params })
    expect((await launch(serviceId)).data.how).toBe('guide')
    expect(await app.visitor(services.setGuideAlert, { params })).toMatchObject({ status: 401 })
  })

  test('does not block the service if the dismissal cannot be read', async () => {
    const { db } = app.platform
    await db.schema.alterTable('service_guide_alert').renameTo('gone').execute()
    try {
      expect((await launch(serviceId)).data).toMatchObject({ how: 'webview', closeGuide: true })
    } finally {
      await db.schema.alterTable('gone').renameTo('service_guide_alert').execute()
    }
  })
})

describe('reachability of a service', () => {
  // accepts connections but never responds
  const silent = createServer(() => {}).listen(0)
  afterAll(() => void silent.closeAllConnections())

  test('an internal service needs the VPN, and an unreachable one still opens', async () => {
    const student = await app.as('student')
    const { port } = silent.address() as AddressInfo
    const inside = await addService({ url: `http://127.0.0.1:${port}/` })
    const startedAt = Date.now()
    expect((await student(services.networkCheck, { query: { serviceId: inside } })).data).toEqual({
      needsVpn: true,
      reachable: 'unknown',
    })
    const dead = await addService({ url: 'https://no-such-host.invalid/', needs_vpn: true })
    const { data } = await student(services.networkCheck, { query: { serviceId: dead } })
    expect(data.needsVpn).toBe(true)
    expect(data.reachable).not.toBe('yes')
    expect((await launch(dead)).data.how).toBe('webview')
    expect(Date.now() - startedAt).toBeLessThan(6000)
    silent.close()
  })
})
