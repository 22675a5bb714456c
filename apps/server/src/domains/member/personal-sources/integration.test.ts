import { personalIntegration, personalSources } from '@atrium/contract/member/personal-sources'
import { personalSourceSettings } from '@atrium/contract/member/personal-sources.operator'
import { registry } from '@atrium/contract/sso/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPersonalSystem } from '../../../../test/personal-system.ts'
import { systemCaller } from '../../../../test/system-caller.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let systems: ReturnType<typeof systemCaller>
let cards: Awaited<ReturnType<typeof openPersonalSystem>>
let balance = '10.00'

beforeAll(async () => {
  cards = await openPersonalSystem()
  app = await testApp()
  app.platform.env.ATRIUM_OUTBOUND_ALLOW = cards.allow
  const admin = await app.as('admin')
  student = await app.as('student')
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.app.server.address() as { port: number }
  const origin = `http://localhost:${port}`
  app.platform.origin = () => origin
  systems = systemCaller({ origin, platform: app.platform, admin })
  for (const [code, integrations] of [
    ['cards', ['personal']],
    ['other', ['message']],
  ] as const)
    await admin(registry.create, {
      body: { code, name: `${code} 系统`, redirectUris: [], integrations },
    })
  cards.hold('/card', ({ url }) => ({
    who: url.searchParams.get('person'),
    balance,
    cardNo: '1234',
  }))
  const http = {
    address: `${cards.origin}/card`,
    query: { person: '{/number}' },
    owner: '/who',
    fields: { balance: '/balance', cardNo: '/cardNo' },
  }
  expect(
    await admin(personalSourceSettings.connect, {
      params: { kind: 'ecard' },
      body: { connector: { keepMinutes: 60, way: 'http', http } },
    }),
  ).toMatchObject({ status: 200 })
  await app.platform.topics.flushed()
})
afterAll(() => cards.close())

const changed = (usernames: string[], system = 'cards') =>
  systems.call(system, personalIntegration.changed, { body: { kind: 'ecard', usernames } })
const shown = async () => (await student(personalSources.eCard, { query: { wait: '0' } })).data

test('a change reported by the system is shown immediately despite the cache', async () => {
  expect(await changed(['student'])).toMatchObject({ data: { asked: 1 } })
  expect(await shown()).toMatchObject({ balance: '10.00' })
  balance = '60.00'
  expect(await shown()).toMatchObject({ balance: '10.00' })
  expect(await changed(['Student', 'nobody'])).toMatchObject({ status: 200, data: { asked: 1 } })
  expect(await shown()).toMatchObject({ balance: '60.00' })
})

test('a failing system leaves the stored data unchanged', async () => {
  balance = '70.00'
  cards.hold('/card', () => ({}), 500)
  expect(await changed(['student'])).toMatchObject({ status: 200, data: { asked: 0 } })
  expect(await shown()).toMatchObject({ balance: '60.00' })
})

test('only systems with the personal integration report changes, of at most 20 members', async () => {
  expect(await changed(['student'], 'other')).toMatchObject({ status: 401 })
  expect(await changed([])).toMatchObject({ status: 400 })
  expect(await changed(Array.from({ length: 21 }, () => 'student'))).toMatchObject({ status: 400 })
})
