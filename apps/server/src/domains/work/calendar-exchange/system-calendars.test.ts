import { registry } from '@atrium/contract/sso/registry'
import { scheduleIntegration } from '@atrium/contract/work/calendar-exchange'
import { schedule } from '@atrium/contract/work/schedule'
import { beforeAll, expect, test } from 'vitest'
import { systemCaller } from '../../../../test/system-caller.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let systems: ReturnType<typeof systemCaller>
beforeAll(async () => {
  app = await testApp()
  const admin = await app.as('admin')
  ;[student, teacher] = [await app.as('student'), await app.as('teacher')]
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.app.server.address() as { port: number }
  const origin = `http://localhost:${port}`
  app.platform.origin = () => origin
  systems = systemCaller({ origin, platform: app.platform, admin })
  for (const [code, integrations] of [
    ['rooms', ['schedule']],
    ['other', ['schedule']],
    ['mail', ['message']],
  ] as const)
    await admin(registry.create, { body: { code, name: code, redirectUris: [], integrations } })
  await app.platform.topics.flushed()
})

const put = (events: object[], { username = 'student', system = 'rooms' } = {}) =>
  systems.call(system, scheduleIntegration.put, {
    params: { code: 'rooms', username },
    body: { name: '房间预约', nameEn: 'Room booking', events },
  })
const room = (more: object = {}) => ({
  key: 'a301',
  title: '研讨间 A301',
  titleEn: 'Room A301',
  location: '图书馆',
  startsAt: '2031-03-03T06:00:00Z',
  minutes: 120,
  ...more,
})
const seen = async (caller: Caller) => {
  const { data } = await caller(schedule.events, {
    query: { from: '2031-03-01', to: '2031-03-31' },
  })
  return data.list.filter(({ title }) => title.includes('研讨间'))
}

test('events of a system are shown only in the schedule of their member', async () => {
  expect(await put([room()])).toMatchObject({ data: { added: 1, changed: 0, removed: 0 } })
  expect(await seen(student)).toHaveLength(1)
  expect(await seen(teacher)).toEqual([])
  expect(await put([room()])).toMatchObject({ data: { added: 0, changed: 0, removed: 0 } })
  expect(await put([room({ weeks: 3 })])).toMatchObject({ data: { added: 0, changed: 1 } })
  expect(await seen(student)).toHaveLength(3)
  // A calendar with the same code in another system is separate.
  expect(await put([], { system: 'other' })).toMatchObject({ data: { removed: 0 } })
  expect(await put([])).toMatchObject({ data: { removed: 1 } })
  expect(await seen(student)).toEqual([])
})

test('an unknown member, an invalid time or the wrong system is rejected', async () => {
  expect(await put([room()], { username: 'nobody' })).toMatchObject({
    status: 404,
    error: 'schedule.member_unknown',
  })
  expect(await put([room({ minutes: 0 })])).toMatchObject({ status: 400 })
  expect(await put([room({ startsAt: 'soon' })])).toMatchObject({ status: 400 })
  expect(await put([room()], { system: 'mail' })).toMatchObject({ status: 401 })
  expect(await seen(student)).toEqual([])
})
