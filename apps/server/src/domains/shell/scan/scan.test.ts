import { personalSourceSettings } from '@atrium/contract/member/personal-sources.operator'
import { scan } from '@atrium/contract/shell/scan'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAddresses } from '#domains/services/services/queries.ts'
import { openDemoSystems } from '../../../../demo/systems.ts'
import { openPersonalSystem } from '../../../../test/personal-system.ts'
import { type Caller, type TestApp, testApp, viewerOf } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let admin: Caller
let system: Awaited<ReturnType<typeof openPersonalSystem>>

beforeAll(async () => {
  app = await testApp()
  ;[student, admin] = await Promise.all([app.as('student'), app.as('admin')])
  system = await openPersonalSystem()
  app.platform.env.ATRIUM_OUTBOUND_ALLOW = system.allow
})
afterAll(() => system.close())
const info = async (text: string, who = student) => (await who(scan.info, { query: { text } })).data

test.each([
  ['plain text', '借书证 2026-0417', { kind: 'text', href: '', title: '' }],
  [
    'an ISBN',
    '9787111213826',
    { kind: 'book', href: '/pages/search/wholeSearch?keyWords=9787111213826' },
  ],
  ['an ISBN with a wrong check digit', '9787111213825', { kind: 'text' }],
  ['a payment code', '860123456712345678', { kind: 'card', href: '' }],
  ['a place', 'geo:29.43,120.28?q=29.43,120.28(图书馆)', { kind: 'place', title: '图书馆' }],
  ['a place with invalid coordinates', 'geo:129.43,120.28', { kind: 'text' }],
  [
    'an external address',
    'https://elsewhere.example/a',
    { kind: 'leaving', host: 'elsewhere.example' },
  ],
  ['an external http address', 'http://elsewhere.example/a', { kind: 'text', href: '' }],
  ['a javascript address', 'javascript:alert(1)', { kind: 'text', href: '' }],
  [
    'an address with a ticket',
    'https://elsewhere.example/?ticket=ST-1',
    { kind: 'text', href: '' },
  ],
] as const)('classifies %s', async (_, text, expected) => {
  expect(await info(text)).toMatchObject(expected)
  expect(await info(text, app.visitor)).toMatchObject(expected)
})

test('classifies screens of the portal, services and allowed addresses', async () => {
  const origin = app.platform.origin()
  expect(await info(`${origin}/pages/service/search?keyWords=a`)).toMatchObject({
    kind: 'screen',
    href: '/pages/service/search?keyWords=a',
  })
  expect(await info(`${origin}/pages/tab/index/index?idToken=x`)).toMatchObject({
    kind: 'text',
    href: '',
  })
  const [service] = (await listAddresses(app.platform.db, await viewerOf(app, 'student'))).filter(
    ({ url }) => url.startsWith('https://'),
  )
  expect(service).toBeDefined()
  expect(await info(service?.url ?? '')).toMatchObject({ kind: 'service', title: service?.name })
  expect(
    (await app.visitor(scan.preProcess, { query: { url: 'https://www.jianglan.example/a' } })).data,
  ).toMatchObject({ kind: expect.stringMatching(/address|service/) })
  expect((await student(scan.preProcess, { query: { url: '9787111213826' } })).data.kind).toBe(
    'text',
  )
  expect((await student(scan.preProcess)).data.kind).toBe('text')
})

test('codes of a system of the institution are described only to members', async () => {
  system.hold('/code', ({ url }) => ({
    name: `座位 ${url.searchParams.get('code')}`,
    free: [{ k: '状态', v: '空闲' }],
    page: 'https://lib.example.edu/seat',
  }))
  expect(
    await admin(personalSourceSettings.connect, {
      params: { kind: 'scan' },
      body: {
        connector: {
          way: 'http',
          http: {
            address: `${system.origin}/code`,
            query: { code: '{/code}' },
            owner: '/none',
            fields: { title: '/name', url: '/page' },
            lists: { facts: { items: '/free', fields: { label: '/k', value: '/v' } } },
          },
        } as never,
      },
    }),
  ).toMatchObject({ status: 200 })
  await app.platform.topics.flushed()
  expect(await info('SEAT-3F-12')).toMatchObject({
    kind: 'known',
    title: '座位 SEAT-3F-12',
    href: 'https://lib.example.edu/seat',
    facts: [{ label: '状态', value: '空闲' }],
  })
  expect(await info('SEAT-3F-12', app.visitor)).toMatchObject({ kind: 'text' })
  system.hold('/code', () => ({}), 500)
  expect(await info('SEAT-3F-12')).toMatchObject({ kind: 'text' })
})

test('seats and rooms of the demo are described, and seats link to their booking', async () => {
  const demo = await testApp()
  await openDemoSystems(demo.platform)
  await demo.platform.topics.flushed()
  const member = await demo.as('student')
  expect(await info('JL-SEAT-3F-017', member)).toMatchObject({
    kind: 'known',
    title: '图书馆 3 层 017 座',
    titleEn: 'Library, floor 3, seat 017',
    href: '/pages/service/search?keyWords=%E5%BA%A7%E4%BD%8D%E9%A2%84%E7%BA%A6',
  })
  expect(await info('JL-ROOM-A301', member)).toMatchObject({ kind: 'known' })
  for (const code of ['JL-SEAT-9F-017', 'JL-SEAT-3F-121', 'JL-ROOM-A999'])
    expect(await info(code, member)).toMatchObject({ kind: 'text', title: '' })
})
