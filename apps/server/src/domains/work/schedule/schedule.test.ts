import { search } from '@atrium/contract/discovery/search'
import { appointments } from '@atrium/contract/work/appointments'
import { calendars } from '@atrium/contract/work/calendars'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { beforeAll, expect, test } from 'vitest'
import { audienceFor } from '#platform/audience.ts'
import { secondAccount } from '../../../../demo/members.ts'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { listToExpand, writeOccurrences } from './write-occurrences.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const accountOf = async (username: string) =>
  (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id

async function addEvent(
  owner: string,
  title: string,
  values: {
    starts_local: string
    minutes?: number
    all_day?: boolean
    time_zone?: string
    rrule?: string
    location?: string
  },
) {
  const { db } = app.platform
  return db.transaction().execute(async (db) => {
    const calendar = await db
      .insertInto('calendar')
      .values({ kind: 'personal', name: title, owner_account_id: await accountOf(owner) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const event = await db
      .insertInto('event')
      .values({
        calendar_id: calendar.id,
        title,
        minutes: 60,
        time_zone: 'Asia/Shanghai',
        ...values,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeOccurrences(db, [event.id], new Date())
    return event.id
  })
}
const titles = (answer: { data: { list: { title: string }[] } }) =>
  answer.data.list.map((event) => event.title)

test('an event is returned on its days and only to its owner', async () => {
  const id = await addEvent('student', 'Rehearsal', {
    starts_local: '2031-05-06T19:00:00',
    rrule: '',
  })
  const student = await app.as('student')
  expect(
    titles(await student(schedule.events, { query: { from: '2031-05-06', to: '2031-05-06' } })),
  ).toEqual(['Rehearsal'])
  expect(
    titles(await student(schedule.events, { query: { from: '2031-05-07', to: '2031-05-08' } })),
  ).toEqual([])
  expect((await student(schedule.read, { params: { id } })).data).toMatchObject({
    title: 'Rehearsal',
    startsAt: '2031-05-06T11:00:00.000Z',
  })
  const teacher = await app.as('teacher')
  expect(
    titles(await teacher(schedule.events, { query: { from: '2031-05-06', to: '2031-05-06' } })),
  ).toEqual([])
  expect(await teacher(schedule.read, { params: { id } })).toMatchObject({
    status: 404,
    error: 'event.not_found',
  })
  expect(
    await app.visitor(schedule.events, { query: { from: '2031-05-06', to: '2031-05-06' } }),
  ).toMatchObject({ status: 401 })
})

test('the requested time zone decides an event’s day, but not for all-day events', async () => {
  await addEvent('student', 'Late', { starts_local: '2031-06-10T01:00:00' })
  await addEvent('student', 'Whole day', {
    starts_local: '2031-06-10T00:00:00',
    minutes: 1440,
    all_day: true,
  })
  const student = await app.as('student')
  const there = await student(schedule.events, {
    query: { from: '2031-06-09', to: '2031-06-09', timeZone: 'America/New_York' },
  })
  expect(there.data.list.find((event) => event.title === 'Late')).toMatchObject({
    firstDay: '2031-06-09',
    lastDay: '2031-06-09',
  })
  expect(there.data.list.find((event) => event.title === 'Whole day')).toMatchObject({
    firstDay: '2031-06-10',
    lastDay: '2031-06-10',
    allDay: true,
  })
})

test('a multi-day event is returned on each of its days', async () => {
  await addEvent('student', 'Field trip', {
    starts_local: '2031-07-01T00:00:00',
    minutes: 20 * 1440,
    all_day: true,
  })
  const student = await app.as('student')
  for (const day of ['2031-07-01', '2031-07-10', '2031-07-20']) {
    expect(titles(await student(schedule.events, { query: { from: day, to: day } }))).toContain(
      'Field trip',
    )
  }
  expect(
    titles(await student(schedule.events, { query: { from: '2031-07-21', to: '2031-07-21' } })),
  ).not.toContain('Field trip')
})

test('a calendar shown to an audience is visible only to that audience', async () => {
  const { db } = app.platform
  const calendar = await db
    .insertInto('calendar')
    .values({
      kind: 'public',
      name: 'Staff',
      shown_to_all: true,
      audience_id: await audienceFor(db, [{ effect: 'include', kind: 'identity', target: 'T01' }]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const event = await db
    .insertInto('event')
    .values({
      calendar_id: calendar.id,
      title: 'Staff meeting',
      starts_local: '2031-08-04T09:00:00',
      minutes: 60,
      time_zone: 'Asia/Shanghai',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeOccurrences(db, [event.id], new Date())
  await app.platform.topics.flushed()
  const query = { query: { from: '2031-08-04', to: '2031-08-04' } }
  expect(titles(await (await app.as('teacher'))(schedule.events, query))).toContain('Staff meeting')
  expect(titles(await (await app.as('student'))(schedule.events, query))).not.toContain(
    'Staff meeting',
  )
})

test('the daily job selects an endless series before its occurrences run out', async () => {
  const id = await addEvent('student', 'Daily', {
    starts_local: '2026-01-01T07:00:00',
    rrule: 'FREQ=DAILY',
  })
  const { db } = app.platform
  await db
    .updateTable('event')
    .set({ expanded_until: new Date(Date.now() + 86_400_000).toISOString() })
    .where('id', '=', id)
    .execute()
  expect((await listToExpand(db)).map((event) => event.id)).toContain(id)
  await writeOccurrences(db, [id], new Date())
  expect((await listToExpand(db)).map((event) => event.id)).not.toContain(id)
})

test('today is the current day in the member’s time zone', async () => {
  const student = await app.as('student')
  expect(
    (await student(calendars.saveSettings, { body: { timeZone: 'Pacific/Auckland' } })).data
      .timeZone,
  ).toBe('Pacific/Auckland')
  expect((await student(calendars.settings)).data).toMatchObject({
    timeZone: 'Pacific/Auckland',
    institutionTimeZone: 'Asia/Shanghai',
  })
  const today = dayIn(Date.now(), 'Pacific/Auckland')
  await addEvent('student', 'Breakfast', {
    starts_local: `${today}T00:30:00`,
    time_zone: 'Pacific/Auckland',
  })
  expect((await student(schedule.today)).data.map((event) => event.title)).toContain('Breakfast')
  await student(calendars.saveSettings, { body: { timeZone: '' } })
  expect((await student(calendars.settings)).data.timeZone).toBe('Asia/Shanghai')
})

test('a changed time zone applies at once to the person’s other account', async () => {
  const staff = await app.as('staff')
  const other = app.withToken(await app.tokenOf(secondAccount.username))
  const zoneThere = async () => (await other(calendars.settings)).data.timeZone
  expect(await zoneThere()).toBe('Asia/Shanghai')
  await staff(calendars.saveSettings, { body: { timeZone: 'Pacific/Auckland' } })
  expect(await zoneThere()).toBe('Pacific/Auckland')
  await staff(calendars.saveSettings, { body: { timeZone: '' } })
  expect(await zoneThere()).toBe('Asia/Shanghai')
})

test.each([
  [{ from: '2026-01-01', to: '2027-06-01' }, 'event.range_too_long'],
  [{ from: '2026-02-02', to: '2026-02-01' }, 'request.invalid'],
  [{ from: '2026-02-30', to: '2026-03-01' }, 'request.invalid'],
  [{ from: '2026-02-01', to: '2026-02-01', timeZone: 'Mars/Olympus' }, 'request.invalid'],
])('an invalid range is rejected: %j', async (query, error) => {
  const student = await app.as('student')
  expect(await student(schedule.events, { query })).toMatchObject({ status: 400, error })
})

test('an event is created once per uid, and only its creator can delete it', async () => {
  const [student, teacher] = [await app.as('student'), await app.as('teacher')]
  const uid = '7b0f1f9a-6f0e-4d57-9d4b-2f2a4f9f8a11'
  const body = {
    uid,
    title: ' Hall talk ',
    startsLocal: '2031-03-09T09:30',
    minutes: 90,
    timeZone: 'Asia/Shanghai',
  }
  const tries = await Promise.all([1, 2, 3].map(() => student(appointments.create, { body })))
  const [{ data: created }] = tries as [(typeof tries)[0]]
  expect(tries.map(({ status, data }) => [status, data.id])).toEqual(
    tries.map(() => [200, created.id]),
  )
  const day = { from: '2031-03-09', to: '2031-03-09' }
  expect(titles(await student(schedule.events, { query: day }))).toEqual(['Hall talk'])
  const read = await student(schedule.read, { params: { id: created.id } })
  expect(read.data).toMatchObject({
    startsAt: '2031-03-09T01:30:00.000Z',
    endsAt: '2031-03-09T03:00:00.000Z',
    editable: true,
  })
  expect(titles(await teacher(schedule.events, { query: day }))).toEqual([])
  // Members cannot delete events entered by others or by nobody.
  const lesson = await addEvent('student', 'Lesson', { starts_local: '2031-03-10T08:00:00' })
  for (const [call, id] of [
    [teacher, created.id],
    [student, lesson],
    [student, '99999999'],
  ] as const)
    expect((await call(appointments.remove, { params: { id } })).error).toBe('event.not_found')
  expect((await student(appointments.remove, { params: { id: created.id } })).status).toBe(200)
  expect(titles(await student(schedule.events, { query: day }))).toEqual([])
})

test.each([
  [{ startsLocal: '2031-02-30T09:30' }, 'startsLocal'],
  [{ startsLocal: '2031-02-03T25:30' }, 'startsLocal'],
  [{ startsLocal: '2031-02-03T09:30', allDay: true, minutes: 1440 }, 'startsLocal'],
  [{ startsLocal: '2031-02-03T00:00', allDay: true, minutes: 90 }, 'minutes'],
  [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
  [{ minutes: 0 }, 'minutes'],
  [{ minutes: 999_999 }, 'minutes'],
  [{ title: '  ' }, 'title'],
  [{ uid: 'x' }, 'uid'],
])('an invalid event is rejected: %j', async (wrong, field) => {
  const call = await app.as('student')
  const answer = await call(appointments.create, {
    body: {
      uid: '7b0f1f9a-6f0e-4d57-9d4b-2f2a4f9f8a12',
      title: 'x',
      startsLocal: '2031-03-09T09:30',
      minutes: 60,
      ...wrong,
    },
  })
  expect([answer.status, Object.keys(answer.fields ?? {})]).toEqual([400, [field]])
})

test('an event can be created only from a message in the member’s own inbox', async () => {
  const student = await app.as('student')
  const teacher = await app.as('teacher')
  const [message] = (await student(messages.list, { query: { pageSize: 1 } })).data.list
  const body = {
    messageId: message?.id,
    uid: '5e6f8a9c-6f0e-4d57-9d4b-2f2a4f9f8a77',
    title: 'From a message',
    startsLocal: '2031-04-01T09:30',
    minutes: 60,
  }
  const { data } = await student(appointments.createFromMessage, { body })
  const day = { from: '2031-04-01', to: '2031-04-01' }
  expect(titles(await student(schedule.events, { query: day }))).toEqual(['From a message'])
  const writable = (await student(calendars.own)).data
  const { calendarId } = (await student(schedule.events, { query: day })).data.list[0] ?? {}
  expect(writable.map(({ id }) => id)).toContain(calendarId)
  expect(writable.every(({ mine }) => mine)).toBe(true)
  expect(await teacher(appointments.createFromMessage, { body })).toMatchObject({
    status: 404,
    error: 'message.not_found',
  })
  await student(appointments.remove, { params: { id: data.id } })
})

test('a search finds events with their room in English, and all-day ones with their day', async () => {
  await addEvent('student', 'Quokka rehearsal', {
    starts_local: '2031-08-06T19:00:00',
    location: '信息楼 B402',
  })
  await addEvent('student', 'Quokka festival', {
    starts_local: '2031-08-08T00:00:00',
    minutes: 1440,
    all_day: true,
  })
  const student = await app.as('student')
  const query = { keyWords: 'Quokka', types: 'event' }
  const { groups } = (await student(search.find, { query })).data
  const found = groups.flatMap(({ list }) => list)
  const named = (title: string) => found.find((result) => result.title === title)
  expect(named('Quokka rehearsal')).toMatchObject({
    text: '信息楼 B402',
    textEn: 'Information Building, B402',
    at: '2031-08-06T11:00:00.000Z',
  })
  expect(named('Quokka rehearsal')).not.toHaveProperty('firstDay')
  expect(named('Quokka festival')).toMatchObject({
    at: '2031-08-07T16:00:00.000Z',
    firstDay: '2031-08-08',
  })
})
