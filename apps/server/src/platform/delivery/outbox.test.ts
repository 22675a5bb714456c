import { createServer, type Server } from 'node:net'
import { outbox } from '@atrium/contract/identity/outbox.operator'
import { passwordless } from '@atrium/contract/identity/passwordless'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { deleteGrants, insertGrants } from '#domains/identity/operators/queries.ts'
import { mailServer } from '../../../test/mail-server.ts'
import { openNode, testApp } from '../../../test/test-app.ts'
import { sendMail, sendSms } from './outbox.ts'
import { deleteOldMessages, openResultWriter, startOutbox } from './outbox-worker.ts'

const { platform, url, as, visitor } = await testApp()
const { db } = platform

const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

/** A node outside demo mode that sends through these providers. */
async function sendingNode(variables: Record<string, string>) {
  const node = await openNode(url, {
    ATRIUM_DEMO: '0',
    ATRIUM_MAIL_FROM: variables.ATRIUM_MAIL_URL ? 'Jianglan <portal@jianglan.example>' : '',
    ...variables,
  })
  const worker = startOutbox(node.platform)
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await worker.stop()
    await node.app.close()
    await node.platform.close()
  }
  stops.push(stop)
  return { ...node, stop }
}

async function row(recipient: string) {
  const { rows } = await sql<{
    id: string
    body: string
    subject: string
    tries: number
    sent_at: string | null
    failed_at: string | null
    error: string
    wait: number
    template_values: Record<string, string>
  }>`select *, extract(epoch from due_at - now())::float8 as wait from outbox where recipient = ${recipient} order by id desc limit 1`.execute(
    db,
  )
  return rows[0]
}
const within = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

test('in a demo nothing is sent, and operators can read codes in the outbox', async () => {
  const { data } = await visitor(passwordless.smsInit)
  await visitor(passwordless.smsSend, { body: { mobile: '13800000001', nonce: data.nonce } })
  const list = await (await as('admin'))(outbox.list, { query: { kind: 'sms' } })
  expect(list.data.list[0]).toMatchObject({
    recipient: '13800000001',
    status: 'waiting',
    body: expect.stringMatching(/验证码 \d{6}/),
  })
  await sql`delete from outbox`.execute(db)
})

test('the outbox requires the identity permission', async () => {
  expect((await visitor(outbox.list)).status).toBe(401)
  expect((await (await as('student'))(outbox.list)).status).toBe(403)
  expect((await (await as('student'))(outbox.send, { params: { id: '1' } })).status).toBe(403)
  const teacher = await as('teacher')
  const { id } = await db
    .selectFrom('account')
    .select('id')
    .where('username', '=', 'teacher')
    .executeTakeFirstOrThrow()
  const statuses = async () => {
    await platform.topics.flushed()
    const send = await teacher(outbox.send, { params: { id: '999999' } })
    return [(await teacher(outbox.list)).status, send.status]
  }
  await insertGrants(db, id, ['content', 'services', 'messages', 'send', 'system'])
  expect(await statuses()).toEqual([403, 403])
  await insertGrants(db, id, ['identity'])
  expect(await statuses()).toEqual([200, 404])
  await deleteGrants(db, id, ['content', 'services', 'messages', 'send', 'system', 'identity'])
  expect(await statuses()).toEqual([403, 403])
})

test('with two nodes each mail is sent once after commit, and its code is then masked', async () => {
  const server = await mailServer()
  const env = {
    ATRIUM_MAIL_URL: `smtp://portal:right@127.0.0.1:${server.port}?tls=off`,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${server.port}`,
  }
  const one = await sendingNode(env)
  const other = await sendingNode(env)
  await db.transaction().execute(async (db) => {
    for (let at = 0; at < 30; at++)
      await sendMail(
        db,
        {
          to: `member${at}@jianglan.example`,
          subject: '江岚大学验证码：012345',
          text: '你的验证码是 012345。',
          values: { code: '012345' },
        },
        { seconds: 300 },
      )
  })
  await within(() => expect(server.mails).toHaveLength(30))
  expect(new Set(server.mails.map(({ to }) => to[0])).size).toBe(30)
  expect(server.mails[0]?.user).toBe('portal')
  expect(server.mails[0]?.text).toContain('From: Jianglan <portal@jianglan.example>')
  expect(server.mails[0]?.text).toContain('Auto-Submitted: auto-generated')
  // a sent code is removed from the outbox
  await within(async () => expect((await row('member0@jianglan.example'))?.sent_at).toBeTruthy())
  const sent = await row('member0@jianglan.example')
  expect(sent?.body).toBe('你的验证码是 ••••••。')
  expect(JSON.stringify(sent)).not.toContain('012345')
  await one.stop()
  await other.stop()
})

test('a mail of a rolled back transaction is not sent', async () => {
  const server = await mailServer()
  const node = await sendingNode({
    ATRIUM_MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${server.port}`,
  })
  await db
    .transaction()
    .execute(async (db) => {
      await sendMail(db, { to: 'undone@jianglan.example', subject: 's', text: 't' })
      throw new Error('undone')
    })
    .catch(() => {})
  await sendMail(db, { to: 'done@jianglan.example', subject: 's', text: 't' })
  await within(() => expect(server.mails.map(({ to }) => to[0])).toEqual(['done@jianglan.example']))
  await node.stop()
})

test('a permanent rejection fails at once and can be resent, a temporary one is retried', async () => {
  const server = await mailServer({
    refuse: { 'gone@jianglan.example': 550, 'later@jianglan.example': 451 },
  })
  const node = await sendingNode({
    ATRIUM_MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${server.port}`,
  })
  await sendMail(db, { to: 'gone@jianglan.example', subject: 's', text: 't' })
  await sendMail(db, { to: 'later@jianglan.example', subject: 's', text: 't' })
  await within(async () => expect((await row('gone@jianglan.example'))?.failed_at).toBeTruthy())
  await within(async () =>
    expect((await row('later@jianglan.example'))?.error).toContain('not here'),
  )
  const later = await row('later@jianglan.example')
  expect(later?.failed_at).toBeNull()
  expect(later?.wait).toBeGreaterThan(0)
  server.refuse['gone@jianglan.example'] = 0
  const { id = '' } = (await row('gone@jianglan.example')) ?? {}
  const admin = await as('admin')
  expect((await admin(outbox.send, { params: { id } })).data.status).toBe('waiting')
  await within(async () => expect((await row('gone@jianglan.example'))?.sent_at).toBeTruthy())
  expect(await admin(outbox.send, { params: { id } })).toMatchObject({
    status: 409,
    error: 'outbox.not_failed',
  })
  expect(await admin(outbox.send, { params: { id: '999999' } })).toMatchObject({
    error: 'outbox.not_found',
  })
  // sent after the pause of five seconds
  server.refuse['later@jianglan.example'] = 0
  await within(async () => expect((await row('later@jianglan.example'))?.sent_at).toBeTruthy())
  expect((await row('later@jianglan.example'))?.tries).toBeGreaterThan(1)
  await node.stop()
})

test('concurrent results are stored in one transaction, and an invalid one fails alone', async () => {
  const ids: string[] = []
  for (const to of ['a', 'b', 'c'])
    ids.push(await sendMail(db, { to: `${to}@together.example`, subject: 's', text: 't' }))
  const finish = openResultWriter(db)
  const transaction = vi.spyOn(db, 'transaction')
  const sent = (id: string) => finish({ id, status: 'sent', error: '' })
  await Promise.all(ids.map(sent))
  // One for the first result, one for all that arrived during it.
  expect(transaction).toHaveBeenCalledTimes(2)
  transaction.mockRestore()

  const failed = (id: string) => finish({ id, status: 'failed', error: 'gone' })
  const results = await Promise.allSettled([sent('1'), ...ids.map(failed), sent('no id')])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  for (const to of ['a', 'b', 'c'])
    expect(await row(`${to}@together.example`)).toMatchObject({
      sent_at: null,
      failed_at: expect.any(String),
      error: 'gone',
    })
})

test('delivery fails after the last retry, and an expired code is not sent', async () => {
  const node = await sendingNode({
    ATRIUM_MAIL_URL: 'smtp://127.0.0.1:1?tls=off',
    ATRIUM_OUTBOUND_ALLOW: '127.0.0.1/32:1',
  })
  await sendMail(db, { to: 'down@jianglan.example', subject: 's', text: 't' })
  await within(async () =>
    expect((await row('down@jianglan.example'))?.error).toContain('ECONNREFUSED'),
  )
  await sql`update outbox set tries = 6, due_at = now() where recipient = 'down@jianglan.example'`.execute(
    db,
  )
  await sql`select pg_notify('atrium', '{"kind":"outbox","key":"mail"}')`.execute(db)
  await within(async () => expect((await row('down@jianglan.example'))?.failed_at).toBeTruthy())
  await sql`
    insert into outbox (kind, recipient, body, template_values, good_until)
    values ('mail', 'late@jianglan.example', 'code 424242', '{"code":"424242"}', now() - interval '1 second')`.execute(
    db,
  )
  await sql`select pg_notify('atrium', '{"kind":"outbox","key":"mail"}')`.execute(db)
  await within(async () =>
    expect(await row('late@jianglan.example')).toMatchObject({
      error: 'The message expired before it could be sent.',
      body: 'code ••••••',
    }),
  )
  await node.stop()
})

test('a hanging mail server does not delay SMS', async () => {
  const sockets = new Set<{ destroy: () => void }>()
  const silent: Server = createServer((socket) => sockets.add(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const node = await sendingNode({
    ATRIUM_MAIL_URL: `smtp://127.0.0.1:${port}?tls=off`,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${port}`,
  })
  await sendMail(db, { to: 'hung@jianglan.example', subject: 's', text: 't' })
  await within(() => expect(sockets.size).toBeGreaterThan(0))
  await sendSms(db, { to: '13911111111', text: 't', template: 'code.zh', values: {} })
  await within(async () => expect((await row('13911111111'))?.error).toContain('ATRIUM_SMS'))
  for (const socket of sockets) socket.destroy()
  silent.close()
  await within(async () => expect((await row('hung@jianglan.example'))?.error).not.toBe(''))
  await node.stop()
}, 40_000)

test.each([
  // smtp-server has a self-signed certificate.
  ['with an untrusted certificate', 'untrusted', true, /cert/i],
  ['without STARTTLS', 'cleartext', false, /STARTTLS/],
])('a mail server %s gets no mail', async (_, recipient, startTls, error) => {
  const server = await mailServer({ startTls })
  const node = await sendingNode({
    ATRIUM_MAIL_URL: `smtp://127.0.0.1:${server.port}`,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${server.port}`,
  })
  const to = `${recipient}@jianglan.example`
  await sendMail(db, { to, subject: 's', text: 't' })
  await within(async () => expect((await row(to))?.error).toMatch(error))
  expect(server.mails).toEqual([])
  await node.stop()
})

test('a mail server in the internal network is used only if allowed', async () => {
  const server = await mailServer()
  const node = await sendingNode({ ATRIUM_MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off` })
  await sendMail(db, { to: 'closed@jianglan.example', subject: 's', text: 't' })
  await within(async () =>
    expect((await row('closed@jianglan.example'))?.error).toContain('ATRIUM_OUTBOUND_ALLOW'),
  )
  await node.stop()
})

test('outside a demo codes are masked for operators', async () => {
  const node = await openNode(url, { ATRIUM_DEMO: '0' })
  stops.push(async () => {
    await node.app.close()
    await node.platform.close()
  })
  await sendSms(db, {
    to: '13922222222',
    text: '验证码 987654',
    template: 'code.zh',
    values: { code: '987654' },
  })
  const { tokenOf } = await testApp()
  const answer = await node.app.inject({
    url: `${outbox.list.path}?recipient=13922222222`,
    headers: { 'x-id-token': await tokenOf('admin') },
  })
  expect(answer.json().data.list).toHaveLength(1)
  expect(answer.body).toContain('验证码 ••••••')
  expect(answer.body).not.toContain('987654')
})

test('the list is paginated, and old messages are deleted', async () => {
  await sql`delete from outbox`.execute(db)
  for (let at = 0; at < 5; at++)
    await sendMail(db, { to: `page${at}@jianglan.example`, subject: 's', text: 't' })
  const admin = await as('admin')
  const first = (await admin(outbox.list, { query: { pageSize: 3 } })).data
  expect(first.list.map(({ recipient }) => recipient)).toEqual(
    [4, 3, 2].map((at) => `page${at}@jianglan.example`),
  )
  const second = (await admin(outbox.list, { query: { pageSize: 3, cursor: first.nextCursor } }))
    .data
  expect(second.list).toHaveLength(2)
  expect(second.nextCursor).toBeNull()
  expect((await admin(outbox.list, { query: { cursor: 'x' } })).status).toBe(400)
  await sql`update outbox set created_at = now() - interval '31 days' where recipient like 'page0%'`.execute(
    db,
  )
  await deleteOldMessages(db)
  expect((await admin(outbox.list)).data.list).toHaveLength(4)
})
