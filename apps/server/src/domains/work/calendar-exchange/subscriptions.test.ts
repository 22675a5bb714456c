import { appointments } from '@atrium/contract/work/appointments'
import { calendarExchange, maxSubscriptions } from '@atrium/contract/work/calendar-exchange'
import { calendars } from '@atrium/contract/work/calendars'
import { schedule } from '@atrium/contract/work/schedule'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { feedServer } from '../../../../test/feed-server.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { fetchDueSources, fetchSource } from './fetch-source.ts'

let app: TestApp
let site: Awaited<ReturnType<typeof feedServer>>
let student: Caller
let accountId: string
beforeAll(async () => {
  app = await testApp()
  site = await feedServer()
  Object.assign(app.platform.env, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${site.port}` })
  student = await app.as('student')
  accountId = (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'student')
      .executeTakeFirstOrThrow()
  ).id
})
beforeEach(async () => {
  await app.platform.db.deleteFrom('calendar').where('source', '=', 'outside').execute()
  site.asked.length = 0
})

const single = (uid: string, title = uid, day = '20310506') =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${title}\r\nDTSTART:${day}T110000Z\r\nDURATION:PT1H\r\nEND:VEVENT\r\n`
const wrap = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${events.join('')}END:VCALENDAR\r\n`

/** Subscribes to the test server directly in the database: it has no certificate, and the API accepts only https. */
async function subscribed(path: string, owner = accountId) {
  const { db, secret } = app.platform
  const { id } = await db
    .insertInto('calendar')
    .values({
      kind: 'personal',
      source: 'outside',
      source_key: `${owner} ${path}`,
      name: '外部',
      owner_account_id: owner,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('calendar_source')
    .values({
      calendar_id: id,
      account_id: owner,
      sealed_address: secret.encrypt(site.address(path)),
      host: `127.0.0.1:${site.port}`,
    })
    .execute()
  return id
}
const stateOf = async (id: string) =>
  (await student(calendarExchange.subscriptions)).data.find((one) => one.id === id)
const titlesOn = async (day: string) =>
  (await student(schedule.events, { query: { from: day, to: day } })).data.list.map(
    ({ title }) => title,
  )

test('an external calendar is imported and updated, including deleted events', async () => {
  site.hold('/a.ics', wrap(single('1', '外部讲座'), single('2', '二', '20310507')))
  const id = await subscribed('/a.ics')
  await fetchSource(app.platform, id)
  expect(await stateOf(id)).toMatchObject({
    calendarId: id,
    name: '外部',
    events: 2,
    leftOut: 0,
    problem: null,
    message: '',
  })
  expect(await titlesOn('2031-05-06')).toEqual(['外部讲座'])
  const listed = (await student(calendars.list)).data
  expect(listed.find((one) => one.id === id)).toMatchObject({ kind: 'personal', mine: true })
  const { data } = await student(schedule.events, {
    query: { from: '2031-05-06', to: '2031-05-06' },
  })
  const eventId = data.list[0]?.id
  expect((await student(schedule.read, { params: { id: eventId } })).data.editable).toBe(false)
  expect((await student(appointments.remove, { params: { id: eventId } })).status).toBe(404)

  site.hold('/a.ics', wrap(single('1', '外部讲座（改）')))
  await student(calendarExchange.refreshSubscription, { params: { id } })
  expect(await titlesOn('2031-05-06')).toEqual(['外部讲座（改）'])
  expect(await titlesOn('2031-05-07')).toEqual([])

  await student(calendarExchange.changeSubscription, {
    params: { id },
    body: { name: '球队', color: 'orange' },
  })
  expect(await stateOf(id)).toMatchObject({ name: '球队', color: 'orange' })
  expect((await student(calendarExchange.unsubscribe, { params: { id } })).status).toBe(200)
  expect(await titlesOn('2031-05-06')).toEqual([])
})

test('requests are conditional, and failures keep the events and increase the interval or follow Retry-After', async () => {
  site.answer('/p.ics', (request, reply) => {
    if (request.headers['if-none-match'] === '"1"') reply.writeHead(304).end()
    else reply.writeHead(200, { etag: '"1"' }).end(wrap(single('1')))
  })
  const id = await subscribed('/p.ics')
  const minutes = async () =>
    Math.round((Date.parse((await stateOf(id))?.nextAt ?? '') - Date.now()) / 60_000)
  await fetchDueSources(app.platform)
  expect(await minutes()).toBe(60)
  await fetchDueSources(app.platform)
  expect(site.asked).toHaveLength(1)
  await fetchSource(app.platform, id)
  expect(site.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"'])
  expect(await stateOf(id)).toMatchObject({ problem: null, events: 1 })
  site.answer('/p.ics', (_, reply) => reply.writeHead(500).end())
  await fetchSource(app.platform, id)
  expect(await minutes()).toBe(120)
  await fetchSource(app.platform, id)
  expect(await minutes()).toBe(240)
  expect(await stateOf(id)).toMatchObject({
    problem: 'status',
    message: '对方暂时无法提供日历（状态 500）',
    events: 1,
  })
  expect(await titlesOn('2031-05-06')).toEqual(['1'])
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toUTCString()
  for (const [retryAfter, wait] of [
    ['172800', 2880],
    [inThreeDays, 4320],
  ] as const) {
    site.answer('/p.ics', (_, reply) => reply.writeHead(503, { 'retry-after': retryAfter }).end())
    await fetchSource(app.platform, id)
    expect(await minutes()).toBe(wait)
  }
  site.hold('/p.ics', '<!doctype html><p>no calendar</p>')
  await fetchSource(app.platform, id)
  expect(await stateOf(id)).toMatchObject({ problem: 'notCalendar', events: 1 })
  expect(await titlesOn('2031-05-06')).toEqual(['1'])
})

test('no source is fetched concurrently or for a disabled account', async () => {
  const { db } = app.platform
  site.hold('/q.ics', wrap(single('1')))
  const id = await subscribed('/q.ics')
  await db.updateTable('account').set({ status: 'disabled' }).where('id', '=', accountId).execute()
  await fetchDueSources(app.platform)
  await db.updateTable('account').set({ status: 'active' }).where('id', '=', accountId).execute()
  expect(site.asked).toEqual([])
  const both = await Promise.all([fetchSource(app.platform, id), fetchSource(app.platform, id)])
  expect(both.sort()).toEqual([false, true])
})

test('each fetch failure is reported with its problem, and the address is stored encrypted', async () => {
  const problems: (string | null | undefined)[] = []
  const tried = async (path: string) => {
    const id = await subscribed(path)
    await fetchSource(app.platform, id, { seconds: 1 })
    const state = await stateOf(id)
    expect(Boolean(state?.message)).toBe(state?.problem !== null)
    problems.push(state?.problem)
  }
  site.hold('/html', '<!doctype html><p>no calendar</p>')
  site.answer('/inside', (_, reply) =>
    reply.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  )
  site.answer('/in', (_, reply) => reply.writeHead(401).end())
  site.hold('/large', Buffer.alloc(6 * 1024 * 1024, 'x'))
  site.answer('/slow', () => {})
  site.hold('/latin', Buffer.from([0x42, 0xe9, 0xff, 0xfe]))
  site.hold('/many', wrap(...Array.from({ length: 5001 }, () => 'BEGIN:VEVENT\r\nEND:VEVENT\r\n')))
  for (const path of ['/html', '/inside', '/in', '/none', '/large', '/slow', '/latin', '/many'])
    await tried(path)
  expect(problems).toEqual([
    'notCalendar',
    'closed',
    'signIn',
    'gone',
    'large',
    'late',
    'notCalendar',
    'tooMany',
  ])
  const { rows } = await sql<{ text: string }>`
    select source::text as text from calendar_source source`.execute(app.platform.db)
  expect(rows.some(({ text }) => text.includes('/html'))).toBe(false)
})

test('only public https and webcal addresses are accepted, each once and up to a limit', async () => {
  const subscribe = (address: string, name = 'x') =>
    student(calendarExchange.subscribe, { body: { address, name } })
  for (const address of [
    'http://example.com/a.ics',
    'ftp://example.com/a.ics',
    'file:///etc/passwd',
    'https://name:secret@example.com/a.ics',
    'https://127.0.0.1/a.ics',
    'https://[::1]/a.ics',
    'webcal://localhost/a.ics',
    'https://169.254.169.254/latest',
    'https://',
  ])
    expect(await subscribe(address)).toMatchObject({ status: 400, error: 'request.invalid' })
  const first = await subscribe('webcal://calendar.invalid/a.ics', '假期')
  expect(first.data).toMatchObject({
    name: '假期',
    address: 'https://calendar.invalid/a.ics',
    problem: 'unreachable',
  })
  expect(await subscribe('https://calendar.invalid/a.ics')).toMatchObject({
    status: 409,
    error: 'subscription.known',
  })
  for (let at = 1; at < maxSubscriptions; at++) await subscribed(`/${at}.ics`)
  expect(await subscribe('https://calendar.invalid/b.ics')).toMatchObject({
    status: 409,
    error: 'subscription.too_many',
  })

  const teacher = await app.as('teacher')
  expect((await teacher(calendarExchange.subscriptions)).data).toEqual([])
  const params = { id: first.data.id }
  for (const refused of [
    await teacher(calendarExchange.refreshSubscription, { params }),
    await teacher(calendarExchange.unsubscribe, { params }),
    await teacher(calendarExchange.changeSubscription, { params, body: { name: 'mine' } }),
  ])
    expect(refused).toMatchObject({ status: 404, error: 'subscription.not_found' })
  expect((await app.visitor(calendarExchange.subscriptions)).status).toBe(401)
  let last: { error: string | undefined } = { error: undefined }
  for (let at = 0; at < 30; at++)
    last = await student(calendarExchange.refreshSubscription, { params })
  expect(last.error).toBe('request.too_many')
}, 60_000)
