import { audit } from '@atrium/contract/identity/operators.operator'
import { appointments } from '@atrium/contract/work/appointments'
import { calendars } from '@atrium/contract/work/calendars'
import {
  departmentCalendars,
  departmentEvents,
} from '@atrium/contract/work/department-calendars.operator'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let admin: Caller
let school: Caller
let other: Caller
let student: Caller
let calendarId: string

const fields = {
  name: '学术活动',
  nameEn: 'Talks',
  color: 'teal',
  audience: [{ kind: 'everybody' }],
  shownToAll: true,
}
const event = {
  title: '人工智能前沿报告',
  titleEn: 'Frontiers of AI',
  startsLocal: '2027-03-01T14:00',
  minutes: 90,
  timeZone: 'Asia/Shanghai',
  location: '报告厅',
}
let uids = 0
const create = (caller: Caller, more: object = {}) =>
  caller(departmentEvents.create, {
    body: { uid: `department-event-${++uids}`, calendarId, ...event, ...more },
  })
const march = { from: '2027-03-01', to: '2027-03-31', timeZone: 'Asia/Shanghai' }

beforeAll(async () => {
  app = await testApp()
  const { db, topics } = app.platform
  for (const [username, code] of [
    ['teacher', 'CS'],
    ['staff', 'EE'],
  ] as const) {
    const account = await findAccountByUsername(db, username)
    const place = await db
      .selectFrom('organization')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
    await insertGrants(db, account?.id ?? '', ['content'], place.id)
  }
  await topics.flushed()
  admin = await app.as('admin')
  school = await app.as('teacher')
  other = await app.as('staff')
  student = await app.as('student')
  const created = await school(departmentCalendars.create, {
    body: { key: 'talks-of-cs', organization: 'CS', ...fields },
  })
  expect(created, created.raw).toMatchObject({
    status: 200,
    data: { name: '学术活动', organization: 'CS', events: 0, revision: 1 },
  })
  calendarId = created.data.id
})

describe('a department calendar', () => {
  test('is created once per key, only for the caller’s department', async () => {
    const again = await school(departmentCalendars.create, {
      body: { key: 'talks-of-cs', organization: 'CS', ...fields },
    })
    expect(again.data.id).toBe(calendarId)
    const elsewhere = await school(departmentCalendars.create, {
      body: { key: 'talks-of-ee', organization: 'EE', ...fields },
    })
    expect(elsewhere).toMatchObject({ status: 400, error: 'request.invalid' })
  })

  test('is listed for its audience and managed only by its department', async () => {
    expect((await student(calendars.list)).data).toContainEqual(
      expect.objectContaining({ id: calendarId, kind: 'public', subscribed: true, mine: false }),
    )
    expect((await other(departmentCalendars.list)).data).toEqual([])
    expect((await school(departmentCalendars.list)).data.map(({ id }) => id)).toEqual([calendarId])
    expect((await student(departmentCalendars.list)).status).toBe(403)
    expect((await app.visitor(departmentCalendars.list)).status).toBe(401)
    expect((await school(departmentCalendars.list, { query: { department: 'EE' } })).error).toBe(
      'workbench.department_not_found',
    )
  })

  test('is changed only by its department and with the current revision', async () => {
    const params = { id: calendarId }
    const body = { ...fields, revision: 1, name: '学术报告', color: 'violet' }
    expect((await other(departmentCalendars.update, { params, body })).error).toBe(
      'calendar.not_found',
    )
    const changed = await school(departmentCalendars.update, { params, body })
    expect(changed.data).toMatchObject({ name: '学术报告', color: 'violet', revision: 2 })
    expect((await school(departmentCalendars.update, { params, body })).error).toBe(
      'calendar.changed_meanwhile',
    )
    const nobody = { ...body, revision: 2, audience: [{ kind: 'organization', target: 'NOPE' }] }
    expect((await school(departmentCalendars.update, { params, body: nobody })).fields).toEqual({
      'audience.0.target': expect.any(String),
    })
  })

  test('can be written by its editors until the department removes them', async () => {
    const created = await school(departmentCalendars.create, {
      body: { key: 'with-editors', organization: 'CS', ...fields },
    })
    const calendarId = created.data.id
    const uid = 'written-by-an-editor'
    const event = { uid, calendarId, title: '读书会', startsLocal: '2031-05-08T15:00', minutes: 60 }
    const write = () => student(appointments.create, { body: event })
    expect((await write()).error).toBe('calendar.not_found')
    const change = async (more: object) => {
      const now = (await school(departmentCalendars.list)).data.find(({ id }) => id === calendarId)
      return school(departmentCalendars.update, {
        params: { id: calendarId },
        body: { ...fields, revision: now?.revision ?? 0, ...more },
      })
    }
    expect(await change({ editors: ['nobody-at-all'] })).toMatchObject({
      status: 400,
      fields: { 'editors.0': expect.any(String) },
    })
    const named = await change({ editors: ['student'] })
    expect(named.data.editors).toMatchObject([{ accountName: 'student' }])
    expect((await student(calendars.own)).data.map(({ id }) => id)).toContain(calendarId)
    const { id } = (await write()).data
    const read = await student(schedule.read, { params: { id } })
    expect(read.data).toMatchObject({ editable: true, person: named.data.organizationName })
    // Fields that are left out are unchanged.
    expect((await change({})).data.editors).toMatchObject([{ accountName: 'student' }])
    await student(appointments.remove, { params: { id } })
    await change({ editors: [] })
    expect((await write()).error).toBe('calendar.not_found')
    const { revision } = (await change({})).data
    await school(departmentCalendars.remove, { params: { id: calendarId }, query: { revision } })
  })

  test('is deleted with its events', async () => {
    const created = await school(departmentCalendars.create, {
      body: { key: 'short-lived', organization: 'CS', ...fields },
    })
    const { id, revision } = created.data
    const { data } = await create(school, { calendarId: id })
    const remove = { params: { id }, query: { revision } }
    expect((await other(departmentCalendars.remove, remove)).error).toBe('calendar.not_found')
    expect((await school(departmentCalendars.remove, remove)).status).toBe(200)
    expect((await school(departmentEvents.read, { params: { id: data.id } })).error).toBe(
      'event.not_found',
    )
  })
})

describe('events of a department calendar', () => {
  test('are created, shown under the department’s name, changed and deleted', async () => {
    const { data, raw } = await create(school)
    expect(data, raw).not.toBeNull()
    const params = { id: data.id }
    const own = await school(departmentEvents.read, { params })
    expect(own.data).toMatchObject({
      titleEn: 'Frontiers of AI',
      editable: true,
      organization: 'CS',
      reminders: [],
    })
    expect(own.data.writtenBy).not.toBe('')
    const member = await student(schedule.read, { params })
    expect(member.data).toMatchObject({ title: event.title, editable: false })
    expect(member.data.person).toContain('计算机')
    const days = await student(schedule.events, { query: march })
    expect(days.data.list.map(({ id }) => id)).toContain(data.id)

    const change = { params, body: { version: own.data.version, title: '改期的报告', titleEn: '' } }
    expect((await student(appointments.update, change)).error).toBe('event.not_found')
    expect((await school(appointments.update, change)).error).toBe('event.not_found')
    expect((await other(departmentEvents.update, change)).error).toBe('event.not_found')
    const changed = await school(departmentEvents.update, change)
    expect(changed.data, changed.raw).toMatchObject({ title: '改期的报告', titleEn: '' })
    expect((await school(departmentEvents.update, change)).error).toBe('event.changed_meanwhile')

    expect((await other(departmentEvents.remove, { params })).error).toBe('event.not_found')
    expect((await other(departmentEvents.read, { params })).error).toBe('event.not_found')
    expect((await school(departmentEvents.remove, { params })).status).toBe(200)
    expect((await student(schedule.read, { params })).error).toBe('event.not_found')
    const log = await admin(audit.list, { query: { action: 'calendar-events' } })
    expect(log.raw).toContain('DELETE')
  })

  test('cannot be added to another department’s or a member’s own calendar', async () => {
    expect((await create(other)).error).toBe('calendar.not_found')
    const [own] = (await school(calendars.own)).data
    expect(own?.id).not.toBe(calendarId)
    expect((await create(school, { calendarId: own?.id ?? '1' })).error).toBe('calendar.not_found')
    expect((await create(student)).status).toBe(403)
    const mine = await school(appointments.create, {
      body: { uid: 'a-members-own-event', ...event, titleEn: undefined, calendarId },
    })
    expect(mine.error).toBe('calendar.not_found')
  })

  test('can repeat, and one occurrence can be renamed in one language', async () => {
    const { data } = await create(school, { rrule: 'FREQ=WEEKLY;COUNT=4' })
    const list = async () =>
      (await school(departmentEvents.list, { query: march })).data.list.filter(
        ({ id }) => id === data.id,
      )
    expect(await list()).toHaveLength(4)
    const changed = await school(departmentEvents.update, {
      params: { id: data.id },
      body: {
        version: 0,
        scope: 'this',
        originalLocal: '2027-03-08T14:00',
        title: '特邀报告',
      },
    })
    expect(changed.status, changed.raw).toBe(200)
    expect((await list()).map(({ title, titleEn }) => [title, titleEn])).toEqual([
      [event.title, 'Frontiers of AI'],
      ['特邀报告', ''],
      [event.title, 'Frontiers of AI'],
      [event.title, 'Frontiers of AI'],
    ])
    expect((await other(departmentEvents.list, { query: march })).data.list).toEqual([])
    const long = { from: '2027-01-01', to: '2027-12-31' }
    expect((await school(departmentEvents.list, { query: long })).error).toBe(
      'event.range_too_long',
    )
  })

  test('can be moved to another department’s calendar only by operators of both', async () => {
    const foreign = await other(departmentCalendars.create, {
      body: { key: 'talks-of-ee', organization: 'EE', ...fields },
    })
    const { data } = await create(school)
    const move = {
      params: { id: data.id },
      body: { version: 0, calendarId: foreign.data.id },
    }
    expect((await school(departmentEvents.update, move)).error).toBe('calendar.not_found')
    const moved = await admin(departmentEvents.update, move)
    expect(moved.data, moved.raw).toMatchObject({ organization: 'EE' })
    expect(moved.data.person).toContain('电子')
    expect((await school(departmentEvents.read, { params: move.params })).error).toBe(
      'event.not_found',
    )
  })

  test('invite members in the name of the department', async () => {
    const { data, raw } = await create(school, { participants: [{ accountName: 'student' }] })
    expect(data, raw).not.toBeNull()
    const answer = { params: { id: data.id }, body: { answer: 'yes', comment: '' } }
    expect((await student(appointments.respond, answer)).status).toBe(200)
    const { participants } = (await school(departmentEvents.read, { params: { id: data.id } })).data
    expect(participants).toMatchObject([{ accountName: 'student', answer: 'yes' }])
    const inbox = await student(messages.list, { query: { pageSize: 5 } })
    expect(inbox.raw).toContain('邀请你参加')
    expect(inbox.raw).toMatch(/计算机[^"]*邀请你参加/)
  })
})
