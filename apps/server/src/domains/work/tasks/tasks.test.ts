import { tasks } from '@atrium/contract/work/tasks'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/test-app.ts'

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

async function addTask(
  title: string,
  part: {
    applicant?: string
    handler?: string
    reader?: string
    due?: string
    done?: string
    draft?: boolean
  },
) {
  const { db } = app.platform
  const task = await db
    .insertInto('task')
    .values({
      title,
      source: 'Test',
      applicant_account_id: part.applicant ? await accountOf(part.applicant) : null,
      draft: part.draft ?? false,
      due_at: part.due ?? null,
      form: JSON.stringify([{ label: '事由', value: title }]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [kind, username] of [
    ['handle', part.handler],
    ['circulate', part.reader],
  ] as const) {
    if (username) {
      await db
        .insertInto('task_step')
        .values({
          task_id: task.id,
          account_id: await accountOf(username),
          kind,
          person_name: username,
          due_at: part.due ?? null,
          done_at: part.done ?? null,
        })
        .execute()
    }
  }
  return task.id
}

const titles = (answer: { data: { list: { title: string }[] } }) =>
  answer.data.list.map((task) => task.title)

test('each level lists its tasks for applicant, handler and reader', async () => {
  await addTask('A to-do', {
    applicant: 'student',
    handler: 'teacher',
    due: new Date(Date.now() + 60_000).toISOString(),
  })
  await addTask('Done', {
    applicant: 'student',
    handler: 'teacher',
    done: new Date().toISOString(),
  })
  await addTask('A draft', { applicant: 'student', draft: true })
  await addTask('To read', { applicant: 'student', reader: 'staff' })
  const [student, teacher, staff] = await Promise.all([
    app.as('student'),
    app.as('teacher'),
    app.as('staff'),
  ])
  const query = (level: string) => ({ query: { level, pageSize: 200 } })
  expect(titles(await teacher(tasks.list, query('myTodo')))).toContain('A to-do')
  expect(titles(await teacher(tasks.list, query('myDone')))).toContain('Done')
  expect(titles(await student(tasks.list, query('myRequest')))).toEqual(
    expect.arrayContaining(['A to-do', 'Done', 'To read']),
  )
  expect(titles(await student(tasks.list, query('myRequest')))).not.toContain('A draft')
  expect(titles(await student(tasks.list, query('myDraft')))).toContain('A draft')
  expect(titles(await staff(tasks.list, query('myReaded')))).toContain('To read')
  expect(titles(await student(tasks.list, query('myTodo')))).not.toContain('A to-do')
})

test('to-dos are sorted by due date across pages, those without one last', async () => {
  const staff = await app.as('staff')
  for (const [title, due] of [
    ['Third', undefined],
    ['First', '2026-01-01T00:00:00Z'],
    ['Second', '2026-01-02T00:00:00Z'],
  ] as const) {
    await addTask(title, { handler: 'staff', ...(due && { due }) })
  }
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { data } = await staff(tasks.list, {
      query: { level: 'myTodo', pageSize: 1, ...(cursor && { cursor }) },
    })
    seen.push(...data.list.map((task) => task.title))
    cursor = data.nextCursor ?? undefined
  } while (cursor)
  expect(seen.filter((title) => ['First', 'Second', 'Third'].includes(title))).toEqual([
    'First',
    'Second',
    'Third',
  ])
  expect(seen).toHaveLength((await staff(tasks.counts)).data.myTodo)
})

test('a task can be read only by its applicant and handlers', async () => {
  const id = await addTask('Between two', { applicant: 'student', handler: 'teacher' })
  for (const username of ['student', 'teacher'] as const) {
    const caller = await app.as(username)
    expect((await caller(tasks.read, { params: { id } })).data).toMatchObject({
      title: 'Between two',
      form: [{ label: '事由', value: 'Between two' }],
    })
    expect((await caller(tasks.records, { params: { id } })).data).toHaveLength(1)
  }
  const staff = await app.as('staff')
  expect(await staff(tasks.read, { params: { id } })).toMatchObject({
    status: 404,
    error: 'task.not_found',
  })
  expect(await staff(tasks.records, { params: { id } })).toMatchObject({
    status: 404,
    error: 'task.not_found',
  })
  expect(await app.visitor(tasks.read, { params: { id } })).toMatchObject({ status: 401 })
})

test('an unknown level is rejected with an error for its field', async () => {
  const student = await app.as('student')
  expect(await student(tasks.list, { query: { level: 'everything' } })).toMatchObject({
    status: 400,
    fields: { level: expect.any(String) },
  })
})

test('the circulate filter is accepted only for copies', async () => {
  const student = await app.as('student')
  expect(
    await student(tasks.list, { query: { level: 'myTodo', circulate: 'toMe' } }),
  ).toMatchObject({ status: 400, fields: { circulate: expect.any(String) } })
  const copies = { level: 'myReaded', circulate: 'Meto' }
  expect(await student(tasks.list, { query: copies })).toMatchObject({ status: 200 })
})
