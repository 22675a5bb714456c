import { createHash, randomUUID } from 'node:crypto'
import { audit } from '@atrium/contract/identity/operators.operator'
import { privacy } from '@atrium/contract/member/privacy'
import { messages } from '@atrium/contract/work/messages'
import { type Recipient, type SendingResult, sending } from '@atrium/contract/work/sending'
import { sendingOperations } from '@atrium/contract/work/sending.operator'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailServer } from '../../../../test/mail-server.ts'
import { announceAtOnce, makeSender, openMailingNode } from '../../../../test/mailing-node.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { announceBatch } from '../notifications/worker.ts'
import { nextSendingTime } from './policy.ts'
import { sendBatch } from './worker.ts'

let app: TestApp
let admin: Caller
let staff: Caller
let student: Caller
let teacher: Caller
let node: Awaited<ReturnType<typeof openMailingNode>>
const mail = await mailServer()
const school: Recipient = { ins_code: 'CS', below: true }
const open = {
  held: false,
  approveAbove: null,
  maxRecipients: null,
  hours: null,
  kindsInPart: ['notice', 'event'],
  members: false,
}

beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
  staff = await app.as('staff')
  student = await app.as('student')
  teacher = await app.as('teacher')
  node = await openMailingNode(app, mail)
  await sql`update person set email_verified_at = now() where id in (
    select person_id from account where username in ('student', 'teacher', 'admin'))`.execute(
    node.platform.db,
  )
  await makeSender(admin, 'teacher', 'CS')
  await makeSender(admin, 'staff')
  for (const one of [student, admin, staff]) await announceAtOnce(one)
})
afterAll(() => node.close())
beforeEach(async () => {
  mail.mails.length = 0
  await sql`truncate sending, sending_policy, sending_draft, notification, notification_waiting cascade`.execute(
    node.platform.db,
  )
  await setPolicy({})
})

async function setPolicy(policy: object) {
  const answer = await admin(sendingOperations.setPolicy, { body: { ...open, ...policy } })
  expect(answer.status, answer.raw).toBe(200)
}
const person = (accountName: string) => ({ accountName })

async function trySend(recipients: readonly Recipient[], more: object = {}, as = admin) {
  const { channels = [], kind } = more as { channels?: []; kind?: 'notice' }
  const shown = await as(sending.preview, {
    body: { recipients, channels, ...(kind && { kind }) },
  })
  const expected = shown.data?.recipients ?? 0
  return as(sending.send, {
    body: { key: randomUUID(), title: '停水通知', channels, recipients, expected, ...more },
  })
}
async function send(recipients: readonly Recipient[], more: object = {}, as = admin) {
  const answer = await trySend(recipients, more, as)
  expect(answer.status, answer.raw).toBe(200)
  return answer.data.sendId
}
const work = async (batch?: number) => {
  let count = 0
  while ((await sendBatch(node.platform, batch)) > 0) count++
  return count
}
const due = (sendId: string) =>
  sql`update sending set next_at = now() - interval '1 second' where id = ${sendId}`.execute(
    node.platform.db,
  )
async function resultOf(sendId: string, as = admin): Promise<SendingResult> {
  const answer = await as(sendingLedger.result, { query: { sendId } })
  expect(answer.status, answer.raw).toBe(200)
  const { inbox, channels } = answer.data as SendingResult
  expect(inbox.waiting + inbox.delivered + inbox.withdrawn + inbox.failed).toBe(inbox.total)
  for (const { total, waiting, queued, sent, failed, skipped } of channels)
    expect(waiting + queued + sent + failed + skipped).toBe(total)
  return answer.data
}
const inboxOf = async (as: Caller, title: string) => {
  const { data } = await as(messages.list, { query: { keyWords: title } })
  return data.list
}

describe('approval', () => {
  test('is required for many recipients, and nothing is delivered before it', async () => {
    await setPolicy({ approveAbove: 5 })
    const sendId = await send([school], {}, teacher)
    expect((await resultOf(sendId, teacher)).status).toBe('pending')
    expect(await work()).toBe(0)
    expect((await admin(sending.rights)).data.approves).toBe(1)
    const { data } = await admin(sendingLedger.approvals)
    expect(data.list).toMatchObject([{ sendId, status: 'pending' }])
    expect(await inboxOf(admin, '待审批')).toMatchObject([{ title: '待审批：停水通知' }])
    // The author can read the message but not approve it.
    const body = { sendId, approve: true, reason: '' }
    expect((await teacher(sendingLedger.decide, { body })).error).toBe('sending.own')
    expect((await student(sendingLedger.decide, { body })).error).toBe('session.forbidden')
    const decided = await admin(sendingLedger.decide, { body })
    expect(decided.data).toMatchObject({ status: 'scheduled', own: false, approver: '赵启航' })
    expect((await staff(sendingLedger.decide, { body })).error).toBe('sending.decided')
    expect((await admin(sendingLedger.decide, { body })).error).toBe('sending.decided')
    await work()
    const result = await resultOf(sendId, teacher)
    expect(result).toMatchObject({ status: 'sent', inbox: { delivered: result.expected } })
    expect(await inboxOf(teacher, '已通过')).toHaveLength(1)
  })

  test('can be refused with a reason, and the message is never delivered', async () => {
    await setPolicy({ approveAbove: 5 })
    const sendId = await send([school], {}, teacher)
    const without = await admin(sendingLedger.decide, {
      body: { sendId, approve: false, reason: ' ' },
    })
    expect(without.fields).toEqual({ reason: expect.any(String) })
    const reason = '请改为只发给相关年级'
    await admin(sendingLedger.decide, { body: { sendId, approve: false, reason } })
    expect(await work()).toBe(0)
    expect(await resultOf(sendId, teacher)).toMatchObject({
      status: 'refused',
      refusal: reason,
      inbox: { delivered: 0 },
    })
  })

  test('is decided once by concurrent approvers', async () => {
    await setPolicy({ approveAbove: 5 })
    const sendId = await send([school], {}, teacher)
    const answers = await Promise.all([
      admin(sendingLedger.decide, { body: { sendId, approve: true, reason: '' } }),
      staff(sendingLedger.decide, { body: { sendId, approve: false, reason: '重复' } }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('needs an approver with the author’s scope, otherwise sending is rejected', async () => {
    await setPolicy({ approveAbove: 1 })
    const both = [person('student'), person('teacher')]
    const all = await send(both, {}, staff)
    expect((await teacher(sendingLedger.approvals)).data.list).toEqual([])
    const body = { sendId: all, approve: true, reason: '' }
    expect((await teacher(sendingLedger.decide, { body })).error).toBe('sending.not_found')
    await sql`update account set status = 'disabled' where username in ('staff')`.execute(
      node.platform.db,
    )
    expect((await trySend(both)).error).toBe('sending.no_approver')
    await sql`update account set status = 'active' where username in ('staff')`.execute(
      node.platform.db,
    )
  })
})

describe('limits', () => {
  test('on recipients and kinds apply to senders with a scope', async () => {
    await setPolicy({ maxRecipients: 3 })
    expect((await trySend([school], {}, teacher)).error).toBe('sending.too_many')
    const urgent = await trySend([person('student')], { kind: 'urgent' }, teacher)
    expect(urgent.fields ?? urgent.error).toBeTruthy()
    expect(urgent.status).toBe(400)
    await send([school])
    const sendId = await send([person('student')], { kind: 'urgent' })
    await work()
    expect((await resultOf(sendId)).kind).toBe('urgent')
    expect((await inboxOf(student, '停水通知'))[0]).toMatchObject({ urgent: true })
  })

  test('on hours delay everything that is not urgent', async () => {
    // Shanghai is the institution's time zone; the hours never include the current time.
    const hour = Temporal.Now.zonedDateTimeISO('Asia/Shanghai').hour
    const at = (offset: number) => `${String((hour + offset) % 24).padStart(2, '0')}:00`
    await setPolicy({ hours: { from: at(3), until: at(5) } })
    const later = await send([person('student')])
    const now = await send([person('student')], { kind: 'urgent' })
    await work()
    expect((await resultOf(later)).status).toBe('scheduled')
    expect((await resultOf(now)).status).toBe('sent')
    await setPolicy({})
    await due(later)
    await work()
    expect((await resultOf(later)).status).toBe('sent')
  })

  test.each([
    ['inside', '08:00', '22:00', '2026-11-23T09:00+08:00', '2026-11-23T09:00+08:00'],
    ['before', '08:00', '22:00', '2026-11-23T07:59+08:00', '2026-11-23T08:00+08:00'],
    ['at the end', '08:00', '22:00', '2026-11-23T22:00+08:00', '2026-11-24T08:00+08:00'],
    ['over midnight', '20:00', '02:00', '2026-11-23T01:00+08:00', '2026-11-23T01:00+08:00'],
    ['over midnight, closed', '20:00', '02:00', '2026-11-23T02:00+08:00', '2026-11-23T20:00+08:00'],
  ])('nextSendingTime returns the next allowed time: %s', (_, from, until, now, expected) => {
    const at = nextSendingTime({ from, until }, 'Asia/Shanghai', Date.parse(now))
    expect(new Date(at).toISOString()).toBe(new Date(expected).toISOString())
  })

  test('can hold all messages until operators release them', async () => {
    await setPolicy({ held: true })
    const sendId = await send([school])
    expect(await work()).toBe(0)
    expect((await admin(sending.rights)).data.held).toBe(true)
    const { data } = await admin(sendingOperations.list)
    expect(data.list).toMatchObject([{ sendId, status: 'scheduled', delivered: 0 }])
    await setPolicy({})
    await work()
    const month = new Date().toISOString().slice(0, 7)
    const { data: summary } = await admin(sendingOperations.summary, { query: { month } })
    expect(summary.departments).toMatchObject([
      { messages: 1, recipients: data.list[0]?.recipients },
    ])
    expect((await teacher(sendingOperations.list)).status).toBe(403)
  })
})

describe('a message in delivery', () => {
  test('can be paused, resumed and stopped, and delivered copies stay', async () => {
    const sendId = await send([school])
    await sendBatch(node.platform)
    await sendBatch(node.platform, 3)
    const paused = await admin(sendingLedger.pause, { body: { sendId } })
    expect(paused.data).toMatchObject({ status: 'paused', inbox: { delivered: 3 } })
    expect(await work()).toBe(0)
    await admin(sendingLedger.resume, { body: { sendId } })
    await sendBatch(node.platform, 2)
    const stopped = await admin(sendingLedger.stop, { body: { sendId } })
    expect(stopped.data).toMatchObject({ status: 'stopped', inbox: { delivered: 5 } })
    expect(await work()).toBe(0)
    const { inbox } = await resultOf(sendId)
    expect(inbox).toMatchObject({ delivered: 5, withdrawn: inbox.total - 5, failed: 0 })
    for (const call of [sendingLedger.pause, sendingLedger.resume, sendingLedger.stop])
      expect((await admin(call, { body: { sendId } })).error).toBe('sending.over')
  })

  test('is delivered in batches at the requested rate', async () => {
    const sendId = await send([school], { perMinute: 12 })
    await sendBatch(node.platform)
    await sendBatch(node.platform)
    expect((await resultOf(sendId)).inbox.delivered).toBe(2)
    // The next wave is due in ten seconds.
    expect(await work()).toBe(0)
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from next_at - now())::float8 as seconds from sending where id = ${sendId}`.execute(
      node.platform.db,
    )
    expect(rows[0]?.seconds).toBeGreaterThan(8)
    expect(rows[0]?.seconds).toBeLessThanOrEqual(10)
  })

  test('has every file once, without those deleted meanwhile', async () => {
    const { db, files } = node.platform
    const keep = (text: string) =>
      files.keep(db, Buffer.from(text), { mediaType: 'text/plain', isPublic: true })
    const kept = await keep('kept')
    const deleted = await keep('deleted')
    const file = { fileId: kept, name: '日程.txt' }
    const sendId = await send([person('student')], {
      title: '附件各一份',
      files: [file, file, { fileId: deleted, name: '名单.txt' }],
    })
    expect((await resultOf(sendId)).files).toHaveLength(2)
    // As stored by an earlier release, which kept duplicates.
    await sql`update sending set files = files || ${JSON.stringify([file])}::jsonb where id = ${sendId}`.execute(
      db,
    )
    await files.remove(db, deleted)
    await work()
    expect(await resultOf(sendId)).toMatchObject({ status: 'sent', files: [file] })
    const [message] = await inboxOf(student, '附件各一份')
    const { data } = await student(messages.read, { query: { id: message?.id ?? '' } })
    expect(data.attachments).toMatchObject([{ id: kept, name: '日程.txt' }])
  })

  test('that cannot be sent is tried again later and does not block the others', async () => {
    const { db } = node.platform
    const broken = await send([person('student')])
    await sql`update sending set choices = '"none"', next_at = now() - interval '1 minute' where id = ${broken}`.execute(
      db,
    )
    const other = await send([person('student')])
    await work()
    expect((await resultOf(other)).status).toBe('sent')
    const { rows } = await sql<{ status: string; seconds: number; recipients: number }>`
      select status, extract(epoch from next_at - now())::float8 as seconds,
        (select count(*)::integer from sending_recipient where sending_id = sending.id) as recipients
      from sending where id = ${broken}`.execute(db)
    expect(rows).toMatchObject([{ status: 'scheduled', recipients: 0 }])
    expect(rows[0]?.seconds).toBeGreaterThan(30)
    await sql`update sending set choices = '[]' where id = ${broken}`.execute(db)
    await due(broken)
    await work()
    expect(await resultOf(broken)).toMatchObject({ status: 'sent', inbox: { delivered: 1 } })
  })

  const ofTeacher = sql`account_id = (select id from account where username = 'teacher')
    and role_id = (select id from operator_role where code = 'sender')`
  test.each([
    ['was disabled', sql`update account set status = 'disabled' where username = 'teacher'`],
    ['lost the permission', sql`delete from operator_grant where ${ofTeacher}`],
    [
      'may send to fewer people',
      sql`update operator_grant set organization_id = (select id from organization where code = 'CS01') where ${ofTeacher}`,
    ],
  ])('is stopped, or withdrawn before it started, if its author %s', async (_, change) => {
    const { db } = node.platform
    const begun = await send([school], {}, teacher)
    await sendBatch(node.platform)
    await sendBatch(node.platform, 2)
    const waiting = await send([school], {}, teacher)
    await change.execute(db)
    try {
      await work()
      const { rows } = await sql`
        select id, status, delivered_members as delivered from sending order by id`.execute(db)
      expect(rows).toEqual([
        { id: begun, status: 'stopped', delivered: 2 },
        { id: waiting, status: 'withdrawn', delivered: 0 },
      ])
      const { data } = await admin(audit.list, { query: { action: 'withdraw sending' } })
      expect(data.list[0]).toMatchObject({ channel: 'job', details: { sendId: waiting } })
    } finally {
      await sql`update account set status = 'active' where username = 'teacher'`.execute(db)
      await sql`delete from operator_grant where ${ofTeacher}`.execute(db)
      await makeSender(admin, 'teacher', 'CS')
    }
  })
})

describe('questions', () => {
  const choices = [
    { text: '参加', textEn: 'Coming' },
    { text: '不参加', textEn: 'Not coming' },
  ]

  test('are counted by answer, and recipients without one are reminded once', async () => {
    const sendId = await send([person('student'), person('staff')], { title: '春游报名', choices })
    await work()
    const [message] = await inboxOf(staff, '春游报名')
    await staff(messages.read, { query: { id: message?.id ?? '' } })
    const early = await admin(sendingLedger.remind, { body: { sendId, channels: ['mail'] } })
    expect(early.status, early.raw).toBe(200)
    expect(
      (await admin(sendingLedger.remind, { body: { sendId, channels: ['mail'] } })).error,
    ).toBe('sending.reminded')
    await work()
    while ((await announceBatch(node.platform)) > 0) {
      // until every recipient is notified
    }
    await expect.poll(() => mail.mails.length, { timeout: 20_000 }).toBe(1)
    const reminded = await resultOf(sendId)
    expect(reminded.reminders).toMatchObject([
      { channels: ['mail'], recipients: 1, finished: true },
    ])
    await expect
      .poll(async () => (await resultOf(sendId)).channels, { timeout: 20_000 })
      .toMatchObject([{ channel: 'mail', total: 1, sent: 1 }])

    const [own] = await inboxOf(student, '春游报名')
    const answered = await student(messages.answer, { body: { id: own?.id ?? '', value: '2' } })
    expect(answered.status, answered.raw).toBe(200)
    const { answers, inbox } = await resultOf(sendId)
    expect(answers.map(({ count }) => count)).toEqual([0, 1])
    expect(inbox).toMatchObject({ delivered: 2, confirmed: 1 })
    const { data: curve } = await admin(sendingLedger.curve, { query: { sendId } })
    expect(curve.at(-1)).toMatchObject({ delivered: 2, confirmed: 1 })
    const rising = curve.every(
      (point, index) => index === 0 || point.delivered >= (curve[index - 1]?.delivered ?? 0),
    )
    expect(rising).toBe(true)
  })

  test('are required for reminders', async () => {
    const sendId = await send([person('student')])
    await work()
    const answer = await admin(sendingLedger.remind, { body: { sendId, channels: ['mail'] } })
    expect(answer.error).toBe('sending.nothing_asked')
  })
})

describe('exports', () => {
  test('the recipient list is CSV with formulas escaped', async () => {
    await sql`update person set name = '=HYPERLINK("http://x")' where id = (
      select person_id from account where username = 'student')`.execute(node.platform.db)
    const sendId = await send([person('student'), person('staff')], { confirm: true })
    await work()
    const { raw, headers } = await admin(sendingLedger.export, { query: { sendId } })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(raw.split('\r\n')).toHaveLength(4)
    expect(raw).toContain(`"'=HYPERLINK(""http://x"")",student`)
    expect((await staff(sendingLedger.export, { query: { sendId } })).status).toBe(404)
    await sql`update person set name = '林知夏' where id = (
      select person_id from account where username = 'student')`.execute(node.platform.db)
  })

  test('the hash of the evidence file is recorded in the audit log', async () => {
    const sendId = await send([person('student')])
    expect((await admin(sendingLedger.evidence, { query: { sendId } })).error).toBe(
      'sending.not_over',
    )
    await work()
    const { raw } = await admin(sendingLedger.evidence, { query: { sendId } })
    expect(JSON.parse(raw)).toMatchObject({
      issuedTo: 'admin',
      sending: { sendId, title: '停水通知', inbox: { delivered: 1 } },
      recipientsSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const sha256 = createHash('sha256').update(raw).digest('hex')
    const { data } = await admin(audit.list, { query: { pageSize: 5 } })
    expect(JSON.stringify(data.list)).toContain(sha256)
  })
})

describe('writing', () => {
  const draft = {
    title: '寒假安排',
    titleEn: '',
    content: '见附件',
    contentEn: '',
    url: '',
    kind: 'event' as const,
    files: [],
    choices: [],
    confirm: true,
    channels: ['push' as const],
    recipients: [{ name: '林知夏', entry: { accountName: 'student' } }],
  }

  test('a draft is stored for its author until it is deleted or a message is sent', async () => {
    expect((await admin(sending.draft)).data).toBeNull()
    await admin(sending.saveDraft, { body: draft })
    expect((await admin(sending.draft)).data).toEqual(draft)
    expect((await staff(sending.draft)).data).toBeNull()
    await staff(sending.deleteDraft)
    expect((await admin(sending.draft)).data).toEqual(draft)
    expect((await admin(sending.deleteDraft)).status).toBe(200)
    expect((await admin(sending.draft)).data).toBeNull()
    await admin(sending.saveDraft, { body: draft })
    await send([person('student')])
    expect((await admin(sending.draft)).data).toBeNull()
  })

  test('an earlier message can be copied by its author with its recipients’ names', async () => {
    const sendId = await send([person('student'), school], { kind: 'event', confirm: true })
    const { data } = await admin(sending.copy, { query: { sendId } })
    expect(data).toMatchObject({ title: '停水通知', kind: 'event', confirm: true })
    expect(data.recipients.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['林知夏', expect.stringContaining('学院')]),
    )
    expect((await staff(sending.copy, { query: { sendId } })).error).toBe('sending.not_found')
  })

  test('a test message goes only to its author and is not listed', async () => {
    await setPolicy({ approveAbove: 1 })
    const answer = await trySend([school], { test: true, channels: ['mail'] })
    expect(answer.status, answer.raw).toBe(200)
    await work()
    const { inbox } = await resultOf(answer.data.sendId)
    expect(inbox).toMatchObject({ total: 1, delivered: 1 })
    expect((await admin(sending.list)).data.total).toBe(0)
  })

  test('pasted lines are resolved by username or unique name within the sender’s scope', async () => {
    const { data } = await admin(sending.find, {
      body: { lines: ['student', 'staff\t信息化中心', '查无此人', 'teacher, student'] },
    })
    expect(data.list.map(({ accountName }) => accountName)).toEqual(['student', 'staff'])
    expect(data.unknown).toEqual(['查无此人', 'teacher, student'])
    const part = await teacher(sending.find, { body: { lines: ['staff'] } })
    expect(part.data).toEqual({ list: [], unknown: ['staff'] })
    // Two people have this name, one of them in the teacher's scope.
    const body = { lines: ['计算机学院\t林知夏', '陈思齐'] }
    const byName = async (caller: Caller) => (await caller(sending.find, { body })).data
    const all = await byName(admin)
    expect(all.list.map(({ accountName }) => accountName)).toEqual(['student'])
    expect(all.unknown).toEqual(['陈思齐'])
    const within = await byName(teacher)
    expect(within.list.map(({ accountName }) => accountName)).toEqual(['student', '2023410086'])
    expect(within.unknown).toEqual([])
  })

  test('a pasted name of two people is unknown, however common another pasted name is', async () => {
    const { db } = node.platform
    await sql`
      with people as (insert into person (name) select case when n in (1, 40) then '甲乙' else '丙丁' end
        from generate_series(1, 40) n returning id, name),
      numbered as (select id, row_number() over (order by id) as n from people)
      insert into account (person_id, username, identity_type_code, organization_id)
      select numbered.id, 'same' || 100 + n, model.identity_type_code, model.organization_id
      from numbered, account model where model.username = 'student'`.execute(db)
    const body = { lines: ['甲乙', '丙丁', 'student'] }
    const { data } = await admin(sending.find, { body })
    expect(data.list.map(({ accountName }) => accountName)).toEqual(['student'])
    expect(data.unknown).toEqual(['甲乙', '丙丁'])
    await sql`delete from account where username like 'same%'`.execute(db)
  })
})

describe('members without the permission', () => {
  test('can only send inbox messages to a few named members, if the policy allows it', async () => {
    expect((await student(sending.rights)).data.may).toBe(false)
    await setPolicy({ members: true })
    expect((await student(sending.rights)).data).toMatchObject({ may: true, asMember: true })
    const found = await student(sending.people, { query: { keyWords: '陈思' } })
    expect(found.data.list).toEqual([])
    const exact = await student(sending.people, { query: { keyWords: '陈思齐' } })
    expect(exact.data.list.map(({ accountName }) => accountName)).toContain('staff')
    const sendId = await send([person('staff')], { title: '借书' }, student)
    await work()
    expect((await resultOf(sendId, student)).inbox.delivered).toBe(1)
    expect(await inboxOf(staff, '借书')).toHaveLength(1)

    for (const recipients of [[school], [{ externalType: 'phone', contactsNumber: '13800138000' }]])
      expect((await trySend(recipients as Recipient[], {}, student)).status).toBe(400)
    expect((await trySend([person('staff')], { channels: ['mail'] }, student)).status).toBe(400)
    const many = Array.from({ length: 21 }, (_, index) => person(`nobody${index}`))
    expect((await trySend(many, {}, student)).error).toBe('sending.too_many')
    const timed = { sendTime: '2027-01-04T09:00' }
    expect((await trySend([person('staff')], timed, student)).error).toBe('session.forbidden')
  })

  test('send nothing once the policy no longer allows it', async () => {
    await setPolicy({ members: true })
    const sendId = await send([person('staff')], { title: '周末打球' }, student)
    await setPolicy({})
    await work()
    expect(await inboxOf(staff, '周末打球')).toEqual([])
    await setPolicy({ members: true })
    expect((await resultOf(sendId, student)).status).toBe('withdrawn')
  })

  test('cannot send to members who do not allow letters or have blocked them', async () => {
    await setPolicy({ members: true })
    const recipients = [person('staff')]
    const preview = async () =>
      (await student(sending.preview, { body: { recipients, channels: [] } })).data
    const expectDeclined = async () => {
      expect(await preview()).toMatchObject({
        recipients: 0,
        leftOut: [{ reason: 'declined', count: 1, examples: ['staff'] }],
      })
      expect((await trySend(recipients, {}, student)).status).toBe(400)
    }
    await staff(privacy.update, { body: { lettersAllowed: false } })
    await expectDeclined()
    await staff(privacy.update, { body: { lettersAllowed: true } })
    expect(await preview()).toMatchObject({ recipients: 1, leftOut: [] })
    const [hit] = (await staff(privacy.findMembers, { query: { q: 'student' } })).data
    await staff(privacy.block, { body: { member: hit?.member } })
    await expectDeclined()
    // Somebody with the permission sends as the institution.
    await send(recipients)
    const [blocked] = (await staff(privacy.blackList)).data
    await staff(privacy.unblock, { params: { accountId: blocked?.accountId } })
    expect(await preview()).toMatchObject({ recipients: 1 })
  })
})
