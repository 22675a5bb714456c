import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { identity } from '@atrium/contract/identity/identity'
import { type EventRecord, events, eventTypes, maxEvents } from '@atrium/contract/member/events'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { updateSetting } from '#platform/settings/settings.ts'
import {
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { forwardEvents } from './forward.ts'
import { dropOldPartitions, ensurePartitions } from './partitions.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
beforeEach(async () => {
  await sql`delete from user_event`.execute(app.platform.db)
  await setEventUrl('own')
})
async function setEventUrl(value: string) {
  await updateSetting(app.platform.db, 'eventUrl', value)
  await app.platform.topics.flushed()
}

/** Local time in the institution's zone. */
const inShanghai = (daysAgo = 0) =>
  new Date(Date.now() - daysAgo * 86_400_000).toLocaleString('sv-SE', {
    timeZone: 'Asia/Shanghai',
  })
const record = (more: Partial<EventRecord> = {}): EventRecord => ({
  eventId: crypto.randomUUID(),
  eventCode: 'visitPortal',
  eventEnvOperationTime: inShanghai(),
  ...more,
})
const stored = () => app.platform.db.selectFrom('user_event').selectAll().orderBy('code').execute()

test.each(eventTypes)('a visitor’s %s event is stored with a name', async (eventCode) => {
  const { data } = await app.visitor(events.record, { body: record({ eventCode }) })
  expect(data).toEqual({ accepted: 1, refused: [] })
  expect(await stored()).toMatchObject([
    { code: eventCode, name: expect.stringMatching(/./), account_id: null, operator_name: '' },
  ])
})

test('the acting member is taken from the session, not from the record', async () => {
  const student = await app.as('student')
  const forged = { eventOperatorCode: 'admin', eventOperatorName: '校长' }
  await student(events.record, {
    body: [record({ ...forged, eventOpeartionObjectName: '图书馆' })],
  })
  await app.visitor(events.record, { body: record({ ...forged, eventCode: 'outPortal' }) })
  const [visitor, member] = await stored()
  expect(visitor).toMatchObject({ account_id: null, operator_code: '', operator_name: '' })
  expect(member).toMatchObject({
    account_id: expect.any(String),
    operator_code: 'student',
    operator_user_type: expect.stringMatching(/./),
    operator_role_name: expect.stringMatching(/./),
    operator_organization_code: expect.stringMatching(/./),
    operator_organization_detail: expect.stringMatching(/ \/ /),
    object_name: '图书馆',
    device_type: 'pc',
  })
})

test('the time of a record is read in the institution’s time zone', async () => {
  const time = inShanghai(3)
  await app.visitor(events.record, { body: record({ eventEnvOperationTime: time }) })
  const [row] = await stored()
  expect(Date.parse(row?.occurred_at ?? '')).toBe(Date.parse(`${time.replace(' ', 'T')}+08:00`))
})

test('an invalid record is rejected with its field, the others are stored', async () => {
  const { data } = await app.visitor(events.record, {
    body: [
      record(),
      { eventEnvOperationTime: inShanghai() },
      record({ eventEnvOperationTime: '2026-02-30 08:00:00' }),
      record({ eventEnvOperationTime: inShanghai(40) }),
      record({ eventEnvOperationTime: inShanghai(-3) }),
      record({ eventDetail: 'x'.repeat(2001) }),
      record({ eventDetail: 'a\u0000b' }),
      record({ eventName: '\ud83d' }),
      record({ eventId: 'mine' }),
      record({ eventName: { a: 1 } as never }),
      'a text',
      null,
      record({ eventCode: "'; drop table user_event; --" }),
      record({ eventCode: 'constructor' }),
    ],
  })
  expect(data.accepted).toBe(2)
  expect(data.refused.map(({ index, field }) => [index, field])).toEqual([
    [1, 'eventCode'],
    [2, 'eventEnvOperationTime'],
    [3, 'eventEnvOperationTime'],
    [4, 'eventEnvOperationTime'],
    [5, 'eventDetail'],
    [6, 'eventDetail'],
    [7, 'eventName'],
    [8, 'eventId'],
    [9, 'eventName'],
    [10, ''],
    [11, ''],
    [12, 'eventCode'],
  ])
  for (const { reason } of data.refused) expect(reason).toMatch(/\p{Script=Han}/u)
  expect(await stored()).toHaveLength(2)
})

test('a batch that is sent twice is stored once', async () => {
  const body = [record(), record(), record({ eventCode: 'outPortal' })]
  expect((await app.visitor(events.record, { body })).data.accepted).toBe(3)
  expect((await app.visitor(events.record, { body: [...body, ...body] })).data.accepted).toBe(6)
  expect(await stored()).toHaveLength(3)
})

test('records beyond the maximum are rejected, and an oversized list returns 413', async () => {
  const body = Array.from({ length: maxEvents + 2 }, () => record())
  const { data } = await app.visitor(events.record, { body })
  expect(data.accepted).toBe(maxEvents)
  expect(data.refused.map(({ index }) => index)).toEqual([maxEvents, maxEvents + 1])
  expect(
    await app.visitor(events.record, { body: Array.from({ length: 2000 }, () => 1) }),
  ).toMatchObject({ status: 413, error: 'request.too_large' })
})

test('a form submits one record', async () => {
  const form = await app.app.inject({
    method: 'POST',
    url: events.record.path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(record() as Record<string, string>).toString(),
  })
  expect(form.json().data).toEqual({ accepted: 1, refused: [] })
})

test('an invalid token or one of an ended session returns 401 and nothing is stored', async () => {
  const body = { username: 'staff', password: demoPassword }
  const token = idTokenOf((await app.visitor(identity.passwordLogin, { body })).data)
  const ended = app.withToken(token)
  expect((await ended(events.record, { body: record() })).data.accepted).toBe(1)
  expect((await ended(identity.logout)).status).toBe(200)
  for (const caller of [app.withToken('not.a.token'), ended])
    expect(await caller(events.record, { body: record() })).toMatchObject({
      status: 401,
      error: 'session.expired',
    })
  expect(await stored()).toHaveLength(1)
})

test('with recording turned off nothing is stored', async () => {
  await setEventUrl('')
  expect((await app.visitor(events.record, { body: record() })).data.accepted).toBe(0)
  expect(await stored()).toEqual([])
})

test('monthly partitions are created in advance and dropped when they are old', async () => {
  const { db } = app.platform
  const names = async () => {
    const { rows } = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'user_event'::regclass order by 1`.execute(
      db,
    )
    return rows.map((row) => row.name)
  }
  await ensurePartitions(db, new Date('2031-01-15T00:00:00Z'))
  expect(await names()).toEqual(
    expect.arrayContaining(['user_event_2030_12', 'user_event_2031_01', 'user_event_2031_03']),
  )
  await ensurePartitions(db, new Date('2031-02-28T23:59:59Z'))
  expect(await names()).toContain('user_event_2031_04')
  await dropOldPartitions(db, 1, new Date('2031-03-01T00:00:00Z'))
  const left = await names()
  expect(left[0]).toBe('user_event_2031_02')
  await dropOldPartitions(db, 0, new Date('2040-01-01T00:00:00Z'))
  expect(await names()).toEqual([])
  // Another node, with an empty cache.
  const node = await openNode(app.url)
  const created = await node.app.inject({
    method: 'POST',
    url: events.record.path,
    payload: record(),
  })
  expect(created.json().data.accepted).toBe(1)
  await node.app.close()
  await node.platform.close()
})

// ---- an institution's collector ----

/** A fake collector: accepts JSON records, refuses invalid ones, and can be set to be down. */
const taken: { records: EventRecord[]; token: string }[] = []
let mood: 'well' | 'down' | 'failing inside' = 'well'
const collector = http.createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const records = JSON.parse(text) as EventRecord[]
    if (mood === 'down') return response.writeHead(503).end()
    if (mood === 'failing inside') return response.end('{"code":500,"message":"oops"}')
    if (records.some(({ eventDetail }) => eventDetail === 'bad'))
      return response.writeHead(400).end()
    taken.push({ records, token: String(request.headers['x-id-token']) })
    response.end('{"code":0}')
  })
})
const listening = new Promise<number>((resolve) =>
  collector.listen(0, '127.0.0.1', () => resolve((collector.address() as AddressInfo).port)),
)
afterAll(() => void collector.close())

test('a collector gets every record once despite failures, except one that it rejects', async () => {
  const port = await listening
  const eventUrl = `http://127.0.0.1:${port}/v1/event`
  const node = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.0/8:${port}` })
  await ensurePartitions(node.platform.db)
  await setEventUrl(eventUrl)
  const student = await app.as('student')
  const time = inShanghai()
  const body = Array.from({ length: 100 }, () => record({ eventEnvOperationTime: time }))
  await student(events.record, { body })
  await app.visitor(events.record, {
    body: [record({ eventCode: 'outPortal' }), record({ eventDetail: 'bad' })],
  })

  mood = 'down'
  await expect(forwardEvents(node.platform)).rejects.toThrow('status 503')
  mood = 'failing inside'
  await expect(forwardEvents(node.platform)).rejects.toThrow('status 200')
  expect(taken).toEqual([])
  mood = 'well'
  await forwardEvents(node.platform)
  await forwardEvents(node.platform)

  const records = taken.flatMap((batch) => batch.records)
  expect(records).toHaveLength(101)
  expect(new Set(records.map(({ eventId }) => eventId)).size).toBe(101)
  expect(records.find(({ eventId }) => eventId === body[7]?.eventId)).toMatchObject({
    eventCode: 'visitPortal',
    eventEnvOperationTime: time,
    eventOperatorCode: 'student',
  })
  expect(decodeJwt(taken[0]?.token ?? '')).toMatchObject({ aud: `http://127.0.0.1:${port}` })
  const left = (await stored()).filter((row) => row.forwarding !== 'passed')
  expect(left).toMatchObject([{ detail: 'bad', forwarding: 'refused' }])
  await node.app.close()
  await node.platform.close()
})

test('a collector in the internal network is not called unless allowed', async () => {
  await setEventUrl(`http://127.0.0.1:${await listening}/v1/event`)
  await app.visitor(events.record, { body: record() })
  await expect(forwardEvents(app.platform)).rejects.toThrow('closed to outgoing requests')
  expect(await stored()).toMatchObject([{ forwarding: 'waiting' }])
})
