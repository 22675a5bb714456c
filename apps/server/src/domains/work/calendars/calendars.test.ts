import { appointments } from '@atrium/contract/work/appointments'
import { calendars, maxCalendars } from '@atrium/contract/work/calendars'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { beforeAll, expect, test } from 'vitest'
import { audienceFor } from '#platform/audience.ts'
import { type Caller, testApp } from '../../../../test/test-app.ts'

let student: Caller
let teacher: Caller
let staff: Caller
beforeAll(async () => {
  const app = await testApp()
  ;[student, teacher, staff] = await Promise.all([
    app.as('student'),
    app.as('teacher'),
    app.as('staff'),
  ])
})

let keys = 0
const make = async (caller: Caller, name = 'Choir') =>
  (await caller(calendars.create, { body: { key: `calendar-${++keys}`, name, color: 'green' } }))
    .data.calendar
const list = async (caller: Caller) => (await caller(calendars.list)).data
const find = async (caller: Caller, id: string) => (await list(caller)).find((one) => one.id === id)
const update = (caller: Caller, id: string, body: object) =>
  caller(calendars.update, { params: { id }, body: body as never })
async function addEvent(
  caller: Caller,
  calendarId: string,
  startsLocal: string,
  title = 'Rehearsal',
) {
  const uid = `calendar-test-${++keys}-event`
  const { data } = await caller(appointments.create, {
    body: { uid, calendarId, title, startsLocal, minutes: 60, timeZone: 'Asia/Shanghai' },
  })
  return data?.id ?? ''
}
const on = async (caller: Caller, day: string) =>
  (await caller(schedule.events, { query: { from: day, to: day } })).data.list

test('a member’s calendar order does not affect other members', async () => {
  const [one, two] = [await make(staff, 'One'), await make(staff, 'Two')]
  const hidden = await make(teacher, 'Theirs')
  const before = (await list(teacher)).map(({ id }) => id)
  const ids = [two.id, one.id, hidden.id]
  expect((await staff(calendars.arrange, { body: { ids } })).status).toBe(200)
  expect((await list(staff)).slice(0, 2).map(({ name }) => name)).toEqual(['Two', 'One'])
  expect(await find(staff, hidden.id)).toBeUndefined()
  expect((await list(teacher)).map(({ id }) => id)).toEqual(before)
  expect((await staff(calendars.arrange, { body: { ids: [one.id, one.id] } })).status).toBe(400)
  await staff(calendars.arrange, { body: { ids: [] } })
  for (const { id } of [one, two]) await staff(calendars.remove, { params: { id } })
})

test('a calendar is created once per key, and only its owner can change or delete it', async () => {
  const body = { key: 'the-same-key', name: ' Lab ', color: 'teal' as const }
  const created = await Promise.all([1, 2, 3].map(() => student(calendars.create, { body })))
  const ids = new Set(created.map(({ data }) => data.calendar.id))
  expect(ids.size).toBe(1)
  const [id = ''] = ids
  expect(await find(student, id)).toMatchObject({ name: 'Lab', mine: true, removable: true })
  expect(await find(teacher, id)).toBeUndefined()
  for (const answer of [
    await teacher(calendars.read, { params: { id } }),
    await update(teacher, id, { name: 'Mine' }),
    await teacher(calendars.remove, { params: { id } }),
    await teacher(calendars.subscribe, { params: { id } }),
  ])
    expect(answer).toMatchObject({ status: 404, error: 'calendar.not_found' })
  expect(
    (await update(student, id, { name: 'Lab 2', color: 'amber' })).data.calendar,
  ).toMatchObject({
    name: 'Lab 2',
    color: 'amber',
  })
  await addEvent(student, id, '2031-05-01T09:00')
  expect((await student(calendars.read, { params: { id } })).data.events).toBe(1)
  expect((await student(calendars.remove, { params: { id } })).status).toBe(200)
  expect(await on(student, '2031-05-01')).toEqual([])
})

test('a hidden calendar’s events are returned only if it is requested or shown again', async () => {
  const { id } = await make(student)
  await addEvent(student, id, '2031-05-02T09:00')
  await update(student, id, { shown: false })
  expect(await find(student, id)).toMatchObject({ shown: false })
  expect(await on(student, '2031-05-02')).toEqual([])
  const query = { from: '2031-05-02', to: '2031-05-02', calendarIds: id }
  expect((await student(schedule.events, { query })).data.list).toHaveLength(1)
  await update(student, id, { shown: true })
  expect(await on(student, '2031-05-02')).toHaveLength(1)
})

test('new events go into the default calendar, which cannot be deleted', async () => {
  const { id } = await make(teacher)
  await update(teacher, id, { isDefault: true })
  const uid = `calendar-test-default-1`
  const { data } = await teacher(appointments.create, {
    body: { uid, title: 'x', startsLocal: '2031-05-03T09:00', minutes: 30 },
  })
  expect((await teacher(schedule.read, { params: { id: data.id } })).data.calendarId).toBe(id)
  expect((await teacher(calendars.remove, { params: { id } })).error).toBe('calendar.needed')
  expect((await list(teacher)).filter(({ isDefault }) => isDefault).map((one) => one.id)).toEqual([
    id,
  ])
  // A calendar the member may only read is no default.
  const course = (await list(teacher)).find(({ kind }) => kind === 'course')
  expect((await update(teacher, course?.id ?? '', { isDefault: true })).fields).toEqual({
    isDefault: '不在可选值中',
  })
})

test('new events go into an own calendar when the default one is no longer writable', async () => {
  const { id } = await make(student, 'Society')
  const share = (access?: 'write' | 'read') =>
    update(student, id, { shares: access ? [{ accountName: 'staff', access }] : [] })
  await share('write')
  await update(staff, id, { isDefault: true })
  const create = async () => {
    const { data } = await staff(appointments.create, {
      body: {
        uid: `calendar-test-${++keys}-event`,
        title: 'x',
        startsLocal: '2031-05-05T09:00',
        minutes: 30,
      },
    })
    return (await staff(schedule.read, { params: { id: data.id } })).data.calendarId
  }
  const defaults = async () =>
    (await list(staff)).filter(({ isDefault }) => isDefault).map((calendar) => calendar.id)
  expect(await create()).toBe(id)
  for (const access of ['read', undefined] as const) {
    await share(access)
    const own = await create()
    expect(await find(staff, own)).toMatchObject({ mine: true })
    expect(await defaults()).toEqual([own])
  }
  const asked = { uid: 'calendar-test-asked', title: 'x', startsLocal: '2031-05-05T09:00' }
  expect(
    await staff(appointments.create, { body: { ...asked, minutes: 30, calendarId: id } }),
  ).toMatchObject({ status: 404, error: 'calendar.not_found' })
  await share('write')
  expect(await create()).toBe(id)
  expect(await defaults()).toEqual([id])
  await student(calendars.remove, { params: { id } })
})

test('a shared calendar grants busy, read or write access as its owner sets it', async () => {
  const { id } = await make(student, 'Club')
  const event = await addEvent(student, id, '2031-05-04T09:00', 'Secret')
  expect(
    (await update(student, id, { shares: [{ accountName: 'nobody', access: 'read' }] })).fields,
  ).toEqual({ 'shares.0': '不存在' })
  await update(student, id, {
    shares: [
      { accountName: 'Teacher', access: 'busy' },
      { accountName: 'staff', access: 'read' },
    ],
  })
  const told = (await teacher(messages.list, { query: { pageSize: 5 } })).data.list
  expect(told.map(({ title }) => title)).toContainEqual(expect.stringMatching(/共享了日历：Club/))
  // Access `busy`: no title, and no detail.
  expect(await on(teacher, '2031-05-04')).toMatchObject([
    { title: '忙碌', location: '', editable: false },
  ])
  expect((await teacher(schedule.read, { params: { id: event } })).status).toBe(404)
  // Access `read`: all details, but no changes.
  expect(await on(staff, '2031-05-04')).toMatchObject([{ title: 'Secret', editable: false }])
  const change = { version: 0, scope: 'all' as const, title: 'y' }
  expect((await staff(appointments.update, { params: { id: event }, body: change })).status).toBe(
    404,
  )
  expect((await staff(appointments.remove, { params: { id: event }, query: {} })).status).toBe(404)
  expect(await addEvent(staff, id, '2031-05-04T11:00')).toBe('')
  // Access `write`.
  await update(student, id, { shares: [{ accountName: 'staff', access: 'write' }] })
  expect(await on(teacher, '2031-05-04')).toEqual([])
  expect(
    (await staff(appointments.update, { params: { id: event }, body: change })).data.title,
  ).toBe('y')
  expect(await addEvent(staff, id, '2031-05-04T11:00')).not.toBe('')
  // Only the owner sees and changes shares.
  expect((await staff(calendars.read, { params: { id } })).data.shares).toEqual([])
  expect((await update(staff, id, { shares: [] })).status).toBe(404)
  // A member can leave a shared calendar.
  expect((await staff(calendars.remove, { params: { id } })).status).toBe(200)
  expect(await on(staff, '2031-05-04')).toEqual([])
  expect(await on(student, '2031-05-04')).toHaveLength(2)
})

test('a public calendar is offered to its audience only, a private or unknown one to nobody', async () => {
  const all = await list(student)
  const [open] = all.filter(({ optional }) => optional)
  if (!open) throw new Error('the demo has a public calendar')
  const before = open.subscribed
  const call = before ? calendars.unsubscribe : calendars.subscribe
  expect((await student(call, { params: { id: open.id } })).data.subscribed).toBe(!before)
  expect((await find(student, open.id))?.subscribed).toBe(!before)
  expect((await student(calendars.subscribe, { params: { id: '99999999' } })).status).toBe(404)
  const { id: own } = await make(student)
  expect((await student(calendars.subscribe, { params: { id: own } })).status).toBe(404)

  const { db, topics } = (await testApp()).platform
  const restricted = await audienceFor(db, [{ effect: 'include', kind: 'identity', target: 'T01' }])
  await db
    .updateTable('calendar')
    .set({ audience_id: restricted })
    .where('id', '=', open.id)
    .execute()
  await topics.flushed()
  expect(await find(student, open.id)).toBeUndefined()
  expect((await student(calendars.subscribe, { params: { id: open.id } })).status).toBe(404)
  expect(await find(teacher, open.id)).toMatchObject({ optional: true })
})

test('omitted settings stay unchanged, and invalid ones are rejected', async () => {
  const save = (body: object) => staff(calendars.saveSettings, { body: body as never })
  await save({ timeZone: 'Europe/London', reminders: [5, 60] })
  expect((await save({ showBusy: false })).data).toMatchObject({
    timeZone: 'Europe/London',
    reminders: [5, 60],
    allDayReminders: [-540],
    showBusy: false,
  })
  expect((await save({ timeZone: 'Mars/Olympus' })).fields).toHaveProperty('timeZone')
  expect((await save({ reminders: [-1] })).status).toBe(400)
  expect((await save({ reminders: [1, 2, 3, 4, 5, 6] })).status).toBe(400)
  expect((await save({ timeZone: '', showBusy: true })).data.timeZone).toBe('Asia/Shanghai')
})

test('the number of calendars per member is limited', async () => {
  let last = 200
  for (let at = 0; at <= maxCalendars && last === 200; at++)
    last = (
      await staff(calendars.create, {
        body: { key: `calendar-many-${at}`, name: `N${at}`, color: 'blue' },
      })
    ).status
  expect(last).toBe(409)
})
