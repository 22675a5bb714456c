import { appointments } from '@atrium/contract/work/appointments'
import { calendars } from '@atrium/contract/work/calendars'
import { schedule } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { invalidate } from '#platform/database/topics.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { writeOccurrences } from './write-occurrences.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterEach(() => {
  vi.useRealTimers()
})

const today = () => dayIn(Date.now(), 'Asia/Shanghai')
let createdCount = 0
const newEvent = (title: string, more: object = {}) => ({
  uid: `00000000-0000-4000-8000-${String(++createdCount).padStart(12, '0')}`,
  title,
  startsLocal: `${today()}T12:00`,
  minutes: 60,
  ...more,
})
const titles = async (username: 'student' | 'teacher' | 'staff') => {
  await app.platform.topics.flushed()
  return (await (await app.as(username))(schedule.today)).data.map(({ title }) => title)
}
const account = async (username: string) =>
  (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id

test('a cached response runs no query and returns 304 for a matching ETag', async () => {
  const student = await app.as('student')
  const first = await student(schedule.today)
  const query = vi.spyOn(app.platform.pool, 'query')
  const again = await student(schedule.today)
  expect(again.data).toEqual(first.data)
  expect(again.headers['cache-control']).toBe('no-store')
  expect(query).not.toHaveBeenCalled()
  query.mockRestore()
  const { statusCode } = await app.app.inject({
    url: schedule.today.path,
    headers: {
      'x-id-token': await app.tokenOf('student'),
      'if-none-match': String(first.headers.etag),
    },
  })
  expect(statusCode).toBe(304)
})

test('creating, changing, answering or deleting an event updates the cached day', async () => {
  const [student, teacher] = [await app.as('student'), await app.as('teacher')]
  await titles('student')
  await titles('teacher')
  const { id } = (
    await student(appointments.create, {
      body: newEvent('Kept one', { participants: [{ accountName: 'teacher' }] }),
    })
  ).data
  expect(await titles('student')).toContain('Kept one')
  expect(await titles('teacher')).toContain('Kept one')
  const { version } = (await student(schedule.read, { params: { id } })).data
  await student(appointments.update, { params: { id }, body: { version, title: 'Kept two' } })
  expect(await titles('student')).toContain('Kept two')
  expect(await titles('teacher')).toContain('Kept two')
  await teacher(appointments.respond, { params: { id }, body: { answer: 'no' } })
  expect(await titles('teacher')).not.toContain('Kept two')
  await student(appointments.remove, { params: { id } })
  expect(await titles('student')).not.toContain('Kept two')
})

test('sharing, hiding or deleting a calendar updates the cached day', async () => {
  const [student, staff] = [await app.as('student'), await app.as('staff')]
  const { calendar } = (
    await student(calendars.create, {
      body: { key: 'kept-today-calendar', name: 'Kept', color: 'teal' },
    })
  ).data
  await student(appointments.create, { body: newEvent('In it', { calendarId: calendar.id }) })
  expect(await titles('staff')).not.toContain('In it')
  const update = (body: object) => student(calendars.update, { params: { id: calendar.id }, body })
  await update({ shares: [{ accountName: 'staff', access: 'busy' }] })
  expect(await titles('staff')).toContain('忙碌')
  await update({ shares: [{ accountName: 'staff', access: 'read' }] })
  expect(await titles('staff')).toContain('In it')
  await staff(calendars.update, { params: { id: calendar.id }, body: { shown: false } })
  expect(await titles('staff')).not.toContain('In it')
  await staff(calendars.update, { params: { id: calendar.id }, body: { shown: true } })
  expect(await titles('staff')).toContain('In it')
  await student(calendars.remove, { params: { id: calendar.id } })
  expect(await titles('staff')).not.toContain('In it')
  expect(await titles('student')).not.toContain('In it')
})

test('changes made directly in the database update the cached day on every node', async () => {
  const other = await openNode(app.url)
  try {
    const token = await app.tokenOf('student')
    const onOther = async () => {
      await other.platform.topics.flushed()
      const answer = await other.app.inject({
        url: schedule.today.path,
        headers: { 'x-id-token': token },
      })
      return (answer.json().data as { title: string }[]).map(({ title }) => title)
    }
    expect(await onOther()).not.toContain('By SQL')
    await app.platform.db.transaction().execute(async (db) => {
      const calendar = await db
        .insertInto('calendar')
        .values({ kind: 'personal', name: 'x', owner_account_id: await account('student') })
        .returning('id')
        .executeTakeFirstOrThrow()
      const event = await db
        .insertInto('event')
        .values({
          calendar_id: calendar.id,
          title: 'By SQL',
          starts_local: `${today()}T13:00:00`,
          minutes: 30,
          time_zone: 'Asia/Shanghai',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await writeOccurrences(db, [event.id], new Date())
    })
    expect(await onOther()).toContain('By SQL')
    await sql`update event set title = 'By SQL too' where title = 'By SQL'`.execute(app.platform.db)
    expect(await onOther()).toContain('By SQL too')
    expect(await titles('student')).toContain('By SQL too')
    await sql`delete from calendar where name = 'x'`.execute(app.platform.db)
    expect(await onOther()).not.toContain('By SQL too')
  } finally {
    await other.app.close()
    await other.platform.close()
  }
})

test('months are cached by span and time zone until a calendar changes', async () => {
  const student = await app.as('student')
  const from = Temporal.PlainDate.from(today()).with({ day: 1 })
  const span = (months: number) => ({
    from: from.add({ months }).toString(),
    to: from.add({ months, days: 41 }).toString(),
  })
  const month = async (query: object) => {
    await app.platform.topics.flushed()
    return student(schedule.events, { query: query as never })
  }
  const first = await month(span(0))
  const query = vi.spyOn(app.platform.pool, 'query')
  const again = await month(span(0))
  expect(again.data).toEqual(first.data)
  expect(again.headers['cache-control']).toBe('no-store')
  expect(query).not.toHaveBeenCalled()
  expect((await month({ ...span(0), timeZone: 'Europe/Berlin' })).data.timeZone).toBe(
    'Europe/Berlin',
  )
  expect(query).toHaveBeenCalled()
  // Other spans evict the oldest entry, and are correct themselves.
  for (let months = 1; months <= 7; months++) await month(span(months))
  query.mockClear()
  await month(span(7))
  expect(query).not.toHaveBeenCalled()
  expect((await month(span(0))).data).toEqual(first.data)
  expect(query).toHaveBeenCalled()
  query.mockRestore()

  const titles = async () => (await month(span(0))).data.list.map(({ title }) => title)
  const { id } = (await student(appointments.create, { body: newEvent('In the month') })).data
  expect(await titles()).toContain('In the month')
  await student(appointments.remove, { params: { id } })
  expect(await titles()).not.toContain('In the month')
  await sql`insert into holiday (day, name, off) values (${from.toString()}, '校庆', true)`.execute(
    app.platform.db,
  )
  await invalidate(app.platform.db, 'schedule')
  expect((await month(span(0))).data.holidays).toContainEqual(
    expect.objectContaining({ name: '校庆' }),
  )
})

test('the cached day changes at midnight and with the member’s time zone', async () => {
  const student = await app.as('student')
  // A zone in which it is the last hour of the day.
  const hour = new Date().getUTCHours()
  const offset = hour > 11 ? 23 - hour : -hour - 1
  const zone = `Etc/GMT${offset <= 0 ? '+' : '-'}${Math.abs(offset)}`
  const save = (timeZone: string) => student(calendars.saveSettings, { body: { timeZone } })
  expect(await save(zone)).toMatchObject({ status: 200 })
  await app.platform.topics.flushed()
  const day = dayIn(Date.now(), zone)
  const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString()
  for (const [title, of] of [
    ['This day', day],
    ['Next day', next],
  ] as const)
    await student(appointments.create, {
      body: newEvent(title, { startsLocal: `${of}T12:00`, timeZone: zone }),
    })
  expect(await titles('student')).toEqual(expect.arrayContaining(['This day']))
  expect(await titles('student')).not.toContain('Next day')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  expect(dayIn(Date.now(), zone)).toBe(next)
  expect(await titles('student')).toContain('Next day')
  expect(await titles('student')).not.toContain('This day')
  vi.useRealTimers()
  await save('Pacific/Kiritimati')
  await app.platform.topics.flushed()
  const there = (await student(schedule.today)).data.filter(({ allDay }) => !allDay)
  expect(
    there.every(
      ({ lastDay, firstDay }) =>
        firstDay <= dayIn(Date.now(), 'Pacific/Kiritimati') &&
        lastDay >= dayIn(Date.now(), 'Pacific/Kiritimati'),
    ),
  ).toBe(true)
})

test('rooms have the English name of their place, also after it changes', async () => {
  const staff = await app.as('staff')
  const { id } = (
    await staff(appointments.create, { body: newEvent('会', { location: '信息楼 B402' }) })
  ).data
  const rooms = async () => {
    await app.platform.topics.flushed()
    const { data } = await staff(schedule.today)
    const { data: event } = await staff(schedule.read, { params: { id }, query: {} })
    return [data.find((one) => one.id === id)?.locationEn, event.locationEn]
  }
  expect(await rooms()).toEqual(Array(2).fill('Information Building, B402'))
  await sql`update place set name_en = 'IT Building' where name = '信息楼'`.execute(app.platform.db)
  await invalidate(app.platform.db, 'places')
  expect(await rooms()).toEqual(Array(2).fill('IT Building, B402'))
})
