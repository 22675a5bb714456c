import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { registry } from '@atrium/contract/sso/registry'
import { messageIntegration } from '@atrium/contract/work/message-integration'
import { messageApps } from '@atrium/contract/work/message-integration.operator'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { systemCaller } from '../../../../test/system-caller.ts'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { startBroadcasts } from '../messages/broadcast.ts'
import { deleteOldEvents, startCallbacks } from './callbacks.ts'

let app: TestApp
let admin: Caller
let node: Awaited<ReturnType<typeof openNode>>
let origin: string
let systems: ReturnType<typeof systemCaller>
const callbackSecret = `whsec_${Buffer.from('a secret of thirty-two bytes long').toString('base64')}`
const soon = { timeout: 20_000, interval: 30 }

/** A fake sending system: the callbacks it received, and its answers. */
const told: { headers: Record<string, string>; body: string }[] = []
let answers: number[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    told.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(answers.shift() ?? 204).end()
  })
})
const events = () => told.flatMap(({ body }) => JSON.parse(body).data.events)
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const receiverPort = (receiver.address() as AddressInfo).port
  const port = await freePort()
  node = await openNode(app.url, {
    PORT: String(port),
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${receiverPort}`,
  })
  await node.app.listen({ port, host: '127.0.0.1' })
  origin = `http://localhost:${port}`
  systems = systemCaller({ origin, platform: node.platform, admin })
  stops.push(startCallbacks(node.platform).stop, startBroadcasts(node.platform).stop)
  for (const code of ['loan-system', 'other-system']) {
    const registered = await admin(registry.create, {
      body: { code, name: code, redirectUris: [], integrations: ['message'] },
    })
    expect(registered.status, JSON.stringify(registered.fields)).toBe(200)
  }
  const created = await admin(messageApps.create, {
    body: {
      code: 'loans',
      name: '借阅提醒',
      nameEn: 'Loans',
      icon: { glyph: 'library', tone: 'violet' },
      system: 'loan-system',
      callbackUrl: `http://127.0.0.1:${receiverPort}/told`,
      callbackSecret,
      kinds: [
        { code: 'general', name: '通知', nameEn: 'General' },
        {
          code: 'due',
          name: '到期',
          template: {
            title: '《{{book}}》将到期',
            titleEn: '{{book}} is due',
            content: '<p>{{book}}</p>',
          },
        },
        {
          code: 'alarm',
          name: '警报',
          urgent: true,
          channels: ['push', 'sms'],
          defaultChannels: ['push'],
        },
        { code: 'rare', name: '少量', maxPerHour: 2 },
      ],
    },
  })
  expect(created.status, JSON.stringify(created.fields)).toBe(200)
})
afterAll(async () => {
  for (const stop of stops) await stop()
  await node.app.close()
  await node.platform.close()
  receiver.close()
})
beforeEach(() => {
  told.length = 0
  answers = []
})

const call = (
  endpoint: { method: string; path: string },
  input: { params?: Record<string, string>; query?: string; body?: object },
  system = 'loan-system',
) => systems.call(system, endpoint, input)
let keys = 0
const send = (body: object, system?: string) =>
  call(
    messageIntegration.send,
    {
      body: {
        key: `key-${++keys}`,
        app: 'loans',
        title: '标题',
        to: { usernames: ['student'] },
        ...body,
      },
    },
    system,
  )
const statusOf = (id: string, system?: string) =>
  call(messageIntegration.status, { params: { id } }, system)

describe('a message from a system', () => {
  test('reaches the named recipients and reports why others were refused', async () => {
    const { status, data } = await send({
      to: { usernames: ['student', 'STUDENT', 'nobody-of-that-name', 'teacher'] },
      titleEn: 'Title',
      content: '<p>x<script>alert(1)</script></p>',
    })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      repeated: false,
      recipients: 2,
      refused: [
        { recipient: 'STUDENT', reason: 'twice' },
        { recipient: 'nobody-of-that-name', reason: 'unknown' },
      ],
    })
    const read = (await (await app.as('student'))(messages.read, { query: { id: data.id } })).data
    expect(read).toMatchObject({ titleEn: 'Title', content: '<p>x</p>', appName: '借阅提醒' })
  })

  test('is sent once per key, also for concurrent calls', async () => {
    const body = { key: 'twice' }
    const both = await Promise.all([send(body), send(body)])
    expect(new Set(both.map(({ data }) => data.id)).size).toBe(1)
    expect(both.map(({ data }) => data.repeated).sort()).toEqual([false, true])
    expect((await statusOf(both[0]?.data.id)).data.recipients).toBe(1)
    // Keys are scoped to the sending system.
    expect((await send({ ...body, app: 'loans' }, 'other-system')).status).toBe(404)
  })

  test('takes its texts from the template of its kind and requires every variable', async () => {
    const due = { kind: 'due', title: undefined }
    const { data } = await send({ ...due, variables: { book: '红与黑<b>' } })
    const read = (await (await app.as('student'))(messages.read, { query: { id: data.id } })).data
    expect(read).toMatchObject({
      title: '《红与黑<b>》将到期',
      titleEn: '红与黑<b> is due',
      content: '<p>红与黑&lt;b&gt;</p>',
    })
    const refused = await send({ ...due, variables: {} })
    expect(refused).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(refused.fields).sort()).toEqual(['content', 'title', 'titleEn'])
  })

  test('can have variables per recipient, and recipients without a value are refused', async () => {
    const { data } = await send({
      kind: 'due',
      title: undefined,
      summary: '{{place}}，{{day}}',
      variables: { place: '总馆', day: '明天' },
      to: {
        recipients: [
          {
            username: 'student',
            variables: { book: '红与黑<b>', 'book.en': 'The Red & the Black' },
          },
          { username: 'Teacher', variables: { book: '史记', day: '今天' } },
          { username: 'staff', variables: { title: 'x' } },
          { username: 'student', variables: { book: '论语' } },
          { number: 'nobody-of-that-number', variables: { book: '论语' } },
        ],
        usernames: ['admin'],
      },
    })
    expect(data).toMatchObject({
      recipients: 2,
      refused: [
        { recipient: 'staff', reason: 'variables', missing: ['book'] },
        { recipient: 'student', reason: 'twice' },
        { recipient: 'nobody-of-that-number', reason: 'unknown' },
        { recipient: 'admin', reason: 'variables', missing: ['book'] },
      ],
    })
    const student = await app.as('student')
    const teacher = await app.as('teacher')
    expect((await student(messages.read, { query: { id: data.id } })).data).toMatchObject({
      title: '《红与黑<b>》将到期',
      titleEn: 'The Red & the Black is due',
      summary: '总馆，明天',
      content: '<p>红与黑&lt;b&gt;</p>',
    })
    expect((await teacher(messages.read, { query: { id: data.id } })).data).toMatchObject({
      title: '《史记》将到期',
      titleEn: '史记 is due',
      summary: '总馆，今天',
      content: '<p>史记</p>',
    })
    // The title is shown with the reader's own values, and search finds it by them.
    const found = await teacher(messages.list, { query: { keyWords: '史记' } })
    expect(found.data.list).toMatchObject([{ id: data.id, title: '《史记》将到期' }])
    const other = await student(messages.list, { query: { keyWords: '史记' } })
    expect(other.data.list).toEqual([])
    const { data: apps } = await student(messages.apps)
    expect(apps.find(({ code }: { code: string }) => code === 'loans')?.lastMessage).toMatchObject({
      id: data.id,
      title: '《红与黑<b>》将到期',
      titleEn: 'The Red & the Black is due',
    })
    const correct = (title: string) =>
      call(messageIntegration.update, { params: { id: data.id }, body: { title } })
    expect(await correct('{{shelf}}')).toMatchObject({
      status: 400,
      fields: { title: expect.any(String) },
    })
    expect((await correct('《{{book}}》已到期')).status).toBe(200)
    expect((await teacher(messages.read, { query: { id: data.id } })).data.title).toBe(
      '《史记》已到期',
    )
  })

  test('variables are escaped and cannot inject scripts or javascript: links', async () => {
    const { data } = await send({
      content: '<a href="{{link}}">{{word}}</a>',
      to: {
        recipients: [
          {
            username: 'student',
            variables: { link: 'javascript:x()', word: '<img src=x onerror=y()>' },
          },
        ],
      },
    })
    const read = (await (await app.as('student'))(messages.read, { query: { id: data.id } })).data
    expect(read.content).toBe(
      '<a rel="noopener noreferrer" target="_blank">&lt;img src=x onerror=y()&gt;</a>',
    )
  })

  test('accepts 10,000 recipients with their own variables, and no more', async () => {
    const recipients = Array.from({ length: 10_000 }, (_, at) => ({
      username: at === 0 ? 'student' : `nobody-${at}`,
      variables: { book: `书 ${at}` },
    }))
    const { data } = await send({ kind: 'due', title: undefined, to: { recipients } })
    expect(data).toMatchObject({ recipients: 1 })
    expect(data.refused).toHaveLength(9999)
    const more = await send({ to: { recipients, usernames: ['teacher'] } })
    expect(more).toMatchObject({ status: 400, fields: { to: expect.any(String) } })
  })

  test.each([
    ['an unknown application', { app: 'nothing' }, 404, 'message.app_not_found'],
    ['an unknown kind', { kind: 'nothing' }, 404, 'message.kind_not_found'],
    [
      'urgent for a kind that is not',
      { urgent: { reason: 'A storm is coming' } },
      400,
      'request.invalid',
    ],
    ['no recipients', { to: {} }, 400, 'request.invalid'],
    [
      'both rules and usernames',
      { to: { usernames: ['student'], rules: [{ effect: 'include', kind: 'everybody' }] } },
      400,
      'request.invalid',
    ],
    [
      'an unknown group',
      { to: { rules: [{ effect: 'include', kind: 'group', target: 'no-such-group' }] } },
      400,
      'request.invalid',
    ],
    ['a javascript: URL', { url: 'javascript:alert(1)' }, 400, 'request.invalid'],
    ['an http URL', { url: 'http://plain.example/' }, 400, 'request.invalid'],
    ['a protocol-relative URL', { url: '//elsewhere.example/' }, 400, 'request.invalid'],
    ['no title', { title: undefined }, 400, 'request.invalid'],
    ['an unknown field', { titel: 'a slip' }, 400, 'request.invalid'],
    ['too many recipients', { to: { usernames: Array(10_001).fill('x') } }, 400, 'request.invalid'],
    ['a body of 10 MB', { content: 'x'.repeat(10_000_000) }, 413, 'request.too_large'],
  ] as const)('is rejected with %s', async (_, wrong, status, error) => {
    expect(await send(wrong)).toMatchObject({ status, error })
  })

  test('is rejected after its kind has reached its hourly limit', async () => {
    expect((await send({ kind: 'rare' })).status).toBe(200)
    expect((await send({ kind: 'rare' })).status).toBe(200)
    expect(await send({ kind: 'rare' })).toMatchObject({
      status: 429,
      error: 'message.sender_limit',
    })
    // A repeated call is answered even above the limit.
    expect(await send({ kind: 'rare', key: `key-${keys - 2}` })).toMatchObject({
      status: 200,
      data: { repeated: true, recipients: 1 },
    })
  })

  test('can be urgent if its kind allows it, and the reason is audited', async () => {
    expect(await send({ kind: 'alarm', urgent: { reason: '' } })).toMatchObject({ status: 400 })
    const { data } = await send({ kind: 'alarm', urgent: { reason: 'A storm is coming' } })
    const read = (await (await app.as('student'))(messages.read, { query: { id: data.id } })).data
    expect(read.urgent).toBe(true)
    const entry = await node.platform.db
      .selectFrom('audit_entry')
      .select(['operator', 'details'])
      .where('action', '=', 'urgent message')
      .executeTakeFirstOrThrow()
    expect(entry.operator).toBe('loan-system')
    expect(JSON.stringify(entry.details)).toContain('A storm is coming')
  })

  test('to an audience is delivered in the background', async () => {
    const { data } = await send({
      to: { rules: [{ effect: 'include', kind: 'identity', target: 'T01' }] },
    })
    expect(data.recipients).toBeNull()
    await expect.poll(async () => (await statusOf(data.id)).data.status, soon).toBe('sent')
    expect((await statusOf(data.id)).data.recipients).toBeGreaterThan(1)
    const first = await call(messageIntegration.recipients, {
      params: { id: data.id },
      query: '?pageSize=1',
    })
    expect(first.data.list).toHaveLength(1)
    expect(first.data.nextCursor).not.toBeNull()
  })

  test('can be corrected, and withdrawn from every inbox', async () => {
    const student = await app.as('student')
    const { data } = await send({ title: '旧' })
    const params = { id: data.id }
    await student(messages.markRead, { body: { ids: [data.id] } })
    const corrected = await call(messageIntegration.update, { params, body: { title: '新' } })
    expect(corrected).toMatchObject({ status: 200, data: { read: 1 } })
    expect((await student(messages.read, { query: params })).data).toMatchObject({
      title: '新',
      read: true,
    })
    for (const _ of [1, 2])
      expect((await call(messageIntegration.withdraw, { params })).data).toMatchObject({
        status: 'withdrawn',
        read: 1,
      })
    expect((await student(messages.read, { query: params })).status).toBe(404)
  })

  test('is not accessible to other systems or members', async () => {
    const { data } = await send({})
    const params = { id: data.id }
    for (const endpoint of [
      messageIntegration.status,
      messageIntegration.withdraw,
      messageIntegration.recipients,
    ])
      expect(await call(endpoint, { params }, 'other-system')).toMatchObject({ status: 404 })
    expect(
      await call(messageIntegration.update, { params, body: { title: 'x' } }, 'other-system'),
    ).toMatchObject({ status: 404 })
    expect(await send({}, 'other-system')).toMatchObject({
      status: 404,
      error: 'message.app_not_found',
    })
    expect((await (await app.as('student'))(messageIntegration.status, { params })).status).toBe(
      401,
    )
  })
})

describe('callbacks to the system', () => {
  test('report delivery, reading, confirmation and answer, signed and in order', async () => {
    const student = await app.as('student')
    const choices = [{ value: 'yes', text: '是' }]
    const { data } = await send({ confirm: true, choices })
    const { id } = data
    await student(messages.markRead, { body: { ids: [id] } })
    await student(messages.confirm, { body: { id } })
    await student(messages.answer, { body: { id, value: 'yes' } })
    const own = () => events().filter(({ messageId }) => messageId === id)
    await expect.poll(() => own().length, soon).toBe(4)
    expect(own().map(({ type, username, answer }) => [type, username, answer])).toEqual([
      ['delivered', 'student', null],
      ['read', 'student', null],
      ['confirmed', 'student', null],
      ['answered', 'student', 'yes'],
    ])
    const webhook = new Webhook(callbackSecret)
    for (const { headers, body } of told) webhook.verify(body, headers)
    const [{ headers, body }] = told as [(typeof told)[0]]
    expect(() => webhook.verify(body.replace('student', 'teacher'), headers)).toThrow()
    expect((await statusOf(id)).data).toMatchObject({
      read: 1,
      confirmed: 1,
      answers: [{ value: 'yes', count: 1 }],
    })
  })

  test('are retried with the missed events after the system was down', async () => {
    answers = [500, 503]
    const { data } = await send({})
    await expect.poll(() => told.length, soon).toBe(1)
    const registered = async () =>
      (await admin(messageApps.list)).data.find(({ code }) => code === 'loans')
    await expect.poll(registered, soon).toMatchObject({ callbackError: 'status 500' })
    await sql`update message_app set callback_due_at = now()`.execute(node.platform.db)
    await send({})
    await expect.poll(() => told.length, soon).toBe(2)
    await sql`update message_app set callback_due_at = now()`.execute(node.platform.db)
    await send({})
    await expect.poll(registered, soon).toMatchObject({ callbackError: '', callbackWaiting: 0 })
    expect(events().filter(({ messageId }) => messageId === data.id).length).toBeGreaterThan(0)
  })

  test('are retried with the same id and events before later events are sent', async () => {
    const { db } = node.platform
    const retry = () => sql`update message_app set callback_due_at = now()`.execute(db)
    const callOf = ({ headers, body }: (typeof told)[0]) => ({
      id: headers['webhook-id'],
      events: (JSON.parse(body).data.events as { id: string }[]).map(({ id }) => id),
    })
    answers = [504, 504]
    await send({})
    await expect.poll(() => told.length, soon).toBe(1)
    await send({})
    await send({})
    await retry()
    await send({})
    await expect.poll(() => told.length, soon).toBe(2)
    await retry()
    await send({})
    await expect.poll(() => events().length, soon).toBe(7)
    const [first, ...more] = told.map(callOf)
    expect(first?.events).toHaveLength(1)
    expect(more.slice(0, 2)).toEqual([first, first])
    const others = more.slice(2)
    expect(others.map(({ id }) => id)).not.toContain(first?.id)
    expect(new Set(others.flatMap((call) => call.events)).size).toBe(4)
  })

  test('are dropped for events older than three days', async () => {
    answers = [500]
    await send({})
    await expect.poll(() => told.length, soon).toBe(1)
    await sql`update message_event set happened_at = now() - interval '4 days'`.execute(
      node.platform.db,
    )
    await deleteOldEvents(node.platform)
    const { rows } = await sql`select from message_event`.execute(node.platform.db)
    expect(rows).toEqual([])
  })
})

describe('an application', () => {
  const fields = { name: '应用', icon: { glyph: 'bell', tone: 'blue' as const } }
  const kinds = [{ code: 'general', name: '通知' }]

  test('is registered once, changed, and removed only if it never sent a message', async () => {
    const body = { code: 'new-app', ...fields, kinds }
    expect((await admin(messageApps.create, { body })).status).toBe(200)
    expect(await admin(messageApps.create, { body })).toMatchObject({
      status: 409,
      error: 'message.app_known',
    })
    const params = { code: 'new-app' }
    const changed = await admin(messageApps.update, {
      params,
      body: { ...fields, name: '新名', kinds: [{ code: 'second', name: '第二' }] },
    })
    expect(changed.data).toMatchObject({ name: '新名', system: null })
    expect(changed.data.kinds.map(({ code }) => code).sort()).toEqual(['general', 'second'])
    expect((await admin(messageApps.remove, { params })).status).toBe(200)
    expect((await admin(messageApps.remove, { params })).status).toBe(404)
    expect(await admin(messageApps.remove, { params: { code: 'loans' } })).toMatchObject({
      status: 409,
      error: 'message.app_used',
    })
  })

  test('requires a registered system and allowed default channels', async () => {
    const body = { code: 'wrong-app', ...fields, kinds }
    expect(await admin(messageApps.create, { body: { ...body, system: 'nobody' } })).toMatchObject({
      status: 400,
      fields: { system: expect.any(String) },
    })
    const wrong = [{ code: 'general', name: '通知', defaultChannels: ['sms'] }]
    expect(await admin(messageApps.create, { body: { ...body, kinds: wrong } })).toMatchObject({
      status: 400,
      fields: { 'kinds.0.defaultChannels': expect.any(String) },
    })
    expect((await (await app.as('student'))(messageApps.list)).status).toBe(403)
  })
})

test('the example script sends a message with an attachment', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      path.join(import.meta.dirname, '../../../../../../examples/messages/send.mjs'),
      'student',
      '你好',
    ],
    {
      env: {
        PORTAL: origin,
        CLIENT_ID: 'loan-system',
        CLIENT_SECRET: await systems.secretOf('loan-system'),
        APP: 'loans',
        FILE: path.join(import.meta.dirname, '../../../../../../examples/messages/README.md'),
      },
    },
  )
  const [sent, status] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(sent).toMatchObject({ recipients: 1, refused: [] })
  expect(status).toMatchObject({ id: sent.id, status: 'sent', recipients: 1 })
  const { data } = await (await app.as('student'))(messages.read, { query: { id: sent.id } })
  expect(data).toMatchObject({ summary: 'student', attachments: [{ name: 'README.md' }] })
})
