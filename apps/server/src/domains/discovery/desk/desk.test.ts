import { desk } from '@atrium/contract/discovery/desk'
import { deskConsole } from '@atrium/contract/discovery/desk.operator'
import { robot } from '@atrium/contract/discovery/robot'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { maxDeskLines, maxLines } from '#domains/discovery/robot/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { isOpen } from './hours.ts'
import { notifyAllMembers } from './notify.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  staff = await app.as('staff')
  admin = await app.as('admin')
})

const db = () => app.platform.db
const atDesk = async (question = '电脑开不了机', caller = student) => {
  await sql`update dialog_line set created_at = created_at - interval '2 minutes'`.execute(db())
  const asked = await caller(robot.chat, { body: { question } })
  const dialogId = asked.data.dialog.id
  const { data } = await caller(desk.request, { body: { deskId: '1', dialogId } })
  expect(data.dialog.state).toBe('waiting')
  return dialogId
}
const leave = (dialogId: string) =>
  sql`update dialog set seen_at = now() - interval '1 minute' where id = ${dialogId}`.execute(db())
const listNotices = async (caller: Caller, text: string) =>
  (await caller(messages.list, { query: { pageSize: 50 } })).data.list.filter(({ title }) =>
    title.includes(text),
  )

describe('a conversation at a desk', () => {
  test('is transferred with its history, answered, closed and rated', async () => {
    const question = `打印机缺墨 ${Math.random()}`
    const dialogId = await atDesk(question)
    expect(await listNotices(staff, question)).toHaveLength(1)
    const queue = await staff(desk.queue)
    expect(queue.data.list.at(-1)).toMatchObject({ dialogId, title: question, state: 'waiting' })
    const taken = await staff(desk.take, { body: { dialogId } })
    expect(taken.data.lines.map(({ author }) => author)).toEqual([
      'member',
      'robot',
      'note',
      'note',
    ])
    // Each side sees notes in its own language.
    expect(taken.data.lines.at(-1)).toMatchObject({
      text: '人工客服已接入',
      textEn: 'The service desk has joined',
    })
    expect(await admin(desk.take, { body: { dialogId } })).toMatchObject({ error: 'desk.taken' })
    await staff(desk.reply, { body: { dialogId, text: '马上送来。' } })
    // The robot does not answer while people do.
    const more = await student(robot.chat, { body: { question: '好的，谢谢', dialogId } })
    expect(more.data.answer).toBeNull()
    const read = await student(robot.dialog, { query: { dialogId } })
    expect(read.data.dialog.state).toBe('agent')
    expect(read.data.lines.slice(-2)).toMatchObject([
      { author: 'agent', text: '马上送来。' },
      { author: 'member', text: '好的，谢谢' },
    ])
    expect(read.data.lines.at(-2)?.agentName).not.toBe('')
    expect(await student(robot.removeDialog, { query: { dialogId } })).toMatchObject({
      error: 'robot.at_desk',
    })
    await staff(desk.close, { body: { dialogId } })
    const rated = await student(robot.comment, { body: { dialogId, score: 5, comment: '很快' } })
    expect(rated.data).toMatchObject({ state: 'closed', score: 5 })
    const [managed] = (await admin(deskConsole.list)).data
    expect(managed).toMatchObject({ rated: 1, score: 5 })
    // After closing, the robot answers again.
    const after = await student(robot.chat, { body: { question: '你好', dialogId } })
    expect(after.data.answer?.author).toBe('robot')
  })

  test('notifies an absent member of answers once until they return', async () => {
    const question = `网线坏了 ${Math.random()}`
    const dialogId = await atDesk(question)
    await staff(desk.take, { body: { dialogId } })
    await staff(desk.reply, { body: { dialogId, text: '第一句' } })
    expect(await listNotices(student, question)).toHaveLength(0)
    await leave(dialogId)
    // The member left just before the answer, so the job sends the notice.
    await notifyAllMembers(app.platform)
    await staff(desk.reply, { body: { dialogId, text: '第二句' } })
    await notifyAllMembers(app.platform)
    const notices = await listNotices(student, question)
    expect(notices).toHaveLength(1)
    const whole = await student(messages.read, { query: { id: notices[0]?.id } })
    expect(whole.data.url).toBe(`/pages/robot/robot?dialogId=${dialogId}`)
    await student(robot.dialog, { query: { dialogId } })
    await leave(dialogId)
    await sql`update desk_case set told_at = now() - interval '2 minutes' where dialog_id = ${dialogId}`.execute(
      db(),
    )
    await staff(desk.reply, { body: { dialogId, text: '第三句' } })
    expect(await listNotices(student, question)).toHaveLength(2)
  })

  test('can be handed over to a colleague or another desk', async () => {
    const dialogId = await atDesk()
    await staff(desk.take, { body: { dialogId } })
    const [own] = (await admin(desk.desks)).data
    const me = own?.agents.find(({ name }) => name !== '')
    expect(own?.agents).toHaveLength(2)
    expect(own?.otherDesks).toMatchObject([{ id: '2' }])
    expect(me).toBeDefined()
    const { id: adminId } = await db()
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow()
    await admin(desk.handOver, { body: { dialogId, agentId: adminId } })
    expect(await staff(desk.reply, { body: { dialogId, text: '还在吗' } })).toMatchObject({
      error: 'desk.not_yours',
    })
    expect((await admin(desk.reply, { body: { dialogId, text: '我来处理' } })).status).toBe(200)
    expect((await admin(desk.handOver, { body: { dialogId, deskId: '2' } })).status).toBe(200)
    expect(await admin(desk.read, { query: { dialogId } })).toMatchObject({
      error: 'desk.case_not_found',
    })
    expect((await staff(desk.read, { query: { dialogId } })).data.case).toMatchObject({
      deskId: '2',
      state: 'waiting',
    })
    expect(await staff(desk.handOver, { body: { dialogId, agentId: adminId } })).toMatchObject({
      status: 400,
    })
  })

  test('can be ended by its member and requested again', async () => {
    const dialogId = await atDesk()
    expect(await student(desk.request, { body: { deskId: '1', dialogId } })).toMatchObject({
      error: 'desk.already_there',
    })
    expect((await student(desk.end, { body: { dialogId } })).data.state).toBe('closed')
    const again = await student(desk.request, {
      body: { deskId: '1', dialogId, question: '还没好' },
    })
    expect(again.data.dialog.state).toBe('waiting')
    await student(desk.end, { body: { dialogId } })
  })

  test('can start at a closed desk, which answers that it is outside its hours', async () => {
    await sql`update desk set hours = 'Mo-Su off' where id = 2`.execute(db())
    const { data } = await student(desk.request, { body: { deskId: '2', question: '盖章去哪里' } })
    expect(data.answer?.text).toContain('不在服务时间')
    const { data: status } = await student(robot.online)
    expect(status).toMatchObject({ online: true, desks: [{ open: true }, { open: false }] })
    await student(desk.end, { body: { dialogId: data.dialog.id } })
  })
})

/** Makes a call while a transaction has made these changes, and commits them once the call had time to wait for it. */
async function during<T>(changes: (db: Db) => Promise<unknown>, call: () => Promise<T>) {
  const { pending } = await db()
    .transaction()
    .execute(async (db) => {
      await changes(db)
      const pending = call()
      await new Promise((resolve) => setTimeout(resolve, 500))
      return { pending }
    })
  return pending
}

describe('concurrent changes of a conversation', () => {
  const accountId = async (username: string) =>
    (
      await db()
        .selectFrom('account')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
    ).id
  const stateOf = async (dialogId: string) =>
    (await student(robot.dialog, { query: { dialogId } })).data.dialog.state

  test('do not deadlock when the member writes and the agent closes it', async () => {
    const dialogId = await atDesk()
    await staff(desk.take, { body: { dialogId } })
    const calls: Promise<{ status: number }>[] = []
    // The agent's call comes first, and both wait for the case.
    await during(
      async (db) => {
        await sql`select from desk_case where dialog_id = ${dialogId} for update`.execute(db)
        calls.push(staff(desk.close, { body: { dialogId } }))
        await new Promise((resolve) => setTimeout(resolve, 500))
      },
      async () => calls.push(student(robot.chat, { body: { question: '还有一个问题', dialogId } })),
    )
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200])
    expect(await stateOf(dialogId)).toBe('closed')
  })

  test('do not reopen it when the member ends it while it is handed over', async () => {
    const dialogId = await atDesk()
    await staff(desk.take, { body: { dialogId } })
    const agentId = await accountId('admin')
    const handed = await during(
      async (db) => {
        await sql`update dialog set state = 'closed' where id = ${dialogId}`.execute(db)
        await sql`update desk_case set state = 'closed' where dialog_id = ${dialogId}`.execute(db)
      },
      () => staff(desk.handOver, { body: { dialogId, agentId } }),
    )
    expect(handed).toMatchObject({ error: 'desk.not_yours' })
    expect(await stateOf(dialogId)).toBe('closed')
  })

  test.each<[string, (dialogId: string) => Promise<{ error: unknown }>]>([
    ['answers', (dialogId) => staff(desk.reply, { body: { dialogId, text: '还在吗' } })],
    ['closes', (dialogId) => staff(desk.close, { body: { dialogId } })],
  ])('are refused to an agent who %s it while it is handed over', async (_, call) => {
    const dialogId = await atDesk()
    await staff(desk.take, { body: { dialogId } })
    const agentId = await accountId('admin')
    const refused = await during(
      async (db) => {
        await sql`update dialog set last_at = now() where id = ${dialogId}`.execute(db)
        await sql`update desk_case set agent_account_id = ${agentId} where dialog_id = ${dialogId}`.execute(
          db,
        )
      },
      () => call(dialogId),
    )
    expect(refused).toMatchObject({ error: 'desk.not_yours' })
    expect(await stateOf(dialogId)).toBe('agent')
  })
})

test('a long conversation goes on at a desk, where both see its newest lines', async () => {
  const addLines = (dialogId: string, count: number) =>
    sql`insert into dialog_line (dialog_id, author, text, created_at)
      select ${dialogId}::bigint, 'robot', 'x', now() - interval '1 hour' from generate_series(1, ${count}::integer)`.execute(
      db(),
    )
  const { data } = await student(robot.chat, { body: { question: '很长的对话' } })
  const dialogId = data.dialog.id
  await addLines(dialogId, maxLines)
  const body = { deskId: '1', dialogId, question: '转人工' }
  expect(await student(desk.request, { body })).toMatchObject({ status: 200 })
  const taken = await staff(desk.take, { body: { dialogId } })
  expect(taken.data.lines).toHaveLength(maxLines)
  expect(taken.data.lines.slice(-3)).toMatchObject([
    { author: 'member', text: '转人工' },
    { author: 'note' },
    { author: 'note', text: '人工客服已接入' },
  ])
  const replied = await staff(desk.reply, { body: { dialogId, text: '请说。' } })
  expect(replied.data.lines.at(-1)).toMatchObject({ author: 'agent', text: '请说。' })
  const write = () => student(robot.chat, { body: { question: '谢谢', dialogId } })
  expect(await write()).toMatchObject({ status: 200 })
  const read = await student(robot.dialog, { query: { dialogId } })
  expect(read.data.lines.slice(-2)).toMatchObject([{ text: '请说。' }, { text: '谢谢' }])
  await addLines(dialogId, maxDeskLines - maxLines)
  expect(await write()).toMatchObject({ error: 'robot.dialog_full' })
  await staff(desk.close, { body: { dialogId } })
  // Too little room is left for another conversation.
  expect(await student(desk.request, { body })).toMatchObject({ error: 'robot.dialog_full' })
})

describe('members without access', () => {
  test('cannot see, take, answer or end a conversation', async () => {
    const dialogId = await atDesk()
    for (const answer of [
      await teacher(desk.read, { query: { dialogId } }),
      await teacher(desk.take, { body: { dialogId } }),
      await teacher(desk.reply, { body: { dialogId, text: 'x' } }),
      await teacher(desk.close, { body: { dialogId } }),
      await teacher(desk.handOver, { body: { dialogId, agentId: '1' } }),
    ])
      expect(answer).toMatchObject({ status: 404, error: 'desk.case_not_found' })
    expect((await teacher(desk.end, { body: { dialogId } })).status).toBe(404)
    expect((await teacher(desk.desks)).data).toEqual([])
    expect((await teacher(desk.queue)).data.list).toEqual([])
    expect(await teacher(desk.phrases, { query: { deskId: '1' } })).toMatchObject({ status: 404 })
    expect((await app.visitor(desk.queue)).status).toBe(401)
    // Only the agent who took the case may write.
    expect(await staff(desk.reply, { body: { dialogId, text: 'x' } })).toMatchObject({
      error: 'desk.not_yours',
    })
    await student(desk.end, { body: { dialogId } })
  })

  test('cannot request a desk outside its audience', async () => {
    const { data } = await admin(deskConsole.create, {
      body: {
        name: '教师服务台',
        audience: [{ effect: 'include', kind: 'identity', target: 'T01' }],
        agents: ['admin'],
      },
    })
    const body = { deskId: data.id, question: '你好' }
    expect(await student(desk.request, { body })).toMatchObject({ error: 'desk.not_found' })
    expect((await teacher(robot.online)).data.desks.map(({ name }) => name)).toContain('教师服务台')
    expect((await student(robot.online)).data.desks.map(({ name }) => name)).not.toContain(
      '教师服务台',
    )
  })
})

test('saved answers are shared by all agents of a desk', async () => {
  const added = await staff(desk.addPhrase, {
    body: { deskId: '1', title: '重启', text: '请重启。' },
  })
  const phrase = added.data.find(({ title }) => title === '重启')
  expect((await admin(desk.phrases, { query: { deskId: '1' } })).data).toContainEqual(phrase)
  const params = { id: phrase?.id }
  expect((await teacher(desk.removePhrase, { params })).status).toBe(404)
  expect((await admin(desk.removePhrase, { params })).status).toBe(200)
})

describe('operators', () => {
  const body = {
    name: '后勤服务台',
    audience: [{ effect: 'include', kind: 'everybody' }],
    hours: 'Mo-Fr 09:00-17:00',
    agents: ['staff', 'STAFF'],
  }
  test('create, change and delete desks, except desks with open conversations', async () => {
    const { data } = await admin(deskConsole.create, { body })
    expect(data).toMatchObject({ agents: ['staff'], waiting: 0, score: null })
    const params = { id: data.id }
    const changed = { ...body, name: '后勤', revision: 1 }
    expect((await admin(deskConsole.update, { params, body: changed })).data.name).toBe('后勤')
    expect(await admin(deskConsole.update, { params, body: changed })).toMatchObject({
      error: 'desk.changed_meanwhile',
    })
    const asked = await student(desk.request, { body: { deskId: data.id, question: '漏水' } })
    expect(await admin(deskConsole.remove, { params })).toMatchObject({ error: 'desk.in_use' })
    await student(desk.end, { body: { dialogId: asked.data.dialog.id } })
    expect((await admin(deskConsole.remove, { params })).status).toBe(200)
  })

  test('get validation errors by field, and members are rejected', async () => {
    for (const [field, value] of [
      ['hours', 'always'],
      ['agents', ['nobody-here']],
      ['organization', 'NOWHERE'],
    ] as const)
      expect(
        (await admin(deskConsole.create, { body: { ...body, [field]: value } })).fields,
      ).toHaveProperty(field)
    expect((await student(deskConsole.list)).status).toBe(403)
  })
})

test.each([
  ['', '2026-11-22T03:00:00Z', true],
  ['Mo-Fr 08:30-17:00', '2026-11-23T01:00:00Z', true],
  ['Mo-Fr 08:30-17:00', '2026-11-22T01:00:00Z', false],
  ['Mo-Fr 08:30-17:00', '2026-11-23T09:00:00Z', false],
  ['Su 22:00-02:00', '2026-11-22T17:00:00Z', true],
])('opening hours “%s” at %s: open is %s', (hours, at, open) => {
  expect(isOpen(hours, 'Asia/Shanghai', Temporal.Instant.from(at))).toBe(open)
})
