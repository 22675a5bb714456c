import { randomUUID } from 'node:crypto'
import { settings } from '@atrium/contract/shell/config.operator'
import { messages } from '@atrium/contract/work/messages'
import { notifications } from '@atrium/contract/work/notifications'
import {
  type Recipient,
  type SendingPreview,
  type SendingResult,
  sending,
} from '@atrium/contract/work/sending'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { mailServer } from '../../../../test/mail-server.ts'
import { announceAtOnce, makeSender, openMailingNode } from '../../../../test/mailing-node.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { announceBatch } from '../notifications/worker.ts'
import { processDueMessage, sendBatch } from './worker.ts'

let app: TestApp
let admin: Caller
let student: Caller
let teacher: Caller
let node: Awaited<ReturnType<typeof openMailingNode>>
const mail = await mailServer({ refuse: { 'nobody@partner.example': 550 } })
const soon = { timeout: 20_000, interval: 30 }

beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
  student = await app.as('student')
  teacher = await app.as('teacher')
  node = await openMailingNode(app, mail)
  await sql`update person set email_verified_at = now() where id in (
    select person_id from account where username in ('student', 'teacher'))`.execute(
    node.platform.db,
  )
  await makeSender(admin, 'teacher', 'CS')
  await announceAtOnce(student)
})
afterAll(() => node.close())
beforeEach(async () => {
  mail.mails.length = 0
  await sql`truncate sending, sending_policy, sending_draft, notification, notification_waiting cascade`.execute(
    node.platform.db,
  )
})

const person = (accountName: string) => ({ accountName })
const everybody = { ins_code: 'JLU', below: true }
const mails = (address: string) => ({ externalType: 'email' as const, contactsNumber: address })

async function preview(
  recipients: readonly Recipient[],
  channels: string[] = [],
  as = admin,
): Promise<SendingPreview> {
  const answer = await as(sending.preview, { body: { recipients, channels } })
  expect(answer.status, answer.raw).toBe(200)
  return answer.data
}

/** Sends to the recipients the preview counts. @returns the id of the sending */
async function send(recipients: readonly Recipient[], more: object = {}, as = admin) {
  const { channels = [] } = more as { channels?: string[] }
  const { recipients: expected } = await preview(recipients, channels, as)
  const answer = await as(sending.send, {
    body: { key: randomUUID(), title: '停水通知', channels, recipients, expected, ...more },
  })
  expect(answer.status, answer.raw).toBe(200)
  return answer.data.sendId
}
const work = async (batch?: number) => {
  while ((await sendBatch(node.platform, batch)) > 0) {
    // until nothing is due
  }
}
async function resultOf(sendId: string, as = admin): Promise<SendingResult> {
  const answer = await as(sendingLedger.result, { query: { sendId } })
  expect(answer.status, answer.raw).toBe(200)
  addsUp(answer.data)
  return answer.data
}
/** Every recipient, and every channel of theirs, is in exactly one state. */
function addsUp({ inbox, channels }: SendingResult) {
  expect(inbox.waiting + inbox.delivered + inbox.withdrawn + inbox.failed).toBe(inbox.total)
  for (const { total, waiting, queued, sent, failed, skipped } of channels)
    expect(waiting + queued + sent + failed + skipped).toBe(total)
}

describe('rights', () => {
  test('a member without the permission gets 403 for every call', async () => {
    expect((await student(sending.rights)).data).toMatchObject({ may: false, everywhere: false })
    const key = randomUUID()
    const body = { key, title: 'x', channels: [], recipients: [everybody], expected: 1 }
    for (const answer of [
      await student(sending.send, { body }),
      await student(sending.preview, { body }),
      await student(sending.list),
      await student(sendingLedger.result, { query: { sendId: '1' } }),
      await student(sendingLedger.recipients, { query: { sendId: '1' } }),
      await student(sendingLedger.withdraw, { body: { sendId: '1' } }),
      await student(sending.people, { query: { keyWords: '林' } }),
      await student(sending.organizations),
      await student(sending.groups),
    ])
      expect([answer.status, answer.error]).toEqual([403, 'session.forbidden'])
  })

  test('a sender with a scope cannot find, count or reach people outside it', async () => {
    expect((await teacher(sending.rights)).data).toMatchObject({ may: true, everywhere: false })
    const organizations = await teacher(sending.organizations)
    expect(organizations.data.list.map(({ ins_code }) => ins_code)).toEqual(['CS'])
    const { data: none } = await teacher(sending.people, { query: { keyWords: 'staff' } })
    expect(none.list).toEqual([])
    const counted = await preview([person('student'), person('staff')], [], teacher)
    expect(counted).toMatchObject({
      recipients: 1,
      leftOut: [{ reason: 'outside', count: 1, examples: ['staff'] }],
    })
    const whole = await preview([everybody], [], teacher)
    const school = await preview([{ ins_code: 'CS', below: true }])
    expect(whole.recipients).toBe(school.recipients)
    // Outside the sender's scope only a number is reported, unless the sender named people.
    expect(whole.leftOut).toMatchObject([{ reason: 'outside', examples: [] }])
    const sendId = await send([person('student'), person('staff')], {}, teacher)
    await work()
    expect((await resultOf(sendId, teacher)).inbox).toMatchObject({ total: 1, delivered: 1 })
  })

  test('a sent message is accessible only to its author', async () => {
    const sendId = await send([person('student')])
    for (const answer of [
      await teacher(sendingLedger.result, { query: { sendId } }),
      await teacher(sendingLedger.recipients, { query: { sendId } }),
      await teacher(sendingLedger.withdraw, { body: { sendId } }),
    ])
      expect([answer.status, answer.error]).toEqual([404, 'sending.not_found'])
    expect((await teacher(sending.list)).data.total).toBe(0)
    expect((await admin(sending.list)).data).toMatchObject({ total: 1, list: [{ sendId }] })
  })
})

describe('before it is sent', () => {
  test('the preview counts everybody once and names those left out with a reason', async () => {
    const { db } = node.platform
    await db
      .updateTable('account')
      .set({ status: 'disabled' })
      .where('username', '=', '2023410086')
      .execute()
    const counted = await preview(
      [
        person('student'),
        person('STUDENT'),
        person('nobody-here'),
        person('2023410086'),
        { group_code: 'A-badminton' },
        { group_code: 'no-group' },
        mails('A@partner.example'),
        mails('a@partner.example'),
        mails('no address'),
        { externalType: 'phone', contactsNumber: '138 0000-0009' },
        { externalType: 'phone', contactsNumber: '12' },
      ],
      ['push'],
    )
    await db
      .updateTable('account')
      .set({ status: 'active' })
      .where('username', '=', '2023410086')
      .execute()
    const { rows } = await sql<{ count: number }>`
      select count(distinct account_id)::integer as count from group_member m join member_group g on g.id = m.group_id
      join account on account.id = m.account_id
      where g.code = 'A-badminton' and account.status <> 'disabled'`.execute(db)
    expect(counted.members).toBe(rows[0]?.count)
    expect(counted).toMatchObject({ external: 2, sms: 1, recipients: counted.members + 2 })
    expect(
      Object.fromEntries(counted.leftOut.map(({ reason, examples }) => [reason, examples])),
    ).toEqual({
      unknown: ['nobody-here', 'no-group'],
      closed: ['2023410086'],
      format: ['12', 'no address'],
    })
  })

  test('the preview counts reached, turned off and missing recipients per channel', async () => {
    const before = await preview([person('student'), person('teacher')], ['mail', 'push'])
    const { data: settings } = await student(notifications.receiveSettings)
    const kindId = settings.find(({ nameEn }) => nameEn.startsWith('Notices from'))?.kindId
    expect(before.channels).toEqual([
      { channel: 'mail', reached: 2, off: 0, missing: 0 },
      { channel: 'push', reached: 0, off: 0, missing: 2 },
    ])
    await student(notifications.setReceiveSettings, { body: { kindId, channels: ['push'] } })
    const after = await preview([person('student'), person('teacher')], ['mail', 'push'])
    expect(after.channels).toEqual([
      { channel: 'mail', reached: 1, off: 1, missing: 0 },
      { channel: 'push', reached: 0, off: 0, missing: 2 },
    ])
    await sql`truncate notification_choice`.execute(node.platform.db)
  })

  test('sending is rejected if the number of recipients differs from the preview', async () => {
    const body = {
      key: randomUUID(),
      title: '停水通知',
      channels: [],
      recipients: [person('student'), person('teacher')],
      expected: 1,
    }
    const refused = await admin(sending.send, { body })
    expect([refused.status, refused.error]).toEqual([409, 'sending.changed'])
    const nobody = await admin(sending.send, {
      body: { ...body, recipients: [person('nobody-here')], expected: 0 },
    })
    expect(nobody.fields).toHaveProperty('recipients')
    expect((await admin(sending.list)).data.total).toBe(0)
  })

  test('repeated calls with the same key send once', async () => {
    const body = {
      key: randomUUID(),
      title: '停水通知',
      channels: [],
      recipients: [person('student')],
      expected: 1,
    }
    const answers = await Promise.all([1, 2, 3].map(() => admin(sending.send, { body })))
    answers.push(await admin(sending.send, { body }))
    expect(new Set(answers.map(({ data }) => data?.sendId)).size).toBe(1)
    expect((await admin(sending.list)).data.total).toBe(1)
  })

  test('people, organisations and groups are found by name', async () => {
    const { data: people } = await admin(sending.people, { query: { keyWords: '林知夏' } })
    expect(people.list[0]).toMatchObject({ accountName: 'student', organization: '计算机学院' })
    const { data: byUsername } = await admin(sending.people, { query: { keyWords: 'teach' } })
    expect(byUsername.list.map(({ accountName }) => accountName)).toEqual(['teacher'])
    for (const keyWords of ['linzhixia', 'lzx', '知夏', 'zhixia', 'lin zhi']) {
      const { data } = await admin(sending.people, { query: { keyWords } })
      expect(data.list.map(({ accountName }) => accountName)).toContain('student')
    }
    const { data: wild } = await admin(sending.people, { query: { keyWords: '%' } })
    expect(wild.list).toEqual([])
    const { data: roots } = await admin(sending.organizations)
    expect(roots.list).toMatchObject([{ ins_code: 'JLU', hasBelow: true }])
    const { data: below } = await admin(sending.organizations, { query: { ins_code: 'CS' } })
    expect(below.list.map(({ ins_code }) => ins_code)).toEqual(['CS01', 'CS02', 'CS03', 'CS04'])
    const { data: named } = await admin(sending.organizations, {
      query: { keyWords: 'computer science' },
    })
    expect(named.list.map(({ ins_code }) => ins_code)).toContain('CS')
    const { data: groups } = await admin(sending.groups, { query: { keyWords: '羽毛球' } })
    expect(groups.list).toMatchObject([{ group_code: 'A-badminton' }])
  })
})

describe('scheduling', () => {
  test('a scheduled message is sent at its time and not before', async () => {
    const sendId = await send([person('student')], { sendTime: '2027-01-04T09:00' })
    await work()
    const before = await resultOf(sendId)
    expect(before).toMatchObject({
      status: 'scheduled',
      // 09:00 in the institution's zone
      sendTime: '2027-01-04T01:00:00.000Z',
      inbox: { total: 1, waiting: 1 },
    })
    await sql`update sending set send_at = now() + interval '1 second'`.execute(node.platform.db)
    await work()
    expect((await resultOf(sendId)).status).toBe('scheduled')
    await sql`update sending set next_at = now() - interval '1 second'`.execute(node.platform.db)
    await work()
    expect(await resultOf(sendId)).toMatchObject({ status: 'sent', inbox: { delivered: 1 } })
  })

  test.each([
    ['2020-01-01T09:00', 'in the past'],
    ['2099-01-01T09:00', 'too far ahead'],
    ['2027-02-30T09:00', 'nonexistent day'],
  ])('%s is rejected: %s', async (sendTime) => {
    const { status, fields } = await sendAt(sendTime)
    expect([status, Object.keys(fields ?? {})]).toEqual([400, ['sendTime']])
  })

  test('a time skipped or repeated by daylight saving is rejected with a reason', async () => {
    const setZone = (value: string) =>
      admin(settings.update, { params: { key: 'timeZone' }, body: { value } })
    expect((await setZone('Europe/Berlin')).status).toBe(200)
    try {
      await node.platform.topics.flushed()
      for (const sendTime of ['2030-03-31T02:30', '2030-10-27T02:30'])
        expect((await sendAt(sendTime)).fields).toEqual({
          sendTime: expect.stringMatching(/夏令时|clocks change/),
        })
    } finally {
      await setZone('Asia/Shanghai')
      await node.platform.topics.flushed()
    }
  })

  const sendAt = (sendTime: string) =>
    admin(sending.send, {
      body: {
        key: randomUUID(),
        title: 'x',
        channels: [],
        recipients: [person('student')],
        expected: 1,
        sendTime,
      },
    })
})

describe('the result', () => {
  test('counts two inbox copies but one mail for a person with two accounts', async () => {
    await sql`
      insert into account (username, person_id, identity_type_code, organization_id)
      select 'student-assistant', person_id, identity_type_code, organization_id from account where username = 'student'
      on conflict do nothing`.execute(node.platform.db)
    // Quiet hours are set per account.
    await sql`
      insert into attention_setting (account_id, settings)
      select twin.id, own.settings from account twin, attention_setting own join account on account.id = own.account_id
      where twin.username = 'student-assistant' and account.username = 'student'`.execute(
      node.platform.db,
    )
    const sendId = await send([person('student'), person('student-assistant')], {
      channels: ['mail'],
    })
    await work()
    while ((await announceBatch(node.platform)) > 0) {
      // until every recipient is notified
    }
    await vi.waitFor(async () => {
      expect((await resultOf(sendId)).channels[0]).toMatchObject({ sent: 1, queued: 0 })
    }, soon)
    const { inbox, channels } = await resultOf(sendId)
    expect(inbox).toMatchObject({ total: 2, delivered: 2 })
    expect(channels).toMatchObject([{ channel: 'mail', total: 2, sent: 1, skipped: 1 }])
    expect(mail.mails).toHaveLength(1)
    await sql`delete from account where username = 'student-assistant'`.execute(node.platform.db)
    // A deleted account no longer has the message.
    expect((await resultOf(sendId)).inbox).toMatchObject({ total: 2, delivered: 1, failed: 1 })
  })

  test('reports mail failures, confirmations and withdrawal, and always adds up', async () => {
    const recipients = [
      person('student'),
      person('teacher'),
      mails('guest@partner.example'),
      mails('nobody@partner.example'),
    ]
    const sendId = await send(recipients, {
      channels: ['mail'],
      content: '明天 9:00 停水 <b>一天</b>',
      contentEn: 'No water tomorrow',
      confirm: true,
    })
    expect((await resultOf(sendId)).inbox).toMatchObject({ total: 4, waiting: 4 })
    await sendBatch(node.platform)
    expect(await resultOf(sendId)).toMatchObject({
      status: 'sending',
      recipients: 4,
      inbox: { total: 2, waiting: 2 },
      channels: [{ channel: 'mail', total: 4, waiting: 4 }],
    })
    await work()
    await announceBatch(node.platform)
    await announceBatch(node.platform)
    await vi.waitFor(async () => {
      const { channels } = await resultOf(sendId)
      expect(channels[0]).toMatchObject({ failed: 1, queued: 0 })
    }, soon)
    // Quiet hours may delay the teacher's mail; nobody is notified twice.
    const { inbox, channels } = await resultOf(sendId)
    expect(inbox).toMatchObject({ total: 2, delivered: 2, read: 0, confirmed: 0 })
    expect(channels).toMatchObject([{ channel: 'mail', total: 4, failed: 1 }])
    const outside = mail.mails.find(({ to }) => to.includes('guest@partner.example'))
    expect(outside?.text).toContain('Subject:')

    const list = await student(messages.list, { query: { keyWords: '停水通知' } })
    const message = list.data.list[0]
    expect(message?.waiting).toBe(true)
    const { data: detail } = await student(messages.read, { query: { id: message?.id } })
    expect(detail.content).toBe('<p>明天 9:00 停水 &lt;b&gt;一天&lt;/b&gt;</p>')
    expect((await student(messages.confirm, { body: { id: message?.id } })).status).toBe(200)
    expect((await resultOf(sendId)).inbox).toMatchObject({ read: 1, confirmed: 1 })
    const by = async (status: string) =>
      (await admin(sendingLedger.recipients, { query: { sendId, status } })).data.list.map(
        ({ contact }) => contact,
      )
    expect(await by('confirmed')).toEqual(['student'])
    expect(await by('unconfirmed')).toEqual(['teacher'])
    expect(await by('failed')).toEqual(['nobody@partner.example'])
    const { data: all } = await admin(sendingLedger.recipients, { query: { sendId, pageSize: 3 } })
    expect(all.list).toHaveLength(3)
    const { data: rest } = await admin(sendingLedger.recipients, {
      query: { sendId, pageSize: 3, cursor: String(all.nextCursor) },
    })
    expect(rest).toMatchObject({
      nextCursor: null,
      list: [{ inbox: 'none', channels: [{ channel: 'mail', status: 'failed' }] }],
    })

    const { data: withdrawn } = await admin(sendingLedger.withdraw, { body: { sendId } })
    addsUp(withdrawn)
    expect(withdrawn).toMatchObject({
      status: 'withdrawn',
      inbox: { withdrawn: 2, delivered: 0 },
      // the guest has the mail, and the student has read it
      tooLate: 2,
    })
    const gone = await student(messages.read, { query: { id: message?.id } })
    expect(gone.error).toBe('message.not_found')
  })

  test('adds up to the previewed number after any sequence of actions', async () => {
    const recipients = [
      ...['student', 'teacher', 'staff', 'admin', 'editor', 'reviewer'].map(person),
      mails('guest@partner.example'),
      mails('nobody@partner.example'),
    ]
    const step = fc.oneof(
      fc.integer({ min: 1, max: 4 }).map((batch) => `batch of ${batch}` as const),
      fc.constantFrom('pause', 'resume', 'confirm', 'mail'),
      // Both end the sending; later steps change nothing.
      fc.constantFrom('stop', 'withdraw'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const title = `停水 ${randomUUID()}`
        const { recipients: shown } = await preview(recipients, ['mail'])
        const sendId = await send(recipients, { title, channels: ['mail'], confirm: true })
        for (const one of steps) {
          if (one === 'pause' || one === 'resume' || one === 'stop' || one === 'withdraw')
            await admin(sendingLedger[one], { body: { sendId } })
          else if (one === 'mail') await announceBatch(node.platform)
          else if (one === 'confirm') {
            const { data } = await student(messages.list, { query: { keyWords: title } })
            if (data.list[0]) await student(messages.confirm, { body: { id: data.list[0].id } })
          } else await sendBatch(node.platform, Number(one.split(' ').at(-1)))
          expect((await resultOf(sendId)).recipients).toBe(shown)
          const query = { sendId, pageSize: 100 }
          const { list } = (await admin(sendingLedger.recipients, { query })).data
          // The list is empty until the first batch stores the recipients.
          if (list.length > 0) expect(new Set(list.map(({ contact }) => contact)).size).toBe(shown)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('contains no read state unless a confirmation was requested', async () => {
    const sendId = await send([person('student')])
    await work()
    const list = await student(messages.list, { query: { keyWords: '停水通知' } })
    await student(messages.read, { query: { id: list.data.list[0]?.id } })
    expect((await resultOf(sendId)).inbox).toMatchObject({ read: null, confirmed: null })
    const { data } = await admin(sendingLedger.recipients, { query: { sendId } })
    expect(data.list).toMatchObject([{ contact: 'student', inbox: 'delivered' }])
    const read = await admin(sendingLedger.recipients, { query: { sendId, status: 'read' } })
    expect(read.status).toBe(400)
  })

  test('counts an account disabled meanwhile as failed without blocking others', async () => {
    const sendId = await send([person('student'), person('staff')])
    await sendBatch(node.platform)
    const { db } = node.platform
    const set = (status: string) =>
      db.updateTable('account').set({ status }).where('username', '=', 'staff').execute()
    await set('disabled')
    await work()
    await set('active')
    expect(await resultOf(sendId)).toMatchObject({
      status: 'sent',
      inbox: { total: 2, delivered: 1, failed: 1 },
    })
  })

  test('counts nobody as delivered after withdrawal during or before sending', async () => {
    const sendId = await send([{ ins_code: 'CS', below: true }])
    await sendBatch(node.platform)
    await sendBatch(node.platform, 3)
    const { inbox: half } = await resultOf(sendId)
    expect(half.delivered).toBe(3)
    await admin(sendingLedger.withdraw, { body: { sendId } })
    await work()
    const { inbox } = await resultOf(sendId)
    expect(inbox).toMatchObject({ total: half.total, withdrawn: half.total, delivered: 0 })
    const early = await send([person('student')], { sendTime: '2027-01-04T09:00' })
    await admin(sendingLedger.withdraw, { body: { sendId: early } })
    await sql`update sending set next_at = now() - interval '1 second'`.execute(node.platform.db)
    await work()
    expect(await resultOf(early)).toMatchObject({
      status: 'withdrawn',
      recipients: 1,
      inbox: { withdrawn: 1, delivered: 0 },
    })
  })

  test('has no lost or duplicate deliveries after interrupted, concurrent batches', async () => {
    const { db } = node.platform
    for (let round = 0; round < 12; round++) {
      const sendId = await send([{ ins_code: 'CS', below: true }])
      const broken = db.transaction().execute(async (db) => {
        expect(await processDueMessage(db, 2 + round)).toBe(1)
        throw new Error('killed')
      })
      await expect(broken).rejects.toThrow('killed')
      await Promise.all([1, 2, 3].map(() => work(5 + round)))
      await work(5 + round)
      const { inbox, status, recipients } = await resultOf(sendId)
      expect([status, inbox.delivered, inbox.total]).toEqual(['sent', recipients, recipients])
      const { rows } = await sql<{ most: number; accounts: number }>`
        select max(n)::integer as most, count(*)::integer as accounts from (
          select count(*) as n from message_delivery d join sending s on s.message_id = d.message_id
          where s.id = ${sendId} group by d.account_id) as counted`.execute(db)
      expect(rows[0]).toEqual({ most: 1, accounts: recipients })
    }
  })
})
