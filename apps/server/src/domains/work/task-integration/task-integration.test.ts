import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { registry } from '@atrium/contract/sso/registry'
import { delegations } from '@atrium/contract/work/delegations'
import { messages } from '@atrium/contract/work/messages'
import { taskIntegration } from '@atrium/contract/work/task-integration'
import { taskSources } from '@atrium/contract/work/task-sources.operator'
import { tasks } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endOutcome } from '#domains/work/tasks/handle.ts'
import { freePort } from '../../../../test/free-port.ts'
import { systemCaller } from '../../../../test/system-caller.ts'
import { listWrongTaskCounts } from '../../../../test/task-counts.ts'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { compareDueSources, compareSource } from './compare.ts'
import { startOutcomeDelivery } from './outcome-delivery.ts'
import { findSource, getSource } from './sources.ts'

let app: TestApp
let admin: Caller
let teacher: Caller
let staff: Caller
let node: Awaited<ReturnType<typeof openNode>>
let systems: ReturnType<typeof systemCaller>
let origin: string
let examplePort: number
let stop: () => Promise<void>
let address: string
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes long').toString('base64')}`
const soon = { timeout: 20_000, interval: 30 }

/** A fake source: the calls it received, its answers, and its list. */
const received: { headers: Record<string, string>; body: string }[] = []
let answers: { status: number; body?: object }[] = []
let pages: unknown[] = []
let listStatus = 200
const source = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    const headers = request.headers as Record<string, string>
    if (request.method === 'GET') {
      new Webhook(secret).verify('', headers, { json: false } as never)
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? 0)
      const nextCursor = page + 1 < pages.length ? String(page + 1) : null
      response
        .writeHead(listStatus, { 'content-type': 'application/json' })
        .end(JSON.stringify({ tasks: pages[page] ?? [], nextCursor }))
      return
    }
    received.push({ headers, body })
    const answer = answers.shift() ?? { status: 204 }
    response.writeHead(answer.status).end(answer.body && JSON.stringify(answer.body))
  })
})
const receivedData = () => received.map(({ body }) => JSON.parse(body).data)

beforeAll(async () => {
  app = await testApp()
  ;[admin, teacher, staff] = await Promise.all([
    app.as('admin'),
    app.as('teacher'),
    app.as('staff'),
  ])
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  const sourcePort = (source.address() as AddressInfo).port
  address = `http://127.0.0.1:${sourcePort}`
  examplePort = await freePort()
  const port = await freePort()
  node = await openNode(app.url, {
    PORT: String(port),
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${sourcePort},127.0.0.1:${examplePort}`,
  })
  await node.app.listen({ port, host: '127.0.0.1' })
  stop = startOutcomeDelivery(node.platform).stop
  origin = `http://localhost:${port}`
  systems = systemCaller({ origin, platform: node.platform, admin })
  for (const code of ['leave-system', 'mute-system', 'example-system', 'stranger'])
    expect(
      await admin(registry.create, {
        body: { code, name: code, redirectUris: [], integrations: ['transaction'] },
      }),
    ).toMatchObject({ status: 200 })
  for (const [code, system, more] of [
    [
      'leave',
      'leave-system',
      { callbackUrl: `${address}/told`, listUrl: `${address}/list`, secret },
    ],
    ['mute', 'mute-system', {}],
    [
      'example',
      'example-system',
      {
        callbackUrl: `http://127.0.0.1:${examplePort}/told`,
        listUrl: `http://127.0.0.1:${examplePort}/open`,
        secret,
      },
    ],
  ] as const)
    expect(
      await admin(taskSources.create, { body: { code, name: `${code} 系统`, system, ...more } }),
    ).toMatchObject({ status: 200 })
})
afterAll(async () => {
  await stop()
  await node.app.close()
  await node.platform.close()
  source.close()
})
beforeEach(() => {
  received.length = 0
  answers = []
  pages = []
  listStatus = 200
})

const call: typeof systems.call = (...given) => systems.call(...given)
const put = (list: object[], system = 'leave-system') =>
  call(system, taskIntegration.put, { body: { tasks: list } })
const actions = [
  { code: 'approve', text: '同意', textEn: 'Approve', tone: 'primary' },
  { code: 'refuse', text: '不同意', tone: 'danger', comment: 'required' },
]
let keys = 0
const leave = (more: object = {}, step: object = {}) => ({
  key: `leave-${++keys}`,
  title: `请假 ${keys}`,
  applicant: { username: 'student' },
  form: [{ label: '天数', value: '2' }],
  steps: [{ key: 's1', username: 'teacher', name: '辅导员审批', actions, ...step }],
  ...more,
})
const idOf = async (task: { key: string }) =>
  (
    await app.platform.db
      .selectFrom('task')
      .select('id')
      .where('source_key', '=', task.key)
      .executeTakeFirstOrThrow()
  ).id
const todosOf = async (caller: Caller) =>
  (await caller(tasks.list, { query: { pageSize: 200 } })).data.list
const countOf = async (caller: Caller) => (await caller(tasks.counts, {})).data.myTodo
const read = async (caller: Caller, id: string) =>
  (await caller(tasks.read, { params: { id } })).data
const handle = (caller: Caller, id: string, body: object) =>
  caller(tasks.handle, { params: { id }, body: body as never })

describe('a task from a source', () => {
  test('is listed and counted for its assignee', async () => {
    const before = await countOf(teacher)
    const task = leave({ title: '<b>请假</b>', urgent: true })
    const answer = await put([task])
    expect(answer).toMatchObject({
      status: 200,
      data: [{ key: task.key, result: 'created', reason: '', unknown: [] }],
    })
    expect(await countOf(teacher)).toBe(before + 1)
    const [line] = (await todosOf(teacher)).filter(({ title }) => title === '<b>请假</b>')
    expect(line).toMatchObject({ source: 'leave 系统', applicant: '林知夏', urgent: true })
    expect(line?.actions.map(({ code }) => code)).toEqual(['approve', 'refuse'])
    const student = await app.as('student')
    const [request] = (await student(tasks.list, { query: { level: 'myRequest' } })).data.list
    expect(request).toMatchObject({ id: line?.id, actions: [] })
  })

  test('is changed only by a newer version', async () => {
    const task = leave({ version: 5 })
    const resultOf = async (given: object) => (await put([given])).data[0].result
    expect(await resultOf(task)).toBe('created')
    expect(await resultOf(task)).toBe('unchanged')
    expect(await resultOf({ ...task, version: 4, title: '旧' })).toBe('stale')
    expect(await resultOf({ ...task, version: 6, title: '新' })).toBe('changed')
    expect((await read(teacher, await idOf(task))).title).toBe('新')
  })

  test('is created once by concurrent calls', async () => {
    const list = Array.from({ length: 40 }, () => leave())
    const both = await Promise.all([put(list), put([...list].reverse())])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await sql<{ tasks: number; steps: number }>`
      select count(distinct task.id)::integer as tasks, count(*)::integer as steps
      from task join task_step on task_step.task_id = task.id
      where source_key = any(${list.map(({ key }) => key)}::text[])`.execute(app.platform.db)
    expect(rows[0]).toEqual({ tasks: 40, steps: 40 })
  })

  test('can be reassigned, suspended and finished', async () => {
    const task = leave()
    await put([task])
    const id = await idOf(task)
    const before = { teacher: await countOf(teacher), staff: await countOf(staff) }
    await put([{ ...task, steps: [{ key: 's1', username: 'staff', name: '审批', actions }] }])
    expect(await countOf(teacher)).toBe(before.teacher - 1)
    expect(await countOf(staff)).toBe(before.staff + 1)
    expect((await teacher(tasks.read, { params: { id } })).status).toBe(404)
    await put([{ ...task, status: 'hang', steps: [{ key: 's1', username: 'staff', actions }] }])
    expect((await read(staff, id)).actions).toEqual([])
    expect(await handle(staff, id, { action: 'approve' })).toMatchObject({
      status: 409,
      error: 'task.action_unknown',
    })
    await put([{ ...task, status: 'finish', steps: [{ key: 's1', username: 'staff', actions }] }])
    expect(await countOf(staff)).toBe(before.staff)
  })

  test('shows unknown assignees in the record and is assigned once they are known', async () => {
    const task = leave({}, { username: 'new-teacher', name: '审批' })
    expect((await put([task])).data[0]).toMatchObject({
      result: 'created',
      unknown: ['new-teacher'],
    })
    expect((await put([task])).data[0]).toMatchObject({
      result: 'unchanged',
      unknown: ['new-teacher'],
    })
    const student = await app.as('student')
    const id = await idOf(task)
    const records = async () => (await student(tasks.records, { params: { id } })).data
    expect(await records()).toMatchObject([{ person: 'new-teacher', step: '审批', at: null }])
    await sql`insert into account (username, person_id, identity_type_code, organization_id)
      select 'new-teacher', person_id, identity_type_code, organization_id from account where username = 'staff'`.execute(
      app.platform.db,
    )
    expect((await put([task])).data[0]).toMatchObject({ result: 'changed', unknown: [] })
    expect(await records()).toMatchObject([{ person: '陈思齐' }])
  })

  test('tells in both languages what was done in its source, and of which kind', async () => {
    const approval = { number: 'T0042', name: '审批', nameEn: 'Approval' }
    const done = { doneAt: '2026-01-02T03:00:00Z', action: '退回', actionEn: 'Sent back' }
    const task = leave({
      form: [{ label: '事由', labelEn: 'Reason', value: '参赛', valueEn: 'Contest' }],
    })
    const send = async (step: object) => (await put([{ ...task, steps: [step] }])).data[0]?.result
    expect(await send({ key: 'a', ...approval })).toBe('created')
    const student = await app.as('student')
    const id = await idOf(task)
    const read = async () => (await student(tasks.records, { params: { id } })).data
    expect(await read()).toMatchObject([{ stepEn: 'Approval', actionEn: '', tone: null }])
    expect(await send({ key: 'a', ...approval, ...done, tone: 'danger' })).toBe('changed')
    expect(await read()).toMatchObject([{ action: '退回', actionEn: 'Sent back', tone: 'danger' }])
    expect(await send({ key: 'a', ...approval, ...done })).toBe('changed')
    expect(await read()).toMatchObject([{ actionEn: 'Sent back', tone: null }])
    expect((await student(tasks.read, { params: { id } })).data.form).toMatchObject([
      { labelEn: 'Reason', valueEn: 'Contest' },
    ])
  })

  test('is refused if it is invalid, without affecting others in the call', async () => {
    const good = leave()
    const twice = leave({ steps: [{ key: 'a' }, { key: 'a' }] })
    const choice = leave(
      {},
      { actions: [{ code: 'x', text: 'X', fields: [{ name: 'f', label: 'F', kind: 'choice' }] }] },
    )
    const { data } = await put([good, good, twice, choice])
    expect(
      data.map(({ result, reason }: { result: string; reason: string }) => [result, reason]),
    ).toEqual([
      ['created', ''],
      ['refused', 'twice'],
      ['refused', 'steps: twice'],
      ['refused', 'choices: required'],
    ])
  })

  test.each([
    ['a javascript: URL', { url: 'javascript:alert(1)' }],
    ['an unknown field', { titel: 'a slip' }],
    ['no title', { title: ' ' }],
    ['an unknown status', { status: 'done' }],
    ['an invalid time', { dueAt: 'tomorrow' }],
    ['a year out of range', { dueAt: '+999999-01-01T00:00:00Z' }],
    ['201 steps', { steps: Array.from({ length: 201 }, (_, at) => ({ key: `${at}` })) }],
    ['a null character', { title: 'a\u0000b' }],
  ])('is rejected with %s', async (_, more) => {
    expect(await put([leave(more)])).toMatchObject({ status: 400 })
  })

  test('belongs only to its source', async () => {
    const task = leave()
    await put([task])
    const others = await put([{ ...task, title: '别人的' }], 'mute-system')
    expect(others.data[0].result).toBe('created')
    const removed = await call('mute-system', taskIntegration.remove, {
      body: { keys: [task.key] },
    })
    expect(removed.data).toEqual({ removed: 1 })
    expect((await read(teacher, await idOf(task))).title).toBe(task.title)
    expect(await put([task], 'stranger')).toMatchObject({
      status: 404,
      error: 'task.source_unknown',
    })
  })

  test('can be removed by its source', async () => {
    const task = leave()
    await put([task])
    const before = await countOf(teacher)
    await call('leave-system', taskIntegration.remove, { body: { keys: [task.key, 'nothing'] } })
    expect(await countOf(teacher)).toBe(before - 1)
  })
})

describe('a member’s action', () => {
  test('is applied at once and sent to the source with a signature', async () => {
    const task = leave()
    await put([task])
    const id = await idOf(task)
    const before = await countOf(teacher)
    answers = [{ status: 200, body: { accepted: true } }]
    const { data } = await handle(teacher, id, { action: 'approve', comment: ' 注意安全 ' })
    expect(data).toMatchObject({ actions: [], lastOutcome: { action: '同意', reason: '' } })
    expect(await countOf(teacher)).toBe(before - 1)
    await expect.poll(() => received.length, soon).toBe(1)
    const [{ headers, body } = { headers: {}, body: '' }] = received
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: 'task.handled',
      data: {
        task: task.key,
        step: 's1',
        action: 'approve',
        comment: '注意安全',
        by: { username: 'teacher', name: '周明远' },
      },
    })
    await expect.poll(async () => (await read(teacher, id)).outcome, soon).toBe('accepted')
    const [done] = (await teacher(tasks.list, { query: { level: 'myDone' } })).data.list
    expect(done).toMatchObject({ id, outcome: 'accepted' })
  })

  test('is reverted with the reason if the source refuses it, and can be repeated', async () => {
    const task = leave()
    await put([task])
    const id = await idOf(task)
    const before = await countOf(teacher)
    answers = [{ status: 200, body: { accepted: false, reason: '学生已销假' } }]
    await handle(teacher, id, { action: 'approve' })
    await expect.poll(async () => (await read(teacher, id)).outcome, soon).toBe('refused')
    expect(await read(teacher, id)).toMatchObject({
      doneAt: null,
      lastOutcome: { status: 'refused', reason: '学生已销假' },
    })
    expect(await countOf(teacher)).toBe(before)
    const { list } = (await teacher(messages.list, { query: {} })).data
    expect(list[0]).toMatchObject({
      title: `“同意”未被接收：${task.title}`,
      summary: '学生已销假',
    })
    await handle(teacher, id, { action: 'refuse', comment: '已销假' })
    await expect.poll(async () => (await read(teacher, id)).outcome, soon).toBe('accepted')
  })

  test('refused after its task has ended reopens nothing, and the member is told', async () => {
    const { db } = app.platform
    const task = leave()
    await put([task])
    const id = await idOf(task)
    const before = await countOf(teacher)
    answers = [{ status: 503 }]
    await handle(teacher, id, { action: 'approve' })
    await expect.poll(() => received.length, soon).toBe(1)
    // As when a list no longer contains it.
    await sql`update task set status = 'break' where id = ${id}`.execute(db)
    const outcome = await db
      .selectFrom('task_outcome')
      .select('id')
      .where('task_id', '=', id)
      .executeTakeFirstOrThrow()
    await db.transaction().execute((db) => endOutcome(db, outcome.id, { refused: '已撤销' }))
    expect(await read(teacher, id)).toMatchObject({ waits: false, outcome: 'refused' })
    expect(await countOf(teacher)).toBe(before - 1)
    const { list } = (await teacher(messages.list, { query: {} })).data
    expect(list[0]).toMatchObject({
      title: `“同意”未被接收：${task.title}`,
      summary: '已撤销',
    })
  })

  test('by a delegate names both members, and is reverted for both if refused', async () => {
    const today = Temporal.Now.plainDateISO('Asia/Shanghai').toString()
    const body = { startsOn: today, endsOn: today, people: ['staff'], sources: ['leave 系统'] }
    const { data: delegation } = await teacher(delegations.create, { body })
    const task = leave()
    await put([task])
    const id = await idOf(task)
    answers = [{ status: 200, body: { accepted: false, reason: '须本人办理' } }]
    expect((await handle(staff, id, { action: 'approve' })).status).toBe(200)
    await expect.poll(() => received.length, soon).toBe(1)
    expect(receivedData()[0]).toMatchObject({
      step: 's1',
      by: { username: 'staff', name: '陈思齐' },
      onBehalfOf: { username: 'teacher', name: '周明远' },
    })
    await expect
      .poll(async () => (await todosOf(staff)).some((one) => one.id === id), soon)
      .toBe(true)
    expect((await read(teacher, id)).doneAt).toBe(null)
    // Putting the task in again keeps the delegate's copy.
    await put([{ ...task, version: 1, title: '改过的标题' }])
    expect((await todosOf(staff)).find((one) => one.id === id)).toMatchObject({
      title: '改过的标题',
      onBehalfOf: '周明远',
    })
    const { data: outcomes } = await call('leave-system', taskIntegration.outcomes, {})
    expect(outcomes.find((one: { task: string }) => one.task === task.key)).toMatchObject({
      username: 'staff',
    })
    await teacher(delegations.end, { params: { id: delegation.id } })
    expect((await todosOf(staff)).some((one) => one.id === id)).toBe(false)
  })

  test('is queued while the source is down, and delivered in order with the same id', async () => {
    const task = leave({
      steps: [
        { key: 's1', username: 'teacher', actions },
        { key: 's2', username: 'staff', actions },
      ],
    })
    await put([task])
    const id = await idOf(task)
    answers = [{ status: 503 }]
    await handle(teacher, id, { action: 'approve' })
    await handle(staff, id, { action: 'refuse', comment: '人手不足' })
    await expect.poll(() => received.length, soon).toBe(1)
    expect(await read(teacher, id)).toMatchObject({ outcome: 'sending', actions: [] })
    // A state from before the outcome was sent does not undo it.
    await put([{ ...task, title: '改过的标题' }])
    expect(await read(teacher, id)).toMatchObject({ title: '改过的标题', outcome: 'sending' })
    expect((await todosOf(teacher)).some((one) => one.id === id)).toBe(false)
    await expect.poll(async () => (await read(staff, id)).outcome, soon).toBe('accepted')
    expect(receivedData().map(({ action }) => action)).toEqual(['approve', 'approve', 'refuse'])
    expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id'])
  })

  test('is applied once for concurrent devices and repeated calls', async () => {
    const [one, other] = [leave(), leave()]
    await put([one, other])
    const id = await idOf(one)
    const both = await Promise.all([
      handle(teacher, id, { action: 'approve' }),
      handle(teacher, id, { action: 'refuse', comment: '不行' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const key = 'the-same-call'
    const otherId = await idOf(other)
    const repeated = await Promise.all(
      [1, 2, 3].map(() => handle(teacher, otherId, { action: 'approve', key })),
    )
    expect(repeated.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await handle(teacher, id, { action: 'approve', key })).fields).toHaveProperty('key')
    await expect.poll(() => received.length, soon).toBe(2)
  })

  test('is rejected if the step does not offer it or its form is invalid', async () => {
    const fields = [
      { name: 'days', label: '天数', kind: 'number', required: true },
      { name: 'until', label: '到', kind: 'date' },
      { name: 'why', label: '类别', kind: 'choice', choices: [{ value: 'ill', text: '病假' }] },
    ]
    const task = leave(
      {},
      { actions: [...actions, { code: 'change', text: '改', comment: 'none', fields }] },
    )
    await put([task])
    const id = await idOf(task)
    expect(await handle(teacher, id, { action: 'delete' })).toMatchObject({ status: 409 })
    expect((await handle(teacher, id, { action: 'refuse' })).fields).toHaveProperty('comment')
    const wrong = { days: 'two', until: '2026-02-30', why: 'tired', more: 'x' }
    const { fields: issues } = await handle(teacher, id, {
      action: 'change',
      comment: '附言',
      form: wrong,
    })
    expect(Object.keys(issues ?? {}).sort()).toEqual([
      'comment',
      'form.days',
      'form.more',
      'form.until',
      'form.why',
    ])
    expect((await handle(staff, id, { action: 'approve' })).status).toBe(404)
    const form = { days: '3', until: '2026-02-28', why: 'ill' }
    expect((await handle(teacher, id, { action: 'change', form })).status).toBe(200)
    await expect.poll(receivedData, soon).toMatchObject([{ form }])
  })

  test('in a batch returns a result per task', async () => {
    const list = [leave(), leave(), leave({}, { username: 'staff' }), leave()]
    await put(list)
    const [a = '', b = '', foreign = '', d = ''] = await Promise.all(list.map(idOf))
    await handle(teacher, d, { action: 'approve' })
    const { data } = await teacher(tasks.batchHandle, {
      body: { ids: [a, foreign, '999999999', b, d], action: 'approve', comment: '' },
    })
    expect(data.map(({ id, error }) => [id, error])).toEqual([
      [a, ''],
      [foreign, 'task.not_found'],
      ['999999999', 'task.not_found'],
      [b, ''],
      [d, 'task.handled'],
    ])
    expect(data[1]?.message).toMatch(/[\u4e00-\u9fff]/)
    await expect.poll(() => received.length, soon).toBe(3)
  })

  test('can mark a copy as read', async () => {
    const task = leave({ steps: [{ key: 'c', username: 'staff', kind: 'circulate' }] })
    await put([task])
    const id = await idOf(task)
    const unread = async () => (await staff(tasks.counts, {})).data.myReaded
    const before = await unread()
    expect((await read(staff, id)).unread).toBe(true)
    await handle(staff, id, { action: 'read' })
    expect((await read(staff, id)).unread).toBe(false)
    expect(await unread()).toBe(before - 1)
    // The source does not know that it was read.
    await put([{ ...task, title: '改过' }])
    expect(await unread()).toBe(before - 1)
    expect((await handle(teacher, id, { action: 'read' })).status).toBe(404)
  })

  test('can be fetched by a source without a callback URL', async () => {
    const task = leave({}, { username: 'staff' })
    await put([task], 'mute-system')
    await handle(staff, await idOf(task), { action: 'approve', comment: '好' })
    const outcomes = async (query: string) =>
      (await call('mute-system', taskIntegration.outcomes, { query })).data
    const [first] = (await outcomes('')) as { id: string }[]
    expect(first).toMatchObject({
      task: task.key,
      step: 's1',
      username: 'staff',
      action: 'approve',
    })
    expect(await outcomes(`?after=${first?.id}`)).toEqual([])
    await expect.poll(async () => (await outcomes(''))[0].status, soon).toBe('accepted')
    expect(
      (await call('leave-system', taskIntegration.outcomes, { query: '' })).data,
    ).not.toContainEqual(expect.objectContaining({ id: first?.id }))
  })
})

describe('the list of a source', () => {
  const compare = async () => {
    await app.platform.db
      .updateTable('task_source')
      .set({ compare_due_at: sql<string>`now()` })
      .execute()
    await compareDueSources(node.platform)
    const { data } = await admin(taskSources.list, {})
    return data.find(({ code }) => code === 'leave')
  }
  const open = async () =>
    (
      await app.platform.db
        .selectFrom('task')
        .innerJoin('task_source', 'task_source.id', 'task.source_id')
        .select('source_key')
        .where('task_source.code', '=', 'leave')
        .where('status', '=', 'progress')
        .execute()
    )
      .map(({ source_key }) => source_key)
      .sort()

  test('repairs lost, changed and invented tasks', async () => {
    const [kept, lost, changed] = [leave(), leave(), leave()]
    await put([kept, lost, changed])
    const invented = Array.from({ length: 1200 }, () => leave({}, { username: 'admin' }))
    pages = [[kept, { ...changed, title: '改过' }], invented.slice(0, 700), invented.slice(700)]
    const before = await countOf(admin)
    const state = await compare()
    expect(state).toMatchObject({
      compareError: '',
      compared: { listed: 1202, created: 1200, changed: 1, ended: expect.any(Number) },
    })
    expect(await open()).toEqual([kept, changed, ...invented].map(({ key }) => key).sort())
    expect(await countOf(admin)).toBe(before + 1200)
    expect((await teacher(tasks.read, { params: { id: await idOf(lost) } })).status).toBe(404)
    const mended = state?.mended ?? 0
    const again = await compare()
    expect(again).toMatchObject({ compared: { created: 0, changed: 0, ended: 0 }, mended })
  })

  test('ends no tasks if it fails or is invalid', async () => {
    const before = await open()
    listStatus = 500
    expect((await compare())?.compareError).toContain('500')
    listStatus = 200
    pages = [[{ key: 'x' }]]
    expect((await compare())?.compareError).toContain('task 1 of a page')
    pages = [{ not: 'a list' }]
    expect((await compare())?.compareError).toContain('has no tasks array')
    expect(await open()).toEqual(before)
  })

  test('ends all tasks only when it is empty twice in a row', async () => {
    const before = await open()
    pages = [[]]
    expect(await compare()).toMatchObject({
      compared: { listed: 0, ended: 0 },
      compareError: expect.stringContaining('the list is empty'),
    })
    expect(await open()).toEqual(before)
    expect(await compare()).toMatchObject({ compared: { ended: before.length }, compareError: '' })
    expect(await open()).toEqual([])
  })
})

describe('operators', () => {
  test('register, list and remove sources', async () => {
    const { data } = await admin(taskSources.list, {})
    expect(data.map(({ code }) => code)).toEqual(['example', 'leave', 'mute'])
    expect(JSON.stringify(data)).not.toContain('whsec')
    const fields = { name: 'x', system: 'stranger' }
    const known = await admin(taskSources.create, { body: { ...fields, code: 'leave' } })
    expect(known.error).toBe('task.source_known')
    const missing = await admin(taskSources.create, {
      body: { ...fields, code: 'y', system: 'nobody' },
    })
    expect(missing.fields).toHaveProperty('system')
    const created = await admin(taskSources.create, { body: { ...fields, code: 'y' } })
    expect(created.data).toMatchObject({ open: 0, waiting: 0, putAt: null })
    const params = { code: 'y' }
    expect((await admin(taskSources.compare, { params })).error).toBe('task.source_lists_nothing')
    expect(
      (await admin(taskSources.update, { params, body: { ...fields, system: 'leave-system' } }))
        .error,
    ).toBe('task.source_known')
    expect((await admin(taskSources.remove, { params })).status).toBe(200)
    expect((await admin(taskSources.remove, { params: { code: 'leave' } })).error).toBe(
      'task.source_used',
    )
    expect((await teacher(taskSources.list, {})).status).toBe(403)
  })
})

test('the example creates a leave request, receives the approval and exits', async () => {
  const script = '../../../../../../examples/tasks/desk.mjs'
  const desk = spawn(
    process.execPath,
    [path.join(import.meta.dirname, script), 'teacher', 'student'],
    {
      env: {
        PORTAL: origin,
        CLIENT_ID: 'example-system',
        CLIENT_SECRET: await systems.secretOf('example-system'),
        SECRET: secret,
        PORT: String(examplePort),
      },
    },
  )
  const ended = new Promise((resolve) => desk.once('exit', resolve))
  let said = ''
  for (const stream of [desk.stdout, desk.stderr]) stream.on('data', (text) => (said += text))
  await expect.poll(() => said, soon).toContain('created')
  const find = async () =>
    (await todosOf(teacher)).find(({ title }) => title === '请假申请（2 天）')
  const { id = '' } = (await find()) ?? {}
  const { db } = node.platform
  await compareSource(node.platform, await findSource(db, 'example'))
  expect(await getSource(db, 'example')).toMatchObject({
    open: 1,
    compareError: '',
    compared: { listed: 1, ended: 0 },
  })
  await handle(teacher, id, { action: 'approve', comment: '路上小心' })
  expect(await ended).toBe(0)
  expect(said).toContain('周明远: approve 路上小心')
  expect((await read(teacher, id)).status).toBe('finish')
})

test('the stored task counts match the rows after all tests', async () => {
  expect(await listWrongTaskCounts(app.platform.db)).toEqual([])
})
