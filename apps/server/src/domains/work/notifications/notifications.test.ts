import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { identity } from '@atrium/contract/identity/identity'
import { messages } from '@atrium/contract/work/messages'
import { notifications } from '@atrium/contract/work/notifications'
import { attentionDefaults } from '@atrium/contract/work/notifications.operator'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startOutbox } from '#platform/delivery/outbox-worker.ts'
import {
  type Caller,
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import {
  type BuiltInKind,
  defineBuiltInApp,
  ensureBuiltInApp,
  getBuiltInKind,
} from '../messages/built-in-apps.ts'
import { type NewMessage, sendMessage } from '../messages/send.ts'
import { deleteOldNotifications } from './queries.ts'
import { unsubscribeAddress } from './unsubscribe.ts'
import { announceBatch } from './worker.ts'

// The reference implementation of RFC 8188, to decrypt as a browser does.
const ece = createRequire(import.meta.url)('http_ece') as {
  decrypt: (body: Buffer, how: object) => Buffer
}

const own = defineBuiltInApp({
  code: 'atrium-notify-test',
  name: '测试',
  nameEn: 'Test',
  icon: { glyph: 'message', tone: 'blue' },
  position: 1,
  kinds: {
    general: { name: '通知', nameEn: 'General', defaultChannels: ['push'] },
    mailed: { name: '邮件', nameEn: 'Mailed', defaultChannels: ['mail'] },
    fixed: {
      name: '警报',
      nameEn: 'Alarm',
      defaultChannels: ['push'],
      canTurnOff: false,
      urgent: true,
    },
    quiet: { name: '安静', nameEn: 'Quiet', channels: [] },
  },
})

/** A fake push service: the requests it received, and its answers. */
const received: { path: string; headers: Record<string, string>; body: Buffer }[] = []
let answers: number[] = []
const service = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    received.push({
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(parts),
    })
    response.writeHead(answers.shift() ?? 201).end()
  })
})
/** The browser side of a subscription. */
function newDevice(name: string) {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/push/${name}`
  return {
    subscription: {
      endpoint,
      keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    read: () =>
      received
        .filter(({ path }) => path === `/push/${name}`)
        .map(({ body }) =>
          JSON.parse(
            ece
              .decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth })
              .toString(),
          ),
        ),
  }
}

let app: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let stop = async () => {}
let student: Caller
let device: ReturnType<typeof newDevice>
const soon = { timeout: 20_000, interval: 30 }
const anyTime = {
  quietFrom: null,
  quietUntil: null,
  daysOff: [],
  digest: 'none' as const,
  digestAt: '18:00',
  digestDay: 5,
  maxPerHour: 0,
}

beforeAll(async () => {
  app = await testApp()
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  node = await openNode(app.url, {
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${(service.address() as AddressInfo).port}`,
  })
  stop = startOutbox(node.platform).stop
  await ensureBuiltInApp(node.platform.db, own.spec)
  student = await on('student')
  device = newDevice('phone')
  expect((await student(notifications.subscribe, { body: device.subscription })).status).toBe(200)
})
afterAll(async () => {
  await stop()
  await node.app.close()
  await node.platform.close()
  service.close()
})
beforeEach(async () => {
  received.length = 0
  answers = []
  await sql`truncate notification, notification_waiting, notification_choice`.execute(
    node.platform.db,
  )
  await student(notifications.setAttention, { body: anyTime })
})

/** Calls the node that may reach the push service. */
async function on(username: 'student' | 'teacher' | 'admin'): Promise<Caller> {
  const token = await app.tokenOf(username)
  return async (endpoint, input = {}) => {
    const response = await node.app.inject({
      method: endpoint.method,
      url: endpoint.path,
      ...(input.query && { query: input.query as Record<string, string> }),
      ...(input.body && { payload: input.body }),
      headers: { 'x-id-token': token },
    })
    const { data, error, fields } = response.json()
    return { status: response.statusCode, data, error, fields, headers: {}, raw: '' } as never
  }
}
const accountOf = async (username: string) =>
  (
    await node.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id
async function send(
  title: string,
  kind: BuiltInKind = own.kinds.general,
  more: Partial<NewMessage> = {},
) {
  const { id } = await node.platform.db.transaction().execute(async (db) =>
    sendMessage(db, {
      kind,
      to: { accounts: [await accountOf('student')] },
      title: { zh: title, en: `${title} in English` },
      ...more,
    }),
  )
  return id
}
const announce = (now?: number) => announceBatch(node.platform, now)
const waiting = async () =>
  (await node.platform.db.selectFrom('notification_waiting').selectAll().execute()).length
const kindId = async (kind: BuiltInKind) => (await getBuiltInKind(node.platform.db, kind)).id

describe('a push notification', () => {
  test('is encrypted, signed, in both languages and links to its message', async () => {
    const id = await send('你好')
    await announce()
    await expect.poll(device.read, soon).toMatchObject([
      {
        title: ['你好', '你好 in English'],
        app: ['测试', 'Test'],
        ids: [id],
        url: `/pagesA/message/detail?id=${id}`,
      },
    ])
    const [{ headers, body }] = received as [(typeof received)[0]]
    expect(headers['content-encoding']).toBe('aes128gcm')
    expect(body.toString()).not.toContain('你好')
    const token = /t=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
    expect(decodeJwt(token).aud).toBe(new URL(device.subscription.endpoint).origin)
    const { publicKey } = (await student(notifications.pushKey)).data
    expect(headers.authorization).toContain(`k=${publicKey}`)
  })

  test('is retried after an error, and a 410 response deletes the subscription', async () => {
    answers = [503]
    await send('Later')
    await announce()
    await expect.poll(() => received.length, soon).toBe(1)
    const { db } = node.platform
    await sql`update outbox set due_at = now() where kind = 'push' and sent_at is null`.execute(db)
    await send('Kick')
    await announce()
    await expect.poll(() => received.length, soon).toBe(3)

    const old = newDevice('old-laptop')
    await student(notifications.subscribe, { body: old.subscription })
    answers = [410, 410]
    await send('Gone')
    await announce()
    const left = async () =>
      (await db.selectFrom('push_subscription').select('endpoint').execute()).length
    await expect.poll(left, soon).toBe(0)
    await student(notifications.subscribe, { body: device.subscription })
  })

  test('is never sent to an internal endpoint or to another account', async () => {
    const inside = { ...device.subscription, endpoint: 'http://127.0.0.1:1/push' }
    expect(await student(notifications.subscribe, { body: inside })).toMatchObject({
      status: 400,
      error: 'push.endpoint_refused',
    })
    const teacher = await on('teacher')
    await teacher(notifications.unsubscribe, { body: { endpoint: device.subscription.endpoint } })
    await send('Still here')
    await announce()
    await expect.poll(() => device.read().length, soon).toBe(1)
    // The member who signed in last on the device gets its notifications.
    await teacher(notifications.subscribe, { body: device.subscription })
    await send('Not here')
    expect(await waiting()).toBe(0)
    await student(notifications.subscribe, { body: device.subscription })
  })

  test('is not sent to a device after its session ends', async () => {
    const { data } = await app.visitor(identity.passwordLogin, {
      body: { username: 'student', password: demoPassword },
    })
    const token = idTokenOf(data)
    const shared = newDevice('library-computer')
    const subscribed = await node.app.inject({
      method: 'POST',
      url: notifications.subscribe.path,
      payload: shared.subscription,
      headers: { 'x-id-token': token },
    })
    expect(subscribed.statusCode).toBe(200)
    await send('Before')
    await announce()
    await expect.poll(() => shared.read().length, soon).toBe(1)
    await app.withToken(token)(identity.logout, { body: {} })
    await send('After')
    await announce()
    await expect.poll(() => device.read().length, soon).toBe(2)
    expect(shared.read()).toHaveLength(1)
  })

  test('is sent to the new subscription after the browser has replaced it', async () => {
    const next = newDevice('renewed')
    const visitor = (body: object) =>
      node.app.inject({ method: 'POST', url: notifications.renewSubscription.path, payload: body })
    const renewed = { oldEndpoint: device.subscription.endpoint, subscription: next.subscription }
    expect((await visitor({ ...renewed, oldEndpoint: 'http://127.0.0.1/guess' })).statusCode).toBe(
      200,
    )
    await visitor(renewed)
    await send('After')
    await announce()
    await expect.poll(() => next.read().length, soon).toBe(1)
    expect(device.read()).toEqual([])
    await visitor({ oldEndpoint: next.subscription.endpoint, subscription: device.subscription })
  })
})

describe('attention settings', () => {
  test('quiet hours hold non-urgent messages and bundle them afterwards', async () => {
    const now = new Date()
    const clock = (minutes: number) =>
      new Date(now.getTime() + minutes * 60_000).toLocaleTimeString('en-GB', {
        timeZone: 'Asia/Shanghai',
        hour: '2-digit',
        minute: '2-digit',
      })
    const quiet = { ...anyTime, quietFrom: clock(-60), quietUntil: clock(60) }
    expect((await student(notifications.setAttention, { body: quiet })).data).toEqual(quiet)
    expect((await student(notifications.attention)).data).toEqual(quiet)
    await send('One')
    await send('Two')
    await send('Alarm', own.kinds.fixed, { urgent: true })
    await announce()
    await expect.poll(device.read, soon).toMatchObject([{ title: ['Alarm', 'Alarm in English'] }])
    expect(await waiting()).toBe(2)
    await sql`update notification_waiting set due_at = now()`.execute(node.platform.db)
    await announce(now.getTime() + 61 * 60_000)
    await expect.poll(() => device.read().length, soon).toBe(2)
    expect(device.read()[1]).toMatchObject({
      title: ['2 条新消息', '2 new messages'],
      body: ['One\nTwo', 'One in English\nTwo in English'],
      url: '/pagesA/message/entry?unread=1',
    })
    expect(await waiting()).toBe(0)
  })

  test('messages read meanwhile cause no notification, and changed settings apply at once', async () => {
    await student(notifications.setAttention, {
      body: { ...anyTime, digest: 'daily', digestAt: '00:00' },
    })
    const read = await send('Read meanwhile')
    await send('Still unread')
    await announce()
    expect(await waiting()).toBe(2)
    await student(messages.markRead, { body: { ids: [read] } })
    await student(notifications.setAttention, { body: anyTime })
    await announce()
    await expect
      .poll(device.read, soon)
      .toMatchObject([{ title: ['Still unread', 'Still unread in English'] }])
  })

  test('the same text causes one notification within an hour', async () => {
    await send('Same')
    await announce()
    await send('Same')
    await announce()
    await expect.poll(() => device.read().length, soon).toBe(1)
    expect(await waiting()).toBe(0)
  })

  test('concurrent workers send one notification per message', async () => {
    await send('Once')
    await sql`update notification_waiting set due_at = now()`.execute(node.platform.db)
    await Promise.all([announce(), announce(), announce()])
    await send('After')
    await announce()
    await expect.poll(() => device.read().length, soon).toBe(2)
  })

  test('kinds can be turned off unless fixed, and muted applications are silent', async () => {
    const id = await kindId(own.kinds.general)
    const choose = (kind: string, channels: string[]) =>
      student(notifications.setReceiveSettings, { body: { kindId: kind, channels } })
    const listed = async () =>
      (await student(notifications.receiveSettings)).data.find((one) => one.kindId === id)
    expect(await listed()).toMatchObject({ chosen: ['push'], canTurnOff: true })
    expect((await choose(id, [])).status).toBe(200)
    expect(await listed()).toMatchObject({ chosen: [] })
    await send('Silent')
    expect(await waiting()).toBe(0)
    expect(await choose(await kindId(own.kinds.fixed), [])).toMatchObject({
      status: 409,
      error: 'message.kind_fixed',
    })
    expect(await choose('999999', [])).toMatchObject({ status: 404 })
    expect(await choose(await kindId(own.kinds.quiet), ['push'])).toMatchObject({ status: 400 })
    await choose(id, ['push'])
    const { app_id: appId } = await getBuiltInKind(node.platform.db, own.kinds.general)
    await student(messages.disturbed, { body: { appId, disturbed: true } })
    await send('Muted')
    expect(await waiting()).toBe(0)
    await student(messages.disturbed, { body: { appId, disturbed: false } })
  })

  test('operators set the defaults for members without settings', async () => {
    const admin = await on('admin')
    const body = { ...anyTime, quietFrom: '21:00', quietUntil: '08:00' }
    expect((await admin(attentionDefaults.update, { body })).data).toEqual(body)
    expect((await (await on('teacher'))(notifications.attention)).data).toEqual(body)
    expect((await student(notifications.attention)).data).toEqual(anyTime)
    expect((await student(attentionDefaults.update, { body })).status).toBe(403)
  })

  test.each([
    ['nonexistent hours', { quietFrom: '24:00', quietUntil: '07:00' }],
    ['a start without an end', { quietFrom: '22:00' }],
    ['seven days off a week', { daysOff: [1, 2, 3, 4, 5, 6, 7] }],
    ['a negative hourly limit', { maxPerHour: -1 }],
  ])('reject %s', async (_, wrong) => {
    const body = { ...anyTime, ...wrong }
    expect((await student(notifications.setAttention, { body })).status).toBe(400)
  })
})

describe('notifications by mail', () => {
  test('are sent to a verified address and can be unsubscribed with one click', async () => {
    const { db } = node.platform
    await sql`update person set email = 'student@example.edu', email_verified_at = now()
      where id = (select person_id from account where username = 'student')`.execute(db)
    const id = await send('Mailed', own.kinds.mailed)
    await announce()
    const mail = await db
      .selectFrom('outbox')
      .selectAll()
      .where('kind', '=', 'mail')
      .where('recipient', '=', 'student@example.edu')
      .executeTakeFirstOrThrow()
    expect(mail.subject).toBe('Mailed / Mailed in English')
    expect(mail.body).toContain(`/pagesA/message/detail?id=${id}`)
    const { unsubscribe } = mail.template_values as { unsubscribe: string }
    expect(unsubscribe).toBe(
      unsubscribeAddress(node.platform, await accountOf('student'), await kindId(own.kinds.mailed)),
    )
    const { pathname } = new URL(unsubscribe)
    // GET changes nothing, because mail programs open links automatically.
    const asked = await node.app.inject({ url: pathname, headers: { 'accept-language': 'en' } })
    expect(asked.body).toContain('Stop these emails')
    const { channels } = { channels: await chosen() }
    expect(channels).toEqual(['mail'])
    const forged = await node.app.inject({ method: 'POST', url: `${pathname.slice(0, -1)}_` })
    expect(forged.body).toContain('链接不完整')
    expect(await chosen()).toEqual(['mail'])
    await node.app.inject({
      method: 'POST',
      url: pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(await chosen()).toEqual([])
    async function chosen() {
      const kind = await kindId(own.kinds.mailed)
      const { data } = await student(notifications.receiveSettings)
      return data.find((one) => one.kindId === kind)?.chosen
    }
  })

  test('the channels report whether they are available and reach the member', async () => {
    const { data } = await student(notifications.channels)
    const state = Object.fromEntries(data.map(({ channel, ...one }) => [channel, one]))
    expect(state.push).toEqual({ available: true, reachable: true })
    expect(state.mail).toEqual({ available: true, reachable: true })
    expect(state.wecom).toEqual({ available: false, reachable: false })
  })
})

test('sent notifications are deleted after three days', async () => {
  await send('Old')
  await announce()
  await sql`update notification set sent_at = now() - interval '4 days'`.execute(node.platform.db)
  await deleteOldNotifications(node.platform.db)
  expect(await node.platform.db.selectFrom('notification').selectAll().execute()).toEqual([])
})
