import { messages } from '@atrium/contract/work/messages'
import { taskGroups } from '@atrium/contract/work/task-groups'
import { taskSettings } from '@atrium/contract/work/task-settings'
import { tasks, thirdParty } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { sendDueReminders } from './due-reminders.ts'
import { countTodoOf } from './queries.ts'

let app: TestApp
let staff: Caller
let teacher: Caller
let staffId: string
beforeAll(async () => {
  app = await testApp()
  ;[staff, teacher] = await Promise.all([app.as('staff'), app.as('teacher')])
  staffId = (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'staff')
      .executeTakeFirstOrThrow()
  ).id
})
beforeEach(async () => {
  await sql`delete from task where source = 'order'`.execute(app.platform.db)
})

/** A to-do of the staff account; `due` in minutes from now. */
async function add(
  title: string,
  { due, urgent = false }: { due?: number; urgent?: boolean } = {},
) {
  const { db } = app.platform
  const dueAt = due === undefined ? null : new Date(Date.now() + due * 60_000).toISOString()
  const { id } = await db
    .insertInto('task')
    .values({ title, source: 'order', urgent, due_at: dueAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('task_step')
    .values({ task_id: id, account_id: staffId, kind: 'handle', due_at: dueAt })
    .execute()
  return id
}
const titles = async (query: object = {}) =>
  (await staff(tasks.list, { query: { source: 'order', ...query } })).data.list.map(
    ({ title }) => title,
  )
const counts = async () => (await staff(tasks.counts, {})).data

test('the list can be filtered by urgent, overdue and due today', async () => {
  await add('late', { due: -60 })
  await add('far', { due: 60 * 24 * 30, urgent: true })
  await add('never')
  const soon = Temporal.Now.zonedDateTimeISO('Asia/Shanghai')
  const left = 24 * 60 - soon.hour * 60 - soon.minute
  await add('today', { due: left / 2 })
  await add('tomorrow', { due: left + 60 })
  expect(await titles()).toEqual(['late', 'today', 'tomorrow', 'far', 'never'])
  expect(await titles({ urgent: true })).toEqual(['far'])
  expect(await titles({ due: 'overdue' })).toEqual(['late'])
  expect(await titles({ due: 'today' })).toEqual(['today'])
  expect((await staff(tasks.list, { query: { due: 'never' as never } })).status).toBe(400)
})

describe('a snoozed to-do', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const snooze = (id: string, until: string | null, caller = staff) =>
    caller(tasks.snooze, { params: { id }, body: { until } })

  test('is left out of the list and the count until its time', async () => {
    const id = await add('later')
    const before = await counts()
    const { data } = await snooze(id, inDays(1))
    expect(data.snoozedUntil).not.toBeNull()
    expect(await titles()).toEqual([])
    expect(await titles({ snoozed: true })).toEqual(['later'])
    expect(await counts()).toMatchObject({
      myTodo: before.myTodo - 1,
      snoozed: before.snoozed + 1,
    })
    const pushed = await countTodoOf(app.platform.db, [staffId])
    expect(pushed.get(staffId)).toBe(before.myTodo - 1)
    await sql`update task_step set snoozed_until = now() - interval '1 s' where task_id = ${id}`.execute(
      app.platform.db,
    )
    expect(await titles()).toEqual(['later'])
    expect(await counts()).toEqual(before)
    await snooze(id, inDays(1))
    await snooze(id, null)
    expect(await titles()).toEqual(['later'])
  })

  test('must be the member’s own, open and snoozed for at most a year', async () => {
    const id = await add('mine')
    expect((await snooze(id, inDays(1), teacher)).error).toBe('task.not_found')
    for (const until of [inDays(-1), inDays(400)])
      expect((await snooze(id, until)).fields).toHaveProperty('until')
    await sql`update task_step set done_at = now() where task_id = ${id}`.execute(app.platform.db)
    expect((await snooze(id, inDays(1))).error).toBe('task.handled')
  })
})

describe('groups', () => {
  const create = (name: string, caller = staff) => caller(taskGroups.create, { body: { name } })
  const clear = async () => {
    await sql`delete from task_group`.execute(app.platform.db)
  }

  test('contain tasks and can be renamed, ordered and removed', async () => {
    await clear()
    const [a, b] = [await add('a'), await add('b')]
    const first = (await create(' 教学 ')).data
    const second = (await create('行政')).data
    expect(first).toMatchObject({ name: '教学', open: 0 })
    const move = (taskIds: string[], groupId: string | null, caller = staff) =>
      caller(taskGroups.move, { body: { taskIds, groupId } })
    expect((await move([a, b, a], first.id)).status).toBe(200)
    expect((await move([b], second.id)).status).toBe(200)
    expect(await titles({ tagGroup: first.id })).toEqual(['a'])
    expect((await staff(tasks.read, { params: { id: b } })).data.tagGroup).toBe(second.id)
    expect((await move([a], second.id, teacher)).error).toBe('task.group_not_found')
    const foreign = (await create('别人的', teacher)).data
    expect((await move([a], foreign.id, teacher)).error).toBe('task.not_found')
    const ordered = await staff(taskGroups.order, { body: { ids: [second.id, foreign.id] } })
    expect(ordered.data.map(({ name, open }) => [name, open])).toEqual([
      ['行政', 1],
      ['教学', 1],
    ])
    await staff(taskGroups.rename, { params: { id: first.id }, body: { name: '课程' } })
    expect((await staff(taskGroups.remove, { params: { id: first.id } })).status).toBe(200)
    expect((await staff(tasks.read, { params: { id: a } })).data.tagGroup).toBeNull()
    expect((await staff(taskGroups.remove, { params: { id: foreign.id } })).status).toBe(404)
    await move([b], null)
    expect((await staff(taskGroups.list, {})).data).toMatchObject([{ name: '行政', open: 0 }])
  })

  test('have unique names and are limited to thirty', async () => {
    await clear()
    const created = await Promise.all(['Ab', 'aB', 'AB'].map((name) => create(name)))
    expect(created.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const free = async (name: string) =>
      (await staff(taskGroups.checkName, { query: { name } })).data.free
    expect([await free('AB '), await free('other')]).toEqual([false, true])
    const other = (await create('other')).data
    const renamed = await staff(taskGroups.rename, {
      params: { id: other.id },
      body: { name: 'ab' },
    })
    expect(renamed.error).toBe('task.group_known')
    for (let number = 2; number < 30; number++) await create(`g${number}`)
    expect((await create('one more')).error).toBe('task.group_too_many')
    expect((await create(' ')).status).toBe(400)
  })
})

describe('reminders', () => {
  const reminders = async () =>
    (await staff(messages.list, { query: { pageSize: 200 } })).data.list
      .filter(({ appName }) => appName === '事项办理')
      .map(({ title }) => title)
  const set = (beforeMinutes: number, overdue: boolean) =>
    staff(taskSettings.setOverdue, { body: { beforeMinutes: beforeMinutes as 0, overdue } })
  const newReminders = async () => {
    const before = await reminders()
    await sendDueReminders(app.platform)
    return (await reminders()).slice(0, (await reminders()).length - before.length)
  }

  test('are sent once before a to-do is due and once when it is overdue', async () => {
    const id = await add('report', { due: 60 * 20 })
    await add('far', { due: 60 * 24 * 10 })
    expect(await newReminders()).toEqual(['待办即将到期：report'])
    expect(await newReminders()).toEqual([])
    await sql`update task_step set due_at = now() - interval '1 minute' where task_id = ${id}`.execute(
      app.platform.db,
    )
    expect(await newReminders()).toEqual(['待办已逾期：report'])
    expect(await newReminders()).toEqual([])
  })

  test('are merged into one message without done, snoozed or long overdue to-dos', async () => {
    for (const title of ['one', 'two', 'three']) await add(title, { due: 60 })
    const [done, later, past] = [
      await add('done', { due: 60 }),
      await add('later', { due: 60 }),
      await add('past', { due: -60 * 48 }),
    ]
    const { db } = app.platform
    await sql`update task_step set done_at = now() where task_id = ${done}`.execute(db)
    await sql`update task_step set snoozed_until = now() + interval '1 day' where task_id = ${later}`.execute(
      db,
    )
    expect(past).toBeTruthy()
    expect(await newReminders()).toEqual(['3 项待办即将到期'])
  })

  test('follow the member’s settings', async () => {
    expect((await staff(taskSettings.overdue, {})).data).toEqual({
      beforeMinutes: 1440,
      overdue: true,
    })
    expect((await set(7, true)).status).toBe(400)
    expect((await set(60, false)).data).toEqual({ beforeMinutes: 60, overdue: false })
    await add('in three hours', { due: 180 })
    await add('in half an hour', { due: 30 })
    await add('late', { due: -5 })
    expect(await newReminders()).toEqual(['待办即将到期：in half an hour'])
    await set(0, false)
    await add('soon', { due: 30 })
    expect(await newReminders()).toEqual([])
    expect((await staff(taskSettings.global, {})).data).toMatchObject({ maxBatch: 200 })
  })
})

test('phrases are stored in order, and invalid or duplicate ones are rejected', async () => {
  const set = (phrases: string[]) => staff(taskSettings.setPhrases, { body: { phrases } })
  expect((await staff(taskSettings.phrases, {})).data).toEqual([])
  expect((await set(['已阅 ', '同意'])).data).toEqual(['已阅', '同意'])
  expect((await staff(taskSettings.phrases, {})).data).toEqual(['已阅', '同意'])
  expect((await teacher(taskSettings.phrases, {})).data).toEqual([])
  for (const wrong of [['a', 'a'], [' '], ['x'.repeat(101)], Array.from({ length: 21 }, String)])
    expect((await set(wrong)).status).toBe(400)
})

test('the list can be filtered by a due range', async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await add('before', { due: 10 })
  await add('within', { due: 30 })
  await add('after', { due: 61 })
  await add('never')
  expect(await titles({ dueFrom: at(20), dueUntil: at(60) })).toEqual(['within'])
  expect((await staff(tasks.list, { query: { dueFrom: 'now' as never } })).fields).toHaveProperty(
    'dueFrom',
  )
})

test('to-dos from systems are counted and listed by system, those of the portal are not', async () => {
  const { db } = app.platform
  const read = async (query: object = {}) =>
    (await staff(thirdParty.messages, { query })).data.list.map(({ title }) => title)
  await add('of the portal')
  expect((await staff(thirdParty.unreadCounts, {})).data).toEqual([])
  expect(await read()).toEqual([])
  const ids: string[] = []
  for (const [at, source] of ['财务处', '财务处', '图书馆', '图书馆'].entries()) {
    const id = await add(`${source} ${at}`, { due: 60 + at })
    ids.push(id)
    await sql`
      with known as (insert into task_source (code, name) values (${source}, ${source})
        on conflict (code) do update set name = excluded.name returning id)
      update task set source = ${source}, source_id = (select id from known) where id = ${id}`.execute(
      db,
    )
  }
  await sql`update task_step set done_at = now() where task_id = ${ids[3]}`.execute(db)
  expect((await staff(thirdParty.unreadCounts, {})).data).toEqual(
    expect.arrayContaining([
      { source: '财务处', count: 2 },
      { source: '图书馆', count: 1 },
    ]),
  )
  expect(await read()).toEqual(['财务处 0', '财务处 1', '图书馆 2'])
  expect(await read({ source: '图书馆' })).toEqual(['图书馆 2'])
  expect((await teacher(thirdParty.unreadCounts, {})).data).toEqual([])
  expect((await teacher(thirdParty.messages, { query: {} })).data.list).toEqual([])
  await sql`delete from task where source_id is not null`.execute(db)
})

test('the list can be filtered by several of the member’s sources', async () => {
  const { db } = app.platform
  for (const source of ['order', '教务处', "O'Neill, Bros."])
    await db
      .updateTable('task')
      .set({ source })
      .where('id', '=', await add(`of ${source}`))
      .execute()
  const named = await staff(tasks.sources)
  expect(named.data).toEqual(
    expect.arrayContaining([
      { source: 'order', count: 1 },
      { source: "O'Neill, Bros.", count: 1 },
    ]),
  )
  const two = await titles({ source: ['order', "O'Neill, Bros."] })
  expect(two.toSorted()).toEqual(["of O'Neill, Bros.", 'of order'])
  expect(await titles({ source: "O'Neill, Bros." })).toEqual(["of O'Neill, Bros."])
  expect(await titles({ source: ['nothing', "' or true --"] })).toEqual([])
  expect(
    (await teacher(tasks.sources)).data.map((one: { source: string }) => one.source),
  ).not.toContain("O'Neill, Bros.")
  const many = Array.from({ length: 51 }, (_, at) => `source ${at}`)
  expect((await staff(tasks.list, { query: { source: many } })).status).toBe(400)
  expect((await app.visitor(tasks.sources)).status).toBe(401)
  await sql`delete from task where source = any(${['教务处', "O'Neill, Bros."]}::text[])`.execute(
    db,
  )
})
