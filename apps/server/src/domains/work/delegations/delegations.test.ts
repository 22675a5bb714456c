import { applications } from '@atrium/contract/work/applications'
import { delegationRules, delegations } from '@atrium/contract/work/delegations'
import { tasks } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { activateDelegations, endExpired } from './delegations.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  ;[student, teacher, staff, admin] = await Promise.all([
    app.as('student'),
    app.as('teacher'),
    app.as('staff'),
    app.as('admin'),
  ])
})
afterEach(async () => {
  await sql`delete from task_step where for_step_id is not null`.execute(app.platform.db)
  await sql`truncate task_delegation cascade`.execute(app.platform.db)
})

const day = (ahead: number) =>
  Temporal.Now.plainDateISO('Asia/Shanghai').add({ days: ahead }).toString()
const delegate = (caller: Caller, body: object = {}) =>
  caller(delegations.create, {
    body: { startsOn: day(0), endsOn: day(3), people: ['staff'], ...body } as never,
  })
let keys = 0
/** A leave application by the student, waiting for the teacher. */
async function applied(days = 2) {
  const { data: blank } = await student(applications.blank, { params: { code: 'leave' } })
  const data = { kind: 'sick', from: '2026-12-01', until: '2026-12-02', days, reason: '发烧' }
  const key = `delegated-${++keys}`
  const body = { key, code: 'leave', version: blank.version, data, submit: true }
  return (await student(applications.save, { body })).data.id
}
const todosOf = async (caller: Caller) =>
  (await caller(tasks.list, { query: { pageSize: 200 } })).data.list
const has = async (caller: Caller, id: string) =>
  (await todosOf(caller)).find((task) => task.id === id)
const countOf = async (caller: Caller) => (await caller(tasks.counts, {})).data.myTodo
const handle = (caller: Caller, id: string, action = 'approve', more: object = {}) =>
  caller(tasks.handle, { params: { id }, body: { action, comment: '', ...more } as never })
const idOf = async (caller: Caller) => (await caller(delegations.list, {})).data.given[0]?.id ?? ''
/** The counts match the lists, whatever the state of the delegations. */
async function expectTrueCounts() {
  for (const caller of [teacher, staff, admin])
    expect(await countOf(caller)).toBe((await todosOf(caller)).length)
}

test('current and new tasks are in both lists, marked for the delegate', async () => {
  const before = await applied()
  expect((await delegate(teacher)).data).toMatchObject({
    state: 'active',
    person: '周明远',
    personEn: 'Zhou Mingyuan',
    people: [{ username: 'staff', name: '陈思齐', nameEn: 'Chen Siqi' }],
  })
  const after = await applied()
  for (const id of [before, after]) {
    expect(await has(staff, id)).toMatchObject({
      onBehalfOf: '周明远',
      onBehalfOfEn: 'Zhou Mingyuan',
    })
    expect(await has(teacher, id)).toMatchObject({ onBehalfOf: '', onBehalfOfEn: '' })
  }
  await expectTrueCounts()
})

test('a delegate handles a task for the delegator, and the record names both', async () => {
  await delegate(teacher, { people: ['staff', 'admin'] })
  const id = await applied()
  expect((await handle(staff, id, 'approve', { comment: '代办' })).status).toBe(200)
  for (const caller of [teacher, staff, admin]) expect(await has(caller, id)).toBe(undefined)
  const { data: records } = await student(tasks.records, { params: { id } })
  expect(records).toMatchObject([
    {
      person: '周明远',
      by: '陈思齐',
      byEn: 'Chen Siqi',
      action: '同意',
      comment: '代办',
      tone: 'primary',
    },
  ])
  expect((await handle(teacher, id)).error).toBe('task.handled')
  expect((await handle(admin, id)).error).toBe('task.not_found')
  const handled = await teacher(delegations.handled, { params: { id: await idOf(teacher) } })
  expect(handled.data).toMatchObject([
    { id, action: '同意', actionEn: 'Approve', by: '陈思齐', byEn: 'Chen Siqi' },
  ])
  const { rows } = await sql<{ action: string }>`
    select action from audit_entry where operator = 'teacher' and action like 'delegation%'`.execute(
    app.platform.db,
  )
  expect(rows).toContainEqual({ action: 'delegation begin' })
  await expectTrueCounts()
})

test('concurrent handling by delegator and delegate succeeds once', async () => {
  await delegate(teacher)
  for (let round = 0; round < 5; round++) {
    const id = await applied()
    const answers = await Promise.all([handle(teacher, id), handle(staff, id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  }
  await expectTrueCounts()
})

test('a delegation ends when its time is over or when its delegator ends it', async () => {
  const { db } = app.platform
  await delegate(teacher)
  const id = await applied()
  const given = await idOf(teacher)
  expect((await staff(delegations.end, { params: { id: given } })).error).toBe(
    'delegation.not_found',
  )
  expect((await teacher(delegations.end, { params: { id: given } })).data.state).toBe('over')
  expect(await has(staff, id)).toBe(undefined)
  expect((await handle(staff, id)).status).toBe(404)

  await delegate(teacher)
  expect(await has(staff, id)).toBeDefined()
  await sql`update task_delegation set ends_at = now()`.execute(db)
  await db.transaction().execute(endExpired)
  expect(await has(staff, id)).toBe(undefined)
  expect((await teacher(delegations.list, {})).data.given[0]?.state).toBe('over')
  await expectTrueCounts()
})

test('a delegation that is over grants nothing, even before a job has ended it', async () => {
  const id = await applied()
  await delegate(teacher)
  expect(await has(staff, id)).toBeDefined()
  await sql`update task_delegation set ends_at = now()`.execute(app.platform.db)
  expect(await has(staff, id)).toBe(undefined)
  expect(await handle(staff, id)).toMatchObject({ status: 404, error: 'task.not_found' })
  expect((await staff(tasks.read, { params: { id } })).status).toBe(404)
  const { data: sources } = await staff(tasks.sources, {})
  const inSources = sources.reduce((sum, { count }) => sum + count, 0)
  expect(inSources).toBe(await countOf(staff))
  await expectTrueCounts()
  expect((await handle(teacher, id)).status).toBe(200)
})

test('a delegation starts on its start date', async () => {
  const { db } = app.platform
  const id = await applied()
  expect((await delegate(teacher, { startsOn: day(2), endsOn: day(5) })).data.state).toBe('waiting')
  expect(await has(staff, id)).toBe(undefined)
  await sql`update task_delegation set starts_at = now()`.execute(db)
  await db.transaction().execute(activateDelegations)
  expect(await has(staff, id)).toBeDefined()
})

test('a delegation covers only its sources and never the excluded ones', async () => {
  await delegate(teacher, { sources: ['财务处'] })
  const id = await applied()
  expect(await has(staff, id)).toBe(undefined)
  await teacher(delegations.end, { params: { id: await idOf(teacher) } })
  const policy = (await admin(delegationRules.policy, {})).data
  await delegate(teacher)
  expect(await has(staff, id)).toBeDefined()
  await admin(delegationRules.setPolicy, { body: { ...policy, excludedSources: ['学生处'] } })
  expect(await has(staff, id)).toBe(undefined)
  await admin(delegationRules.setPolicy, { body: policy })
  expect(await has(staff, id)).toBeDefined()
})

test('delegations are not transitive and never include the delegate’s own applications', async () => {
  await delegate(teacher)
  await delegate(staff, { people: ['admin'] })
  const id = await applied()
  expect(await has(staff, id)).toBeDefined()
  expect(await has(admin, id)).toBe(undefined)
  await teacher(delegations.end, { params: { id: await idOf(teacher) } })
  await delegate(teacher, { people: ['student'] })
  expect(await has(student, id)).toBe(undefined)
})

test('a delegate can hand on the step, and circulating it keeps it in both lists', async () => {
  await delegate(teacher)
  const id = await applied()
  await handle(staff, id, 'hand-on', { form: { person: 'admin' } })
  expect(await has(teacher, id)).toBe(undefined)
  expect(await has(admin, id)).toBeDefined()
  const other = await applied()
  await handle(staff, other, 'circulate', { form: { person: 'admin' } })
  expect(await has(staff, other)).toBeDefined()
  expect(await has(teacher, other)).toBeDefined()
  await expectTrueCounts()
})

test('the answer to a delegate’s question and the opinion they asked for go to the delegator', async () => {
  await delegate(teacher)
  const asked = await applied()
  expect((await handle(staff, asked, 'ask', { comment: '哪天回来？' })).status).toBe(200)
  expect((await handle(student, asked, 'answer', { comment: '周五' })).status).toBe(200)
  const opinion = await applied()
  const person = { form: { person: 'admin' } }
  expect((await handle(staff, opinion, 'add-signer', person)).status).toBe(200)
  expect((await handle(admin, opinion, 'agree')).status).toBe(200)
  for (const id of [asked, opinion]) {
    expect(await has(teacher, id)).toMatchObject({ onBehalfOf: '' })
    expect(await has(staff, id)).toMatchObject({ onBehalfOf: '周明远' })
  }
  await teacher(delegations.end, { params: { id: await idOf(teacher) } })
  for (const id of [asked, opinion]) {
    expect(await has(teacher, id)).toBeDefined()
    expect(await has(staff, id)).toBe(undefined)
  }
})

test.each([
  ['to the delegator', { people: ['teacher'] }, { 'people.0': '不在可选值中' }],
  ['to an unknown member', { people: ['staff', 'nobody'] }, { 'people.1': '不存在' }],
  ['from yesterday', { startsOn: day(-1) }, { startsOn: '超出范围' }],
  ['with the end before the start', { startsOn: day(3), endsOn: day(2) }, { endsOn: '超出范围' }],
  ['for a year', { endsOn: day(365) }, { endsOn: '超出范围' }],
  [
    'to four people',
    { people: ['staff', 'admin', 'student', '2023410086'] },
    { people: '长度不对' },
  ],
])('a delegation %s is rejected', async (_, body, fields) => {
  expect(await delegate(teacher, body)).toMatchObject({ status: 400, fields })
})

test('mutual and overlapping delegations are rejected, also concurrent ones', async () => {
  await delegate(teacher)
  expect((await delegate(staff, { people: ['teacher'] })).error).toBe('delegation.back')
  expect((await delegate(teacher, { people: ['admin'] })).error).toBe('delegation.overlaps')
  await sql`truncate task_delegation cascade`.execute(app.platform.db)
  const both = await Promise.all([delegate(teacher), delegate(staff, { people: ['teacher'] })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('operators set whether delegation is allowed, to whom, for how long and to how many', async () => {
  const policy = (await admin(delegationRules.policy, {})).data
  const set = (change: object) =>
    admin(delegationRules.setPolicy, { body: { ...policy, ...change } })
  expect((await teacher(delegationRules.policy, {})).status).toBe(403)
  await set({ maxDays: 5, maxPeople: 1 })
  expect((await delegate(teacher, { endsOn: day(5) })).fields).toEqual({ endsOn: '超出范围' })
  const both = { endsOn: day(4), people: ['staff', 'admin'] }
  expect((await delegate(teacher, both)).fields).toEqual({ people: '长度不对' })
  const longest = await delegate(teacher, { endsOn: day(4) })
  expect(longest.status).toBe(200)
  await teacher(delegations.end, { params: { id: longest.data.id } })
  await set({ allowed: false })
  expect((await delegate(teacher)).error).toBe('delegation.not_allowed')
  await set({ sameOrganization: true })
  expect((await delegate(teacher)).fields).toEqual({ 'people.0': '不在可选值中' })
  expect((await delegate(teacher, { people: ['student'] })).status).toBe(200)
  await set({})
})
