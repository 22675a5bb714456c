import { appointments } from '@atrium/contract/work/appointments'
import { calendars } from '@atrium/contract/work/calendars'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { remind } from './reminders.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
beforeAll(async () => {
  app = await testApp()
  ;[student, teacher, staff] = await Promise.all([
    app.as('student'),
    app.as('teacher'),
    app.as('staff'),
  ])
})

let keys = 0
const timeZone = 'Asia/Shanghai'
async function create(more: object = {}, caller: Caller = student) {
  const answer = await caller(appointments.create, {
    body: {
      uid: `appointment-test-${++keys}`,
      title: 'Seminar',
      startsLocal: '2031-03-04T14:00',
      minutes: 90,
      timeZone,
      ...more,
    } as never,
  })
  expect({ status: answer.status, fields: answer.fields }).toEqual({
    status: 200,
    fields: undefined,
  })
  return answer.data.id
}
const read = async (caller: Caller, id: string, startsAt?: string) =>
  (await caller(schedule.read, { params: { id }, query: startsAt ? { startsAt } : {} })).data
const update = async (caller: Caller, id: string, body: object) => {
  const { version } = (await read(student, id)) ?? { version: 0 }
  return caller(appointments.update, { params: { id }, body: { version, ...body } as never })
}
const remove = (caller: Caller, id: string, query: object = {}) =>
  caller(appointments.remove, { params: { id }, query: query as never })
const on = async (caller: Caller, from: string, to = from) =>
  (await caller(schedule.events, { query: { from, to, timeZone } })).data.list.filter(
    ({ kind, allDay }) => kind === 'event' && !allDay,
  )
/** Starts of a series in Shanghai time. */
const startsOf = async (caller: Caller, title: string, from = '2031-03-01', to = '2031-04-30') =>
  (await on(caller, from, to))
    .filter((one) => one.title === title)
    .map(({ startsAt }) =>
      new Date(Date.parse(startsAt) + 8 * 3_600_000).toISOString().slice(0, 16),
    )
const titlesOf = async (caller: Caller) =>
  (await caller(messages.list, { query: { pageSize: 10 } })).data.list.map(({ title }) => title)

const weekly = { rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=5' }
const invite = (...names: string[]) => ({
  participants: names.map((accountName) => ({ accountName })),
})

describe('a series', () => {
  test('is created with rule, link and location, and is moved and removed as a whole', async () => {
    const id = await create({
      ...weekly,
      title: 'S1',
      url: 'https://example.org/room',
      location: 'B1',
    })
    expect(await startsOf(student, 'S1')).toEqual([
      '2031-03-04T14:00',
      '2031-03-11T14:00',
      '2031-03-18T14:00',
      '2031-03-25T14:00',
      '2031-04-01T14:00',
    ])
    expect(await read(student, id)).toMatchObject({
      editable: true,
      own: true,
      url: 'https://example.org/room',
      reminders: [15],
      rrule: weekly.rrule,
      startsLocal: '2031-03-04T14:00',
    })
    // Changed at its third occurrence, and moved to the next day.
    const moved = await update(student, id, {
      scope: 'all',
      originalLocal: '2031-03-18T14:00',
      startsLocal: '2031-03-19T15:00',
    })
    expect(moved.data.rrule).toBe('FREQ=WEEKLY;BYDAY=WE;COUNT=5')
    expect((await startsOf(student, 'S1'))[0]).toBe('2031-03-05T15:00')
    await remove(student, id)
    expect(await startsOf(student, 'S1')).toEqual([])
  })

  test('lasts up to 366 days', async () => {
    const id = await create({
      title: 'Exhibition',
      startsLocal: '2031-03-04T00:00',
      allDay: true,
      minutes: 366 * 1440,
    })
    expect((await update(student, id, { title: 'Long exhibition' })).status).toBe(200)
    expect(await update(student, id, { minutes: 366 * 1440 + 1 })).toMatchObject({
      status: 400,
      fields: { minutes: expect.any(String) },
    })
    await remove(student, id)
  })

  test('stores coordinates per series and occurrence, cleared by a new location', async () => {
    const library = { latitude: 29.4312, longitude: 120.2846 }
    const gym = { latitude: 29.43, longitude: 120.28 }
    const id = await create({ ...weekly, title: 'S1P', location: '图书馆', point: library })
    const third = '2031-03-18T14:00'
    const pointOn = async (day: string) =>
      (await read(student, id, new Date(`2031-03-${day}T14:00+08:00`).toISOString())).point
    expect(await pointOn('04')).toEqual(library)
    await update(student, id, {
      ...{ scope: 'this', originalLocal: third, location: '体育馆', point: gym },
    })
    expect([await pointOn('11'), await pointOn('18')]).toEqual([library, gym])
    // The part split off keeps both.
    const cut = await update(student, id, {
      ...{ scope: 'following', originalLocal: '2031-03-11T14:00', title: 'S1Q' },
    })
    expect(cut.data.point).toEqual(library)
    const { data: moved } = await student(schedule.read, {
      params: { id: cut.data.id },
      query: { startsAt: new Date(`${third}+08:00`).toISOString() },
    })
    expect(moved.point).toEqual(gym)
    await update(student, id, { location: '教室' })
    expect(await pointOn('04')).toBeNull()
    const refused = await update(student, id, { point: { latitude: 91, longitude: 0 } })
    expect(refused.status).toBe(400)
    await remove(student, id)
    await remove(student, cut.data.id)
  })

  test('one occurrence can be moved, renamed and deleted on its own', async () => {
    const id = await create({ ...weekly, title: 'S2' })
    const one = await update(student, id, {
      scope: 'this',
      originalLocal: '2031-03-11T14:00',
      startsLocal: '2031-03-12T10:00',
      title: 'S2 moved',
    })
    expect(one.data).toMatchObject({
      title: 'S2 moved',
      changed: true,
      startsLocal: '2031-03-12T10:00',
    })
    expect(await startsOf(student, 'S2 moved')).toEqual(['2031-03-12T10:00'])
    expect(await startsOf(student, 'S2')).toHaveLength(4)
    await remove(student, id, { scope: 'this', originalLocal: '2031-03-18T14:00' })
    expect(await startsOf(student, 'S2')).toEqual([
      '2031-03-04T14:00',
      '2031-03-25T14:00',
      '2031-04-01T14:00',
    ])
    // The series moves by an hour, and its exceptions move along.
    await update(student, id, { scope: 'all', startsLocal: '2031-03-04T15:00' })
    expect(await startsOf(student, 'S2 moved')).toEqual(['2031-03-12T11:00'])
    expect(await startsOf(student, 'S2')).toHaveLength(3)
    await remove(student, id)
  })

  test('moves by its own period with changes on successive occurrences', async () => {
    const id = await create({ ...weekly, title: 'S2W' })
    for (const day of ['11', '18'])
      await update(student, id, {
        scope: 'this',
        originalLocal: `2031-03-${day}T14:00`,
        startsLocal: `2031-03-${day}T16:00`,
      })
    const later = await update(student, id, { scope: 'all', startsLocal: '2031-03-11T14:00' })
    expect(later.status).toBe(200)
    expect(await startsOf(student, 'S2W')).toEqual([
      '2031-03-11T14:00',
      '2031-03-18T16:00',
      '2031-03-25T16:00',
      '2031-04-01T14:00',
      '2031-04-08T14:00',
    ])
    const back = await update(student, id, { scope: 'all', startsLocal: '2031-03-04T14:00' })
    expect(back.status).toBe(200)
    expect(await startsOf(student, 'S2W')).toEqual([
      '2031-03-04T14:00',
      '2031-03-11T16:00',
      '2031-03-18T16:00',
      '2031-03-25T14:00',
      '2031-04-01T14:00',
    ])
    await remove(student, id)
  })

  test('is split when this and the following occurrences are changed', async () => {
    const id = await create({ ...weekly, title: 'S3', ...invite('teacher') })
    await teacher(appointments.respond, { params: { id }, body: { answer: 'yes', comment: '' } })
    const cut = await update(student, id, {
      scope: 'following',
      originalLocal: '2031-03-18T14:00',
      startsLocal: '2031-03-18T16:00',
      title: 'S3 late',
    })
    expect(cut.data.id).not.toBe(id)
    expect(cut.data.participants).toMatchObject([{ accountName: 'teacher', answer: 'none' }])
    expect(await startsOf(student, 'S3')).toEqual(['2031-03-04T14:00', '2031-03-11T14:00'])
    const late = ['2031-03-18T16:00', '2031-03-25T16:00', '2031-04-01T16:00']
    expect(await startsOf(student, 'S3 late')).toEqual(late)
    expect(await startsOf(teacher, 'S3 late')).toEqual(late)
    expect((await read(teacher, id))?.answer).toBe('yes')
    await remove(student, cut.data.id, { scope: 'following', originalLocal: '2031-03-25T16:00' })
    expect(await startsOf(student, 'S3 late')).toEqual(['2031-03-18T16:00'])
    await remove(student, cut.data.id, { scope: 'this', originalLocal: '2031-03-18T16:00' })
    expect((await student(schedule.read, { params: { id: cut.data.id } })).status).toBe(404)
    await remove(student, id)
  })

  test('rejects the second of two concurrent changes with 409', async () => {
    const id = await create({ title: 'S4' })
    const change = (title: string) =>
      student(appointments.update, { params: { id }, body: { version: 0, scope: 'all', title } })
    const answers = await Promise.all([change('A'), change('B')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.error).toBe('event.changed_meanwhile')
    await remove(student, id)
  })

  test('keeps its local time across a daylight saving change', async () => {
    const id = await create({
      title: 'London',
      timeZone: 'Europe/London',
      startsLocal: '2031-03-25T09:00',
      rrule: 'FREQ=WEEKLY;COUNT=2',
    })
    const starts = (await on(student, '2031-03-20', '2031-04-10'))
      .filter(({ title }) => title === 'London')
      .map(({ startsAt }) => startsAt)
    expect(starts).toEqual(['2031-03-25T09:00:00.000Z', '2031-04-01T08:00:00.000Z'])
    await remove(student, id)
  })

  test.each([
    [{ rrule: 'FREQ=SECONDLY' }, 'rrule'],
    [{ rrule: 'FREQ=DAILY', startsLocal: '1800-01-01T09:00' }, 'startsLocal'],
    [{ startsLocal: '2201-01-01T09:00' }, 'startsLocal'],
    [{ url: 'http://example.org' }, 'url'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ participants: [{ accountName: 'nobody-there' }] }, 'participants.0'],
    [{ participants: [{ accountName: 'student' }] }, 'participants.0'],
    [{ participants: [{}] }, 'participants.0'],
    [{ participants: [{ email: 'no address' }] }, 'participants.0.email'],
    [{ reminders: [999_999] }, 'reminders.0'],
  ])('rejects invalid input: %j', async (wrong, field) => {
    const answer = await student(appointments.create, {
      body: {
        uid: `appointment-wrong-${++keys}`,
        title: 'x',
        startsLocal: '2031-03-04T14:00',
        minutes: 60,
        ...wrong,
      } as never,
    })
    expect([answer.status, Object.keys(answer.fields ?? {})]).toEqual([400, [field]])
  })

  test('cannot be changed by other members or at a nonexistent occurrence', async () => {
    const id = await create({ ...weekly, title: 'S5', ...invite('teacher') })
    for (const caller of [teacher, staff]) {
      expect((await update(caller, id, { scope: 'all', title: 'x' })).error).toBe('event.not_found')
      expect((await remove(caller, id)).error).toBe('event.not_found')
    }
    const at = { scope: 'this', originalLocal: '2031-03-05T14:00', title: 'x' }
    expect((await update(student, id, at)).fields).toEqual({ originalLocal: '不存在' })
    expect((await update(student, id, { scope: 'this', title: 'x' })).status).toBe(400)
    await remove(student, id)
  })
})

describe('participants', () => {
  test('are notified, see the event and answer, and the organiser is notified', async () => {
    const id = await create({ title: 'Group work', ...invite('Teacher', 'staff') })
    const { list } = (await teacher(messages.list, { query: { pageSize: 10 } })).data
    expect(list).toContainEqual(
      expect.objectContaining({
        title: '林知夏 邀请你参加：Group work',
        titleEn: 'Lin Zhixia invited you: Group work',
      }),
    )
    expect(await on(teacher, '2031-03-04')).toMatchObject([
      { title: 'Group work', answer: 'none', editable: false },
    ])
    expect(await read(teacher, id)).toMatchObject({ answer: 'none', own: false, reminders: [15] })
    const say = (caller: Caller, answer: string, comment = '') =>
      caller(appointments.respond, { params: { id }, body: { answer, comment } as never })
    expect((await say(teacher, 'yes')).data.answer).toBe('yes')
    await say(staff, 'no', '出差')
    expect((await read(student, id))?.participants).toMatchObject([
      { accountName: 'teacher', answer: 'yes' },
      { accountName: 'staff', answer: 'no', comment: '出差' },
    ])
    expect(await titlesOf(student)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/参加：Group work/),
        expect.stringMatching(/不参加：Group work/),
      ]),
    )
    // A declined event is not in the calendar, but can still be read.
    expect(await on(staff, '2031-03-04')).toEqual([])
    expect((await read(staff, id))?.answer).toBe('no')
    expect((await say(student, 'yes')).error).toBe('event.not_invited')
    const outsider = await app.as('admin')
    expect((await say(outsider, 'yes')).error).toBe('event.not_found')
    // When the event moves, accepted answers are reset and participants notified.
    await update(student, id, { scope: 'all', startsLocal: '2031-03-04T16:00' })
    expect((await read(teacher, id))?.answer).toBe('none')
    expect(await titlesOf(teacher)).toContainEqual(expect.stringMatching(/更改了日程：Group work/))
    // A removed participant is notified and can no longer read the event.
    await update(student, id, { scope: 'all', ...invite('staff') })
    expect((await teacher(schedule.read, { params: { id } })).status).toBe(404)
    expect(await titlesOf(teacher)).toContainEqual(expect.stringMatching(/取消了日程：Group work/))
    await remove(student, id)
  })

  test('who do not allow letters are rejected and named in the error', async () => {
    const { db } = app.platform
    const account = await db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'staff')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('privacy_setting')
      .values({ account_id: account.id, letters_allowed: false })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({ letters_allowed: false }),
      )
      .execute()
    const answer = await student(appointments.create, {
      body: {
        uid: `appointment-declined-1`,
        title: 'x',
        startsLocal: '2031-03-04T14:00',
        minutes: 60,
        ...invite('teacher', 'staff'),
      },
    })
    expect([answer.error, Object.keys(answer.fields ?? {})]).toEqual([
      'event.declined',
      ['participants.1'],
    ])
    await db.deleteFrom('privacy_setting').where('account_id', '=', account.id).execute()
  })

  test('outside the portal are stored once per email address', async () => {
    const id = await create({
      title: 'Outside',
      participants: [{ email: 'Guest@Example.org', name: 'Guest' }, { email: 'guest@example.org' }],
    })
    expect((await read(student, id))?.participants).toMatchObject([
      { accountName: '', email: 'guest@example.org', answer: 'none' },
    ])
    await remove(student, id)
  })
})

describe('free and busy', () => {
  const ask = (caller: Caller, more: object = {}) =>
    caller(appointments.freeBusy, {
      query: {
        people: 'student,Teacher',
        from: '2031-06-03',
        to: '2031-06-03',
        timeZone,
        ...more,
      } as never,
    })

  test('returns busy times without titles and suggests times when everybody is free', async () => {
    const mine = await create({
      startsLocal: '2031-06-03T08:00',
      minutes: 240,
      title: 'Hidden title',
    })
    const other = await create({ startsLocal: '2031-06-03T13:00', minutes: 420 }, teacher)
    const free = await create(
      { startsLocal: '2031-06-03T12:00', minutes: 60, busy: false },
      teacher,
    )
    const { data } = await ask(staff)
    expect(data.people.map(({ accountName, known }) => [accountName, known])).toEqual([
      ['student', true],
      ['teacher', true],
    ])
    expect(JSON.stringify(data)).not.toContain('Hidden title')
    expect(data.suggestions).toEqual([
      { startsAt: '2031-06-03T04:00:00.000Z', endsAt: '2031-06-03T05:00:00.000Z' },
    ])
    expect((await ask(staff, { without: other })).data.suggestions.length).toBeGreaterThan(1)
    for (const [caller, id] of [
      [student, mine],
      [teacher, other],
      [teacher, free],
    ] as const)
      await remove(caller, id)
  })

  test('returns nothing about members who hide their busy times', async () => {
    const id = await create({ startsLocal: '2031-06-03T09:00' }, teacher)
    await teacher(calendars.saveSettings, { body: { showBusy: false } })
    const { data } = await ask(student)
    expect(data.people[1]).toMatchObject({ accountName: 'teacher', known: false, busy: [] })
    expect((await ask(teacher)).data.people[1]).toMatchObject({ known: true })
    await teacher(calendars.saveSettings, { body: { showBusy: true } })
    await remove(teacher, id)
  })

  test.each([
    [{ people: '' }, 400],
    [{ people: Array.from({ length: 21 }, (_, at) => `u${at}`).join() }, 400],
    [{ to: '2031-09-30' }, 400],
    [{ to: '2031-06-01' }, 400],
    [{ timeZone: 'Mars/Olympus' }, 400],
    [{ people: 'nobody-there' }, 200],
  ])('%j returns status %d', async (query, status) => {
    expect((await ask(student, query)).status).toBe(status)
  })
})

describe('reminders', () => {
  const due = (id: string) =>
    app.platform.db
      .selectFrom('event_reminder')
      .select(['minutes', 'next_at'])
      .where('event_id', '=', id)
      .orderBy('minutes')
      .execute()

  test('are set per member and move with the event', async () => {
    const id = await create({ title: 'R1', reminders: [10, 60], ...invite('teacher') })
    expect((await read(student, id))?.reminders).toEqual([10, 60])
    expect((await read(teacher, id))?.reminders).toEqual([15])
    await teacher(appointments.setReminders, { params: { id }, body: { reminders: [] } })
    expect((await read(teacher, id))?.reminders).toEqual([])
    expect((await read(student, id))?.reminders).toEqual([10, 60])
    expect(
      (await staff(appointments.setReminders, { params: { id }, body: { reminders: [5] } })).status,
    ).toBe(404)
    expect((await due(id)).map(({ next_at }) => next_at)).toEqual([
      '2031-03-04T05:50:00.000Z',
      '2031-03-04T05:00:00.000Z',
    ])
    await update(student, id, { scope: 'all', startsLocal: '2031-03-04T12:00' })
    expect((await due(id))[0]?.next_at).toBe('2031-03-04T03:50:00.000Z')
    await remove(student, id)
    expect(await due(id)).toEqual([])
  })

  test('are sent once, not to those who declined, and then rescheduled', async () => {
    const start = Temporal.Now.zonedDateTimeISO(timeZone).add({ minutes: 12 }).round('minute')
    const startsLocal = start.toPlainDateTime().toString({ smallestUnit: 'minute' })
    const id = await create({
      title: 'R2',
      location: '信息楼 B402',
      startsLocal,
      rrule: 'FREQ=DAILY;COUNT=2',
      reminders: [10],
      ...invite('teacher', 'staff'),
    })
    await staff(appointments.respond, { params: { id }, body: { answer: 'no', comment: '' } })
    await app.platform.db
      .updateTable('event_reminder')
      .set({ minutes: 10 })
      .where('event_id', '=', id)
      .execute()
    // Moves the event so that its reminder is due two minutes ago.
    await sql`update event_occurrence set starts_at = starts_at - interval '3 minutes', ends_at = ends_at - interval '3 minutes' where event_id = ${id}`.execute(
      app.platform.db,
    )
    await sql`update event_reminder set next_at = (select min(starts_at) from event_occurrence where event_id = ${id}) - interval '10 minutes' where event_id = ${id}`.execute(
      app.platform.db,
    )
    await Promise.all(
      [1, 2].map(() => app.platform.db.transaction().execute((db) => remind(db, app.platform.log))),
    )
    const reminderCount = async (caller: Caller) =>
      (await titlesOf(caller)).filter((title) => title === '日程提醒：R2').length
    expect([
      await reminderCount(student),
      await reminderCount(teacher),
      await reminderCount(staff),
    ]).toEqual([1, 1, 0])
    const { list } = (await student(messages.list, { query: { pageSize: 10 } })).data
    expect(list.find(({ title }) => title === '日程提醒：R2')).toMatchObject({
      summary: expect.stringContaining(' · 信息楼 B402'),
      summaryEn: expect.stringContaining(' · Information Building, B402'),
    })
    expect(
      (await due(id)).every(({ next_at }) => next_at !== null && Date.parse(next_at) > Date.now()),
    ).toBe(true)
    await remove(student, id)
  })
})

describe('event details', () => {
  test('category and colour are kept when a series is split', async () => {
    const id = await create({
      ...weekly,
      title: 'C1',
      startsLocal: '2031-05-06T14:00',
      category: ' Exam ',
      categoryColor: 'orange',
    })
    expect(await read(student, id)).toMatchObject({
      category: 'Exam',
      categoryColor: 'orange',
      color: 'orange',
    })
    expect((await on(student, '2031-05-06')).map(({ color }) => color)).toEqual(['orange'])
    const cut = await update(student, id, {
      scope: 'following',
      originalLocal: '2031-05-20T14:00',
      title: 'C2',
    })
    expect(cut.data).toMatchObject({ category: 'Exam', categoryColor: 'orange' })
    await update(student, id, { category: '', categoryColor: null })
    expect(await read(student, id)).toMatchObject({ category: '', categoryColor: null })
    expect((await read(student, id)).color).not.toBe('orange')
  })

  test('only the member’s own files can be attached, and participants see them', async () => {
    const { db, files } = app.platform
    const file = async (owner: string) => {
      const about = { mediaType: 'text/plain', isPublic: false }
      const id = await files.keep(db, Buffer.from(`plan of ${owner}`), about)
      await sql`insert into file_owner (file_id, account_id)
        select ${id}::bigint, id from account where username = ${owner}`.execute(db)
      return id
    }
    const [own, other] = [await file('student'), await file('staff')]
    const refused = await student(appointments.create, {
      body: {
        uid: `appointment-test-${++keys}`,
        title: 'F0',
        startsLocal: '2031-05-07T14:00',
        minutes: 60,
        files: [{ id: other, name: 'theirs.txt' }],
      },
    })
    expect(refused).toMatchObject({ status: 400, fields: { 'files.0': '不存在' } })
    const id = await create({
      title: 'F1',
      startsLocal: '2031-05-07T14:00',
      files: [{ id: own, name: 'plan.txt' }],
      ...invite('teacher'),
    })
    const shown = (await read(teacher, id)).files
    expect(shown).toMatchObject([{ id: own, name: 'plan.txt', mediaType: 'text/plain', size: 15 }])
    // The URL is signed for viewers of the event; the id alone gives no access.
    const address = shown[0]?.url ?? ''
    expect(await app.app.inject(address)).toMatchObject({
      statusCode: 200,
      body: 'plan of student',
    })
    for (const unsigned of [address.split('?')[0] ?? '', address.replace(own, other)])
      expect((await app.app.inject(unsigned)).statusCode, unsigned).toBe(404)
    expect((await staff(schedule.read, { params: { id } })).status).toBe(404)
    // The file was deleted from the member's list, but stays with the event.
    await sql`delete from file_owner where file_id = ${own}`.execute(db)
    const renamed = await update(student, id, { files: [{ id: own, name: 'plan 2.txt' }] })
    expect(renamed.data.files).toMatchObject([{ name: 'plan 2.txt' }])
    expect((await update(student, id, { files: [] })).data.files).toEqual([])
  })
})
