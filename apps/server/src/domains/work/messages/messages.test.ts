import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let appId: string
beforeAll(async () => {
  app = await testApp()
  const { id } = await app.platform.db
    .insertInto('message_app')
    .values({ code: 'test', name: '测试' })
    .returning('id')
    .executeTakeFirstOrThrow()
  appId = id
})

const accountOf = async (username: string) =>
  (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id

async function send(to: string[], title: string) {
  const { db } = app.platform
  const message = await db
    .insertInto('message')
    .values({ app_id: appId, title })
    .returning(['id', 'sent_at'])
    .executeTakeFirstOrThrow()
  const accounts = await Promise.all(to.map(accountOf))
  await db
    .insertInto('message_delivery')
    .values(
      accounts.map((account_id) => ({
        account_id,
        message_id: message.id,
        app_id: appId,
        sent_at: message.sent_at,
      })),
    )
    .execute()
  return message.id
}

/** The counters must always say what counting would say. */
async function expectTrueCounters() {
  const { rows } = await sql<{ kept: number; counted: number }>`
    select box.unread as kept, (select count(*)::integer from message_delivery d
      where d.account_id = box.account_id and d.app_id = box.app_id and d.read_at is null) as counted
    from message_box box`.execute(app.platform.db)
  for (const { kept, counted } of rows) expect(kept).toBe(counted)
}

test('a message raises the count of its reader alone, and reading lowers it once', async () => {
  const student = await app.as('student')
  const teacher = await app.as('teacher')
  const before = (await student(messages.unreadTotal, { query: { mobile: 'false' } })).data
  const teacherBefore = (await teacher(messages.unreadTotal)).data
  const id = await send(['student'], 'Hello')
  expect((await student(messages.unreadTotal)).data).toBe(before + 1)
  expect((await teacher(messages.unreadTotal)).data).toBe(teacherBefore)
  const box = (await student(messages.apps)).data.find((one) => one.appId === appId)
  expect(box).toMatchObject({ unreadCount: 1, lastMessage: { id, title: 'Hello' } })
  expect((await student(messages.markRead, { body: { ids: [id] } })).data).toEqual({ changed: 1 })
  expect((await student(messages.markRead, { body: { ids: [id] } })).data).toEqual({ changed: 0 })
  expect((await student(messages.unreadTotal)).data).toBe(before)
  expect((await student(messages.read, { query: { id } })).data).toMatchObject({
    title: 'Hello',
    read: true,
  })
})

test("somebody else's message looks like a missing one and stays unread", async () => {
  const id = await send(['teacher'], 'For the teacher')
  const student = await app.as('student')
  expect(await student(messages.read, { query: { id } })).toMatchObject({
    status: 404,
    error: 'message.not_found',
  })
  expect((await student(messages.markRead, { body: { ids: [id] } })).data).toEqual({ changed: 0 })
  expect((await (await app.as('teacher'))(messages.read, { query: { id } })).data.read).toBe(false)
})

test('all read, of one application and of all', async () => {
  await send(['student', 'teacher'], 'One')
  await send(['student'], 'Two')
  const student = await app.as('student')
  const { data } = await student(messages.markAllRead, { body: { appId } })
  expect(data.changed).toBe(2)
  await student(messages.markAllRead, { body: {} })
  expect((await student(messages.unreadTotal)).data).toBe(0)
  expect((await student(messages.list, { query: { unread: 'true' } })).data.list).toEqual([])
  await expectTrueCounters()
})

test('counters stay true when many write at the same time and rows are deleted', async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      send(n % 2 ? ['student', 'teacher'] : ['teacher', 'student', 'staff'], `Wave ${n}`),
    ),
  )
  const student = await app.as('student')
  await Promise.all([
    student(messages.markAllRead, { body: { appId } }),
    send(['student'], 'Meanwhile'),
  ])
  await app.platform.db
    .deleteFrom('message_delivery')
    .where('account_id', '=', await accountOf('staff'))
    .where('app_id', '=', appId)
    .execute()
  await expectTrueCounters()
})

test('the list is cut by cursor and filtered by application', async () => {
  const student = await app.as('student')
  for (let n = 0; n < 5; n++) await send(['student'], `Page ${n}`)
  const first = await student(messages.list, { query: { appId, pageSize: 2 } })
  const second = await student(messages.list, {
    query: { appId, pageSize: 2, cursor: first.data.nextCursor },
  })
  expect(first.data.list.map((line) => line.title)).toEqual(['Page 4', 'Page 3'])
  expect(second.data.list.map((line) => line.title)).toEqual(['Page 2', 'Page 1'])
})

test.each(['true', 'false'])(
  'unread=%s leaves out the others, and starred alike',
  async (wanted) => {
    const student = await app.as('student')
    const kept = await send(['student'], 'Kept')
    await send(['student'], 'New')
    await student(messages.markRead, { body: { ids: [kept] } })
    await app.platform.db
      .updateTable('message_delivery')
      .set({ starred: true })
      .where('message_id', '=', kept)
      .execute()
    const listed = async (query: object) =>
      (await student(messages.list, { query: { appId, pageSize: 200, ...query } })).data.list
    const all = await listed({})
    for (const query of [{ unread: wanted }, { starred: wanted }]) {
      const expected = all.filter(({ read, starred }) =>
        'unread' in query ? String(!read) === wanted : String(starred) === wanted,
      )
      expect(expected.length).toBeLessThan(all.length)
      expect(expected).not.toHaveLength(0)
      expect(await listed(query)).toEqual(expected)
    }
  },
)

test('the badges count messages and waiting tasks', async () => {
  const { data } = await (await app.as('teacher'))(messages.unreadCounts, { body: {} })
  expect(data.total).toBe(data.messages + data.tasks)
  expect(await app.visitor(messages.unreadCounts, { body: {} })).toMatchObject({ status: 401 })
})

test('too many ids at once are refused', async () => {
  const student = await app.as('student')
  expect(await student(messages.markRead, { body: { ids: Array(201).fill('1') } })).toMatchObject({
    status: 400,
    fields: { ids: expect.any(String) },
  })
})
