import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { letterConsole, letters } from '@atrium/contract/content/mailbox'
import { news } from '@atrium/contract/content/news'
import { workbench } from '@atrium/contract/content/workbench.operator'
import { evaluations } from '@atrium/contract/services/evaluation'
import { health, serviceHealth } from '@atrium/contract/services/health'
import { catalogue } from '@atrium/contract/services/service-catalogue.operator'
import {
  departmentCalendars,
  departmentEvents,
} from '@atrium/contract/work/department-calendars.operator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let admin: Caller
let student: Caller
/** responsible for everything in one school, and nothing in the other */
let school: Caller
/** responsible for the other school's articles only */
let other: Caller

const everybody = [{ kind: 'everybody' }]
const organizationId = async (code: string) =>
  (
    await app.platform.db
      .selectFrom('organization')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
  ).id

beforeAll(async () => {
  app = await testApp()
  const { db, topics } = app.platform
  const accountOf = async (username: string) =>
    (await findAccountByUsername(db, username))?.id ?? ''
  await insertGrants(
    db,
    await accountOf('teacher'),
    ['content', 'services', 'messages'],
    await organizationId('CS'),
  )
  await insertGrants(db, await accountOf('staff'), ['content'], await organizationId('EE'))
  await topics.flushed()
  admin = await app.as('admin')
  student = await app.as('student')
  school = await app.as('teacher')
  other = await app.as('staff')
})

const partOf = async (who: Caller, name: string, department?: string) => {
  const { data, raw } = await who(workbench.read, { query: { ...(department && { department }) } })
  const part = data?.parts.find(({ part }) => part === name)
  if (!part) throw new Error(`no ${name} in ${raw}`)
  return part
}
const inCs = { query: { department: 'CS' } }

describe('the workbench', () => {
  test('is available to operators only and shows the parts they have permissions for', async () => {
    expect((await app.visitor(workbench.read)).status).toBe(401)
    expect(await student(workbench.read)).toMatchObject({ status: 403, error: 'session.forbidden' })
    const own = await school(workbench.read)
    expect(own.data).toMatchObject({
      whole: false,
      department: null,
      permissions: ['content', 'services', 'messages'],
      departments: [{ code: 'CS' }],
    })
    expect((await other(workbench.read)).data.parts.map(({ part }) => part)).toEqual([
      'articles',
      'announcements',
      'confirmations',
      'events',
    ])
    const all = await admin(workbench.read)
    expect(all.data.whole).toBe(true)
    expect(all.data.departments.length).toBeGreaterThan(0)
    expect(
      all.data.parts.every(({ failed }) => !failed),
      all.raw,
    ).toBe(true)
  })

  test('of another or unknown department is not found', async () => {
    for (const department of ['EE', 'NOWHERE'])
      expect(await school(workbench.read, { query: { department } })).toMatchObject({
        status: 404,
        error: 'workbench.department_not_found',
      })
    const { data } = await school(workbench.read, { query: { department: 'CS01' } })
    expect(data.department?.code).toBe('CS01')
  })

  test('shows the same counts as the lists', async () => {
    const column = (
      await school(newsConsole.createColumn, {
        body: { code: 'cs-desk', name: '学院', organization: 'CS', audience: everybody },
      })
    ).data
    const made = (
      await school(newsConsole.create, { body: { columnId: column.id, title: '待审的文章' } })
    ).data
    const at = { params: { id: made.id }, body: { revision: made.revision } }
    await school(newsConsole.submit, at)
    const reviews = await partOf(school, 'articles')
    const { data } = await school(newsConsole.list, { query: { kind: 'article', state: 'review' } })
    expect(reviews.count).toBe(data.list.length)
    expect(reviews.list[0]).toMatchObject({ id: made.id, title: '待审的文章', note: '学院' })
    expect((await partOf(other, 'articles')).list.map(({ id }) => id)).not.toContain(made.id)

    const box = (
      await school(letterConsole.createMailbox, {
        body: { name: '院长信箱', organization: 'CS', audience: everybody },
      })
    ).data
    await student(letters.send, {
      body: { mailboxId: box.id, title: '自习室的灯', content: '三楼的灯坏了。' },
    })
    expect((await partOf(school, 'letters')).count).toBe(1)
    const waiting = await school(letterConsole.list, {
      query: { state: 'waiting', department: 'CS' },
    })
    expect(waiting.data.list).toHaveLength(1)

    const every = await partOf(admin, 'opinions')
    let held = 0
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: object = { pageSize: 200, ...(cursor && { cursor }) }
      const { data } = await admin(evaluations.waiting, { query })
      held += data.list.length
      cursor = data.nextCursor
    }
    expect(every.count).toBe(held)
    const trouble = await partOf(admin, 'services')
    expect(trouble.count).toBe((await admin(serviceHealth.list, { query: {} })).data.total)
  })

  test('shows no service of other departments, even if members report that it fails', async () => {
    const { data } = await admin(catalogue.list, { query: { pageSize: 200 } })
    const ofOthers = data.list.find(
      ({ organizationCode, online }) => online && !organizationCode?.startsWith('CS'),
    )
    const seen = await student(health.report, { body: { serviceId: ofOthers?.serviceId } })
    expect(seen.status, seen.raw).toBe(200)
    const list = await school(serviceHealth.list, inCs)
    expect(list.data.list.map(({ serviceId }) => serviceId)).not.toContain(ofOthers?.serviceId)
  })

  test('marks a part that failed and shows the others', async () => {
    const { db } = app.platform
    await sql`alter table letter rename to letter_away`.execute(db)
    const { status, data } = await school(workbench.read)
    await sql`alter table letter_away rename to letter`.execute(db)
    expect(status).toBe(200)
    expect(data.parts.filter(({ failed }) => failed).map(({ part }) => part)).toEqual(['letters'])
    expect(data.parts.find(({ part }) => part === 'articles')?.count).toBeGreaterThan(0)
  })

  test('finds content of the department but not of others', async () => {
    const find = async (who: Caller, keyWords: string) =>
      (await who(workbench.find, { query: { keyWords } })).data.groups
    expect(await find(school, '自习室')).toMatchObject([
      { kind: 'letter', list: [{ note: '院长信箱' }] },
    ])
    expect(await find(school, '待审的文章')).toMatchObject([{ kind: 'article', more: false }])
    expect(await find(other, '待审的文章')).toEqual([])
    expect(await find(other, '自习室')).toEqual([])
    expect((await student(workbench.find, { query: { keyWords: '自习室' } })).status).toBe(403)
  })

  test('lists the departments and identity types that can be an audience', async () => {
    const { data } = await school(workbench.audiences, { query: { targets: 'EE,NOBODY' } })
    expect(data.departments).toMatchObject([{ code: 'CS' }])
    expect(data.identityTypes.length).toBeGreaterThan(2)
    expect(data.names).toMatchObject([{ kind: 'organization', code: 'EE' }])
    expect((await student(workbench.audiences)).status).toBe(403)
  })
})

describe('the columns of a department', () => {
  test('can be disabled for readers and enabled again with the same audience', async () => {
    const { data } = await school(newsConsole.createColumn, {
      body: { code: 'cs-off', name: '停用的栏目', organization: 'CS', audience: everybody },
    })
    const fields = { name: '停用的栏目', organization: 'CS', audience: everybody }
    const shown = async () =>
      (await student(news.columns)).data.some(({ columnCode }) => columnCode === 'cs-off')
    expect(await shown()).toBe(true)
    const params = { id: data.id }
    const off = await school(newsConsole.updateColumn, {
      params,
      body: { ...fields, enabled: false },
    })
    expect(off.data).toMatchObject({ enabled: false, audience: [{ kind: 'everybody' }] })
    expect(await shown()).toBe(false)
    const list = await student(news.list, { query: { columnCode: 'cs-off' } })
    expect(list.error).toBe('news.column_not_found')
    expect((await school(newsConsole.updateColumn, { params, body: fields })).data.enabled).toBe(
      true,
    )
    expect(await shown()).toBe(true)
    const stranger = await other(newsConsole.updateColumn, { params, body: fields })
    expect(stranger.error).toBe('news.column_not_found')
  })

  test('can be reordered, but not by another department', async () => {
    const own = (await school(newsConsole.columns, inCs)).data.map(({ id }) => id)
    const turned = own.toReversed()
    const { data } = await school(newsConsole.arrangeColumns, { body: { ids: turned } })
    expect(data.map(({ id }) => id)).toEqual(turned)
    expect((await other(newsConsole.arrangeColumns, { body: { ids: turned } })).error).toBe(
      'news.column_not_found',
    )
  })

  test('list their editors, but not those of other departments', async () => {
    const { data } = await school(newsConsole.editors, inCs)
    expect(data).toContainEqual(expect.objectContaining({ name: '周明远', organization: 'CS' }))
    expect(data.some(({ organization }) => organization === 'EE')).toBe(false)
    expect((await school(newsConsole.editors, { query: { department: 'EE' } })).error).toBe(
      'workbench.department_not_found',
    )
  })
})

describe('weekly events', () => {
  test('are counted for their own department only, and can be found', async () => {
    const calendar = await school(departmentCalendars.create, {
      body: {
        key: 'week-calendar',
        organization: 'CS',
        name: '学院活动',
        color: 'green',
        audience: everybody,
      },
    })
    expect(calendar.status, calendar.raw).toBe(200)
    // In the institution's zone; it ends with the day, so that it is still upcoming.
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    await school(departmentEvents.create, {
      body: {
        uid: 'week-event-0000001',
        calendarId: calendar.data.id,
        title: '学术报告',
        startsLocal: `${today}T00:00`,
        minutes: 1440,
        allDay: true,
        timeZone: 'Asia/Shanghai',
      },
    })
    const part = await partOf(school, 'events')
    expect(part).toMatchObject({ count: 1, list: [{ title: '学术报告', allDay: true }] })
    expect((await partOf(other, 'events')).count).toBe(0)
    expect(
      (await school(workbench.find, { query: { keyWords: '学术' } })).data.groups,
    ).toMatchObject([{ kind: 'event', list: [{ title: '学术报告', note: '学院活动' }] }])
  })
})

describe('the system permission', () => {
  test('alone shows no departments and no parts', async () => {
    const { db, topics } = app.platform
    const id = (await findAccountByUsername(db, 'student'))?.id ?? ''
    await insertGrants(db, id, ['system'], null)
    await topics.flushed()
    const { data } = await (await app.as('student'))(workbench.read)
    expect(data).toMatchObject({
      permissions: ['system'],
      whole: false,
      departments: [],
      parts: [],
    })
    expect((await admin(workbench.read)).data.permissions).toContain('system')
  })
})
