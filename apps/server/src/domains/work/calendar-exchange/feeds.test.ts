import { randomUUID } from 'node:crypto'
import { appointments } from '@atrium/contract/work/appointments'
import { calendarExchange } from '@atrium/contract/work/calendar-exchange'
import { calendars } from '@atrium/contract/work/calendars'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { lockCalendar } from '#domains/work/calendars/queries.ts'
import { readCalendar } from '#domains/work/schedule/read-calendar.ts'
import { writeOccurrences } from '#domains/work/schedule/write-occurrences.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { maxFeeds } from './feeds.ts'

let app: TestApp
let student: Caller
let accountId: string
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  accountId = (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'student')
      .executeTakeFirstOrThrow()
  ).id
})
beforeEach(() => app.platform.db.deleteFrom('calendar_feed').execute())

const fetchFeed = (url: string, headers: Record<string, string> = {}, remoteAddress = '10.1.1.1') =>
  app.app.inject({ method: 'GET', url: new URL(url).pathname, headers, remoteAddress })
const newFeed = async (body: object = {}) =>
  (await student(calendarExchange.createFeed, { body: { name: '手机', ...body } })).data
const addEvent = async (title: string, values: object = {}) => {
  const { data } = await student(appointments.create, {
    body: {
      uid: randomUUID(),
      title,
      startsLocal: '2031-05-06T19:00',
      minutes: 60,
      ...values,
    },
  })
  return data.id
}
const titlesOf = (text: string) =>
  readCalendar(text, { from: 'x', timeZone: 'Asia/Shanghai' }, () => {}).map(
    ({ event }) => event?.title,
  )

test('a feed URL is shown once, and the feed contains only what its member sees', async () => {
  await addEvent('排练')
  const { id, url } = await newFeed()
  const answer = await fetchFeed(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
    'x-robots-tag': 'noindex',
  })
  expect(titlesOf(answer.body)).toContain('排练')
  const token = new URL(url).pathname.split('/').at(-1)?.replace('.ics', '') ?? ''
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const { data } = await student(calendarExchange.feeds)
  expect(data).toMatchObject([{ id, name: '手机', calendarId: null, calendarName: '' }])
  expect(data[0]?.fetchedAt).not.toBeNull()
  expect(JSON.stringify(data)).not.toContain(token)
  const { rows } = await sql<{
    text: string
  }>`select feed::text as text from calendar_feed feed`.execute(app.platform.db)
  expect(rows[0]?.text).not.toContain(token)

  const teacher = await app.as('teacher')
  expect((await teacher(calendarExchange.feeds)).data).toEqual([])
  for (const call of [calendarExchange.renewFeed, calendarExchange.removeFeed])
    expect(await teacher(call, { params: { id } })).toMatchObject({ error: 'feed.not_found' })
  const theirs = (await teacher(calendarExchange.createFeed, { body: { name: 'x' } })).data
  expect(titlesOf((await fetchFeed(theirs.url)).body)).not.toContain('排练')
  expect((await app.visitor(calendarExchange.feeds)).status).toBe(401)
})

test('renewing a feed revokes the old URL, and removing it revokes the current one', async () => {
  const { id, url } = await newFeed()
  const renewed = await student(calendarExchange.renewFeed, { params: { id } })
  expect((await fetchFeed(url)).statusCode).toBe(404)
  expect((await fetchFeed(renewed.data.url)).statusCode).toBe(200)
  await student(calendarExchange.removeFeed, { params: { id } })
  expect((await fetchFeed(renewed.data.url)).statusCode).toBe(404)
  expect(await student(calendarExchange.removeFeed, { params: { id } })).toMatchObject({
    status: 404,
    error: 'feed.not_found',
  })
})

test('an unchanged feed returns 304, and every change returns a new ETag', async () => {
  const { db } = app.platform
  const id = await addEvent('课')
  const { url } = await newFeed()
  let etag = ''
  const changes = async (change: () => Promise<unknown>) => {
    await change()
    const answer = await fetchFeed(url, etag ? { 'if-none-match': etag } : {})
    const changed = answer.statusCode === 200
    if (changed) etag = String(answer.headers.etag)
    else expect(answer.body).toBe('')
    return changed
  }
  expect(await changes(async () => {})).toBe(true)
  expect(await changes(async () => {})).toBe(false)
  expect(
    await changes(() =>
      db.updateTable('event').set({ title: '新课' }).where('id', '=', id).execute(),
    ),
  ).toBe(true)
  expect(
    await changes(() =>
      db
        .insertInto('event_override')
        .values({
          event_id: id,
          original_local: '2031-05-06T19:00:00',
          starts_local: '2031-05-06T20:00:00',
          minutes: 30,
          title: null,
          location: null,
        })
        .execute(),
    ),
  ).toBe(true)
  expect(await changes(() => student(appointments.remove, { params: { id } }))).toBe(true)
  expect(await changes(async () => {})).toBe(false)
  const zipped = await fetchFeed(url, { 'accept-encoding': 'gzip' })
  expect(zipped.headers['content-encoding']).toBe('gzip')
})

test('a feed of one calendar works only while the member has access to it', async () => {
  const { db } = app.platform
  const own = await lockCalendar(db, accountId)
  const id = await addEvent('自己的')
  const { url } = await newFeed({ calendarId: own })
  expect(titlesOf((await fetchFeed(url)).body)).toContain('自己的')
  const shared = (await student(calendars.list)).data.find(
    ({ mine, subscribed }) => !mine && subscribed,
  )
  const one = await newFeed({ calendarId: shared?.id })
  expect(titlesOf((await fetchFeed(one.url)).body)).not.toContain('自己的')
  await db
    .updateTable('calendar')
    .set({ shown_to_all: false })
    .where('id', '=', shared?.id ?? '')
    .execute()
  await db.deleteFrom('calendar_subscription').where('account_id', '=', accountId).execute()
  expect((await fetchFeed(one.url)).statusCode).toBe(404)
  await db
    .updateTable('calendar')
    .set({ shown_to_all: true })
    .where('id', '=', shared?.id ?? '')
    .execute()
  const teacher = await app.as('teacher')
  expect(
    await teacher(calendarExchange.createFeed, { body: { name: 'x', calendarId: own } }),
  ).toMatchObject({ status: 404, error: 'feed.calendar_not_found' })
  await student(appointments.remove, { params: { id } })
})

test('past events are left out, and an endless series is written as its rule', async () => {
  const { db } = app.platform
  const old = await addEvent('旧事', { startsLocal: '2020-01-01T08:00' })
  const weekly = await addEvent('周会', { startsLocal: '2020-01-06T08:00' })
  await db.updateTable('event').set({ rrule: 'FREQ=WEEKLY' }).where('id', '=', weekly).execute()
  await writeOccurrences(db, [old, weekly], new Date())
  const { url } = await newFeed()
  const { body } = await fetchFeed(url)
  expect(titlesOf(body)).toContain('周会')
  expect(titlesOf(body)).not.toContain('旧事')
  expect(body).toContain('RRULE:FREQ=WEEKLY\r\n')
})

test('the feed of a disabled account returns 404', async () => {
  const { db } = app.platform
  const { url } = await newFeed()
  const setStatus = (status: string) =>
    db.updateTable('account').set({ status }).where('id', '=', accountId).execute()
  await setStatus('disabled')
  expect((await fetchFeed(url)).statusCode).toBe(404)
  await setStatus('active')
  expect((await fetchFeed(url)).statusCode).toBe(200)
})

test('guessed feed URLs and too frequent requests are throttled', async () => {
  const { url } = await newFeed()
  await fetchFeed(url, {}, '10.2.2.2')
  const guess = (at: number) =>
    fetchFeed(`http://x/schedule/api/v1/feeds/${String(at).padStart(43, 'A')}.ics`, {}, '10.2.2.2')
  const statuses: number[] = []
  for (let at = 0; at < 62; at++) statuses.push((await guess(at)).statusCode)
  expect(statuses.slice(0, 60).every((status) => status === 404)).toBe(true)
  expect(statuses.slice(60)).toEqual([429, 429])
  expect((await fetchFeed(url, {}, '10.2.2.2')).statusCode).toBe(200)
  let last = 200
  for (let at = 0; at < 120; at++) last = (await fetchFeed(url)).statusCode
  expect(last).toBe(429)
  for (const path of ['%00', '..%2f..%2fetc', 'x'.repeat(90)])
    expect((await fetchFeed(`http://x/schedule/api/v1/feeds/${path}.ics`)).statusCode).toBe(404)
})

test('the number of feeds and the length of their names are limited', async () => {
  for (let at = 0; at < maxFeeds; at++) await newFeed()
  expect(await student(calendarExchange.createFeed, { body: { name: '再来' } })).toMatchObject({
    status: 409,
    error: 'feed.too_many',
  })
  for (const name of ['', '  ', 'x'.repeat(61)])
    expect((await student(calendarExchange.createFeed, { body: { name } })).status).toBe(400)
})

test('an event can be downloaded as a file only by members who can see it', async () => {
  const id = await addEvent('讲座')
  const answer = await student(calendarExchange.readEvent, { params: { id } })
  expect(answer.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': `attachment; filename="event-${id}.ics"`,
  })
  expect(titlesOf(answer.raw)).toEqual(['讲座'])
  const teacher = await app.as('teacher')
  expect(await teacher(calendarExchange.readEvent, { params: { id } })).toMatchObject({
    status: 404,
    error: 'event.not_found',
  })
  expect((await app.visitor(calendarExchange.readEvent, { params: { id } })).status).toBe(401)
})

test('the feed of all calendars contains invitations until they are declined', async () => {
  const teacher = await app.as('teacher')
  const created = await teacher(appointments.create, {
    body: {
      uid: randomUUID(),
      title: '论文答辩',
      startsLocal: '2031-06-05T14:00',
      minutes: 90,
      participants: [{ accountName: 'student' }],
    },
  })
  const { id } = created.data
  const { url } = await newFeed()
  const first = await fetchFeed(url)
  expect(titlesOf(first.body)).toContain('论文答辩')
  expect(first.body).toContain('STATUS:TENTATIVE')
  expect((await student(calendarExchange.readEvent, { params: { id } })).raw).toContain('论文答辩')
  await student(appointments.respond, { params: { id }, body: { answer: 'yes' } })
  const etag = String(first.headers.etag)
  const second = await fetchFeed(url, { 'if-none-match': etag })
  expect(second.statusCode).toBe(200)
  expect(second.body).not.toContain('STATUS:TENTATIVE')
  await student(appointments.respond, { params: { id }, body: { answer: 'no' } })
  expect(titlesOf((await fetchFeed(url)).body)).not.toContain('论文答辩')
  const own = (await newFeed({ calendarId: (await student(calendars.own)).data[0]?.id })).url
  await student(appointments.respond, { params: { id }, body: { answer: 'yes' } })
  expect(titlesOf((await fetchFeed(own)).body)).not.toContain('论文答辩')
  await teacher(appointments.remove, { params: { id } })
})
