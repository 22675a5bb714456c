import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { deliverBroadcastBatch } from './broadcast.ts'
import { defineBuiltInApp, ensureBuiltInApp, getBuiltInKind } from './built-in-apps.ts'
import { removeOldMessages } from './retention.ts'
import { deliveryListeners, type NewMessage, sendMessage } from './send.ts'

let app: TestApp
let appId: string
const own = defineBuiltInApp({
  code: 'test',
  name: '测试',
  nameEn: 'Test',
  icon: { glyph: 'message', tone: 'blue' },
  position: 1,
  kinds: {
    general: { name: '通知', nameEn: 'General' },
    vote: { name: '征询', nameEn: 'Question' },
  },
})
beforeAll(async () => {
  app = await testApp()
  await ensureBuiltInApp(app.platform.db, own.spec)
  appId = (await getBuiltInKind(app.platform.db, own.kinds.general)).app_id
})

const accountOf = async (username: string) =>
  (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id

async function send(to: string[], title: string, more: Partial<NewMessage> = {}) {
  const accounts = await Promise.all(to.map(accountOf))
  const { id } = await app.platform.db
    .transaction()
    .execute((db) =>
      sendMessage(db, { kind: own.kinds.general, to: { accounts }, title: { zh: title }, ...more }),
    )
  return id
}

/** The stored counters must match the actual counts. */
async function expectTrueCounters() {
  const { rows } = await sql<{ kept: number; counted: number }>`
    select box.unread as kept, (select count(*)::integer from message_delivery d
      where d.account_id = box.account_id and d.app_id = box.app_id and d.read_at is null and d.hidden is null) as counted
    from message_box box`.execute(app.platform.db)
  for (const { kept, counted } of rows) expect(kept).toBe(counted)
  const { rows: stale } = await sql`
    select from message_box box left join lateral (
      select message_id from message_delivery d where d.account_id = box.account_id and d.app_id = box.app_id and d.hidden is null
      order by sent_at desc, message_id desc limit 1) last on true
    where box.last_message_id is distinct from last.message_id`.execute(app.platform.db)
  expect(stale).toEqual([])
}

test('a message raises its recipient’s unread count, and reading it lowers it once', async () => {
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

test('another member’s message returns 404 and stays unread', async () => {
  const id = await send(['teacher'], 'For the teacher')
  const student = await app.as('student')
  expect(await student(messages.read, { query: { id } })).toMatchObject({
    status: 404,
    error: 'message.not_found',
  })
  expect((await student(messages.markRead, { body: { ids: [id] } })).data).toEqual({ changed: 0 })
  expect((await (await app.as('teacher'))(messages.read, { query: { id } })).data.read).toBe(false)
})

test('marks all messages read, of one application or of all', async () => {
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

test('counters stay correct after concurrent writes and deleted rows', async () => {
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

test('the list is paged by cursor and filtered by application', async () => {
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
  'the filters unread and starred with the value %s return only matching messages',
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

test('too many ids at once are rejected', async () => {
  const student = await app.as('student')
  expect(await student(messages.markRead, { body: { ids: Array(201).fill('1') } })).toMatchObject({
    status: 400,
    fields: { ids: expect.any(String) },
  })
})

describe('a message', () => {
  test('can be starred and unstarred by its recipient only', async () => {
    const id = await send(['student'], 'Worth keeping')
    const student = await app.as('student')
    const teacher = await app.as('teacher')
    expect((await student(messages.star, { body: { id, star: true } })).data).toEqual({
      changed: 1,
    })
    expect((await student(messages.star, { body: { id, star: true } })).data).toEqual({
      changed: 0,
    })
    const starred = (await student(messages.list, { query: { starred: 'true' } })).data.list
    expect(starred.map((one) => one.id)).toContain(id)
    expect(await teacher(messages.star, { body: { id, star: true } })).toMatchObject({
      status: 404,
      error: 'message.not_found',
    })
    await student(messages.star, { body: { id, star: false } })
    expect((await student(messages.read, { query: { id } })).data.starred).toBe(false)
  })

  test('is deleted, no longer counted, and restored by undo', async () => {
    const student = await app.as('student')
    const ids = [await send(['student'], 'First'), await send(['student'], 'Second')]
    const before = (await student(messages.unreadTotal)).data
    const { data } = await student(messages.remove, { body: { ids } })
    expect(data.changed).toBe(2)
    expect((await student(messages.unreadTotal)).data).toBe(before - 2)
    expect(await student(messages.read, { query: { id: ids[0] } })).toMatchObject({ status: 404 })
    expect((await student(messages.markRead, { body: { ids } })).data.changed).toBe(0)
    await expectTrueCounters()
    const teacher = await app.as('teacher')
    const { deletedAt } = data
    expect((await teacher(messages.restore, { body: { deletedAt } })).data.changed).toBe(0)
    expect((await student(messages.restore, { body: { deletedAt } })).data.changed).toBe(2)
    expect((await student(messages.unreadTotal)).data).toBe(before)
    await expectTrueCounters()
  })

  test('is found by its words, and LIKE wildcards are literal', async () => {
    const student = await app.as('student')
    const id = await send(['student'], '图书 100%_到期', { sender: { zh: '流通部' } })
    const found = async (keyWords: string) =>
      (await student(messages.list, { query: { keyWords, appId } })).data.list.map((one) => one.id)
    expect(await found('流通部 到期')).toEqual([id])
    expect(await found('100%_')).toEqual([id])
    expect(await found('1%期')).toEqual([])
    expect(await found('　')).toContain(id)
  })

  test('is returned in both languages with its actions and sanitised HTML', async () => {
    const student = await app.as('student')
    const id = await send(['student'], '标题', {
      title: { zh: '标题', en: 'Title' },
      content: { zh: '<p onclick="x()">正文</p><script>x()</script>', en: '<p>Text</p>' },
      actions: [{ text: '打开', textEn: 'Open', url: '/pages/tab/my/my' }],
    })
    expect((await student(messages.read, { query: { id } })).data).toMatchObject({
      titleEn: 'Title',
      content: '<p>正文</p>',
      contentEn: '<p>Text</p>',
      actions: [{ text: '打开', textEn: 'Open', url: '/pages/tab/my/my' }],
      attachments: [],
    })
  })

  test('can be confirmed once, only if it asks for it and before the deadline', async () => {
    const student = await app.as('student')
    const id = await send(['student'], 'Please confirm', { asksConfirmation: true })
    expect((await student(messages.read, { query: { id } })).data.waiting).toBe(true)
    const listed = async (of: string) =>
      (await student(messages.list, { query: { pageSize: 50 } })).data.list.find(
        (one: { id: string }) => one.id === of,
      )
    expect((await listed(id))?.asked).toEqual({ confirm: true, choices: [] })
    const first = await student(messages.confirm, { body: { id } })
    expect((await listed(id))?.asked).toBeNull()
    const second = await student(messages.confirm, { body: { id } })
    expect(second.data).toEqual(first.data)
    expect((await student(messages.read, { query: { id } })).data).toMatchObject({
      waiting: false,
      read: true,
      confirmedAt: first.data.confirmedAt,
    })
    const plain = await send(['student'], 'Nothing asked')
    expect(await student(messages.confirm, { body: { id: plain } })).toMatchObject({
      status: 409,
      error: 'message.nothing_asked',
    })
    const late = await send(['student'], 'Too late', {
      asksConfirmation: true,
      confirmUntil: '2020-01-01T00:00:00Z',
    })
    expect((await listed(late))?.asked).toBeNull()
    expect(await student(messages.confirm, { body: { id: late } })).toMatchObject({
      status: 409,
      error: 'message.too_late',
    })
  })

  test('is answered once with one of its choices', async () => {
    const student = await app.as('student')
    const choices = ['yes', 'no'].map((value) => ({ value, text: value, textEn: value }))
    const id = await send(['student', 'teacher'], 'Coming?', { kind: own.kinds.vote, choices })
    expect(await student(messages.answer, { body: { id, value: 'perhaps' } })).toMatchObject({
      error: 'message.nothing_asked',
    })
    const answers = await Promise.all(
      ['yes', 'no'].map((value) => student(messages.answer, { body: { id, value } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = answers.find(({ status }) => status === 200)?.data.answer
    expect((await student(messages.read, { query: { id } })).data.answer).toBe(won)
    expect((await student(messages.answer, { body: { id, value: won } })).status).toBe(200)
    const kinds = (await student(messages.kinds, { query: { appId } })).data
    expect(kinds.map(({ typeCode }) => typeCode)).toEqual(['general', 'vote'])
    const votes = await student(messages.list, { query: { appId, typeCode: 'vote' } })
    expect(votes.data.list.map((one) => one.id)).toEqual([id])
  })

  test('is sent once per sender key', async () => {
    const source = { code: 'library', key: 'loan-1' }
    const first = await send(['student'], 'Due', { source })
    const again = await send(['student', 'teacher'], 'Due again', { source })
    expect(again).toBe(first)
    expect(await (await app.as('teacher'))(messages.read, { query: { id: first } })).toMatchObject({
      status: 404,
    })
  })
})

describe('an application', () => {
  test('stays pinned until it is unpinned', async () => {
    const student = await app.as('student')
    await send(['student'], 'For the top')
    const top = async () => (await student(messages.apps)).data[0]
    await student(messages.top, { body: { appId } })
    expect(await top()).toMatchObject({ appId, topped: true })
    await student(messages.topCancel, { body: { appId } })
    expect((await student(messages.apps)).data.find((one) => one.appId === appId)?.topped).toBe(
      false,
    )
    expect(await student(messages.top, { body: { appId: '999999' } })).toMatchObject({
      status: 404,
      error: 'message.app_not_found',
    })
  })

  test('is not counted while it is muted', async () => {
    const student = await app.as('student')
    const { unread } = (await student(messages.unread)).data
    await send(['student'], 'Quiet')
    await student(messages.disturbed, { body: { appId, disturbed: true } })
    const muted = (await student(messages.unread)).data
    expect(muted.withMuted).toBeGreaterThan(muted.unread)
    expect((await student(messages.unreadTotal)).data).toBe(muted.unread)
    const byApp = (await student(messages.unreadByApp)).data
    expect(byApp.find((one) => one.appId === appId)?.disturbed).toBe(true)
    expect(byApp.reduce((sum, one) => sum + one.unreadCount, 0)).toBe(muted.withMuted)
    await student(messages.disturbed, { body: { appId, disturbed: false } })
    expect((await student(messages.unread)).data.unread).toBe(unread + 1)
  })

  test('is removed with its messages, and returns with a new message or by undo', async () => {
    const student = await app.as('student')
    await send(['student'], 'Old')
    const listed = async () =>
      (await student(messages.apps)).data.some((one) => one.appId === appId)
    const { deletedAt, changed } = (await student(messages.removeApp, { body: { appId } })).data
    expect(changed).toBeGreaterThan(0)
    expect(await listed()).toBe(false)
    await expectTrueCounters()
    const id = await send(['student'], 'New')
    expect(await listed()).toBe(true)
    const { list } = (await student(messages.list, { query: { appId } })).data
    expect(list.map((one) => one.id)).toEqual([id])
    await student(messages.restore, { body: { deletedAt } })
    expect((await student(messages.list, { query: { appId } })).data.list.length).toBeGreaterThan(1)
    await expectTrueCounters()
  })
})

describe('a broadcast', () => {
  const students = [{ effect: 'include' as const, kind: 'identity' as const, target: 'S01' }]
  const spread = async () => {
    while ((await deliverBroadcastBatch(app.platform.db)) > 0);
  }
  const readers = (id: string) =>
    app.platform.db
      .selectFrom('message_delivery')
      .innerJoin('account', 'account.id', 'message_delivery.account_id')
      .select(['account.id', 'account.identity_type_code as type'])
      .where('message_id', '=', id)
      .execute()

  test('is delivered once to everybody in its audience by concurrent workers', async () => {
    const id = await send([], 'To students', { to: { rules: students } })
    await Promise.all([spread(), spread(), spread()])
    const reached = await readers(id)
    expect(new Set(reached.map(({ type }) => type))).toEqual(new Set(['S01']))
    const { count } = await app.platform.db
      .selectFrom('account')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('identity_type_code', '=', 'S01')
      .where('status', '<>', 'disabled')
      .executeTakeFirstOrThrow()
    expect(reached).toHaveLength(count)
    await expectTrueCounters()
  })

  test('continues after a node crash without lost or duplicate deliveries', async () => {
    const { db } = app.platform
    const id = await send([], 'To students', { to: { rules: students } })
    let dies = false
    deliveryListeners.provide(async (db) => {
      if (dies) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
    })
    await deliverBroadcastBatch(db, 40)
    dies = true
    await expect(deliverBroadcastBatch(db, 40)).rejects.toThrow()
    dies = false
    expect(await readers(id)).toHaveLength(40)
    while ((await deliverBroadcastBatch(db, 40)) > 0);
    const { count } = await db
      .selectFrom('account')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('identity_type_code', '=', 'S01')
      .where('status', '<>', 'disabled')
      .executeTakeFirstOrThrow()
    const reached = (await readers(id)).map((one) => one.id)
    expect(new Set(reached).size).toBe(count)
    expect(reached).toHaveLength(count)
    await expectTrueCounters()
  })

  test('tells its recipient whether it came by a rule or by name', async () => {
    const student = await app.as('student')
    const id = await send([], 'To students', { to: { rules: students } })
    await spread()
    expect((await student(messages.reason, { query: { id } })).data).toMatchObject({
      sender: '测试',
      typeName: '通知',
      chosenBy: 'rule',
      rule: { kind: 'identity', name: '本科生', nameEn: 'Undergraduate' },
      disturbed: false,
    })
    const named = await send(['student'], 'To you')
    expect((await student(messages.reason, { query: { id: named } })).data).toMatchObject({
      chosenBy: 'name',
      rule: null,
    })
    const other = await app.as('teacher')
    expect(await other(messages.reason, { query: { id } })).toMatchObject({ status: 404 })
  })
})

test('messages past the retention of their kind are deleted and no longer counted', async () => {
  const { db } = app.platform
  const student = await app.as('student')
  const before = (await student(messages.unread)).data.withMuted
  const old = await send(['student'], 'Old')
  const kept = await send(['student'], 'Kept', { kind: own.kinds.vote })
  await db
    .updateTable('message_kind')
    .set({ keep_days: 30 })
    .where('code', '=', 'general')
    .where('app_id', '=', appId)
    .execute()
  await removeOldMessages(db, new Date(Date.now() + 40 * 86_400_000))
  expect(await student(messages.read, { query: { id: old } })).toMatchObject({ status: 404 })
  expect((await student(messages.read, { query: { id: kept } })).status).toBe(200)
  await expectTrueCounters()
  // Three years later no kind retains today's messages: partitions are dropped whole.
  await removeOldMessages(db, new Date(Date.now() + 3 * 366 * 86_400_000))
  expect((await student(messages.unread)).data).toEqual({ unread: 0, withMuted: 0 })
  expect((await student(messages.apps)).data).toEqual([])
  expect(before).toBeGreaterThan(0)
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'message_delivery'::regclass order by 1`.execute(
    db,
  )
  expect(rows.length).toBeLessThan(8)
})
