import { randomUUID } from 'node:crypto'
import { operators } from '@atrium/contract/identity/operators.operator'
import { contactGroups } from '@atrium/contract/member/address-book'
import { messages } from '@atrium/contract/work/messages'
import { type Recipient, sending } from '@atrium/contract/work/sending'
import { recipientGroups } from '@atrium/contract/work/sending/recipients'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { sendBatch } from '../sending/worker.ts'

let app: TestApp
let admin: Caller
let teacher: Caller
let staff: Caller
let student: Caller
const db = () => app.platform.db

beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
  for (const [username, organization] of [
    ['teacher', 'CS'],
    ['staff', 'CS'],
  ] as const) {
    const granted = await admin(operators.grant, {
      body: { username, role: 'sender', organization },
    })
    expect(granted.status, granted.raw).toBe(200)
  }
  teacher = await app.as('teacher')
  staff = await app.as('staff')
  student = await app.as('student')
})

async function preview(recipients: readonly Recipient[], as: Caller) {
  const answer = await as(sending.preview, { body: { recipients, channels: [] } })
  expect(answer.status, answer.raw).toBe(200)
  return answer.data
}
async function send(recipients: readonly Recipient[], as: Caller, more: object = {}) {
  const { recipients: expected } = await preview(recipients, as)
  const answer = await as(sending.send, {
    body: { key: randomUUID(), title: '改到周五', channels: [], recipients, expected, ...more },
  })
  expect(answer.status, answer.raw).toBe(200)
  while ((await sendBatch(app.platform)) > 0) {
    // until nothing is due
  }
  return answer.data.sendId
}
const inboxOf = async (as: Caller) =>
  (await as(messages.list, { query: {} })).data.list.map(({ title }) => title)

const make = async (name: string, accountNames: string[], as = teacher) =>
  (await as(recipientGroups.createList, { body: { name, accountNames } })).data
const read = (listId: string, as = teacher) => as(recipientGroups.list, { params: { listId } })
const named = async (listId: string, as = teacher) =>
  (await read(listId, as)).data.people.map(({ accountName }) => accountName).sort()

describe('recipient lists', () => {
  test('can be created, changed, counted and sent to', async () => {
    const { listId, added } = await make(' 班长 ', ['student', 'TEACHER', 'nobody-of-this-name'])
    expect(added).toBe(2)
    expect((await read(listId)).data).toMatchObject({ name: '班长', own: true, members: 2 })
    const again = await teacher(recipientGroups.addToList, {
      params: { listId },
      body: { accountNames: ['student'] },
    })
    expect(again.data.added).toBe(0)
    await teacher(recipientGroups.leaveOutOfList, { params: { listId, accountName: 'teacher' } })
    expect(await named(listId)).toEqual(['student'])
    // Somebody named by a list and individually counts once.
    const counted = await preview([{ listId }, { accountName: 'student' }], teacher)
    expect(counted).toMatchObject({ recipients: 1, leftOut: [] })
    const sendId = await send([{ listId }], teacher)
    const result = await teacher(sendingLedger.result, { query: { sendId } })
    expect(result.data.inbox).toMatchObject({ total: 1, delivered: 1 })
    expect(await inboxOf(student)).toContain('改到周五')
    const copied = await teacher(sending.copy, { query: { sendId } })
    expect(copied.data.recipients).toEqual([{ name: '班长', entry: { listId } }])
    // It is the contact group of the address book.
    const groups = await teacher(contactGroups.list, { query: {} })
    expect(groups.data).toMatchObject([{ id: listId, name: '班长' }])
    await teacher(recipientGroups.removeList, { params: { listId } })
    expect((await read(listId)).error).toBe('sending.list_not_found')
  })

  test('are private to their owner until they are shared with a department', async () => {
    const { listId } = await make('实验室', ['student'])
    const share = (sharedWith: string | null, as = teacher) =>
      as(recipientGroups.updateList, { params: { listId }, body: { name: '实验室', sharedWith } })
    await sql`update account set organization_id = (select organization_id from account where username = 'teacher')
      where username = 'staff'`.execute(db())
    staff = await app.as('staff')
    const hidden = await preview([{ listId }], staff)
    expect(hidden).toMatchObject({ recipients: 0, leftOut: [{ reason: 'closedGroup', count: 1 }] })
    expect((await read(listId, staff)).error).toBe('sending.list_not_found')

    const { places } = (await teacher(recipientGroups.lists, { query: {} })).data
    const [near] = places
    expect((await share('no-such-place')).error).toBe('request.invalid')
    expect((await share(near?.ins_code ?? '')).status).toBe(200)
    const { list } = (await staff(recipientGroups.lists, { query: { keyWords: '实验' } })).data
    expect(list).toMatchObject([{ listId, own: false, keeper: '周明远', sharedWith: near }])
    expect((await preview([{ listId }], staff)).recipients).toBe(1)
    // Colleagues may edit its people; only its owner may rename, share or delete it.
    const added = await staff(recipientGroups.addToList, {
      params: { listId },
      body: { accountNames: ['teacher'] },
    })
    expect(added.data.added).toBe(1)
    expect((await share(null, staff)).error).toBe('sending.list_not_found')
    const removed = await staff(recipientGroups.removeList, { params: { listId } })
    expect(removed.error).toBe('sending.list_not_found')
    await share(null)
    expect((await preview([{ listId }], staff)).recipients).toBe(0)
    await teacher(recipientGroups.removeList, { params: { listId } })
  })

  test('contain only members within their owner’s sending scope', async () => {
    const { listId, added } = await make('全校', ['student', 'admin'])
    expect(added).toBe(1)
    const { listId: whole } = await make('各处室', ['student', 'admin'], admin)
    expect(await named(whole, admin)).toEqual(['admin', 'student'])
    expect((await read(whole)).error).toBe('sending.list_not_found')
    await teacher(recipientGroups.removeList, { params: { listId } })
    await admin(recipientGroups.removeList, { params: { listId: whole } })
  })

  test('are forbidden to members without the permission', async () => {
    for (const answer of [
      await student(recipientGroups.lists, { query: {} }),
      await student(recipientGroups.courses, { query: {} }),
      await student(recipientGroups.events, { query: {} }),
      await student(recipientGroups.createList, { body: { name: 'x' } }),
    ])
      expect([answer.status, answer.error]).toEqual([403, 'session.forbidden'])
  })
})

describe('courses', () => {
  test('can be sent to by their teacher, limited to members in scope', async () => {
    const { list } = (await teacher(recipientGroups.courses, { query: {} })).data
    expect(list.length).toBeGreaterThan(0)
    const { rows } = await sql<{ id: string; members: number }>`
      select course.id::text, count(*) filter (where organization.path && '{CS}' and account.status <> 'disabled')::integer as members
      from course join calendar_member part on part.calendar_id = course.calendar_id
      join account on account.id = part.account_id join organization on organization.id = account.organization_id
      where exists (select from calendar_member t join account a on a.id = t.account_id
        where t.calendar_id = course.calendar_id and t.role = 'teaches' and a.username = 'teacher')
      group by course.id`.execute(db())
    expect(Object.fromEntries(list.map((one) => [one.courseId, one.members]))).toEqual(
      Object.fromEntries(rows.map(({ id, members }) => [id, members])),
    )
    const { rows: named } = await sql<{ name: string; nameEn: string }>`
      select person.name, person.name_en as "nameEn" from account
      join person on person.id = account.person_id where account.username = 'teacher'`.execute(db())
    for (const { teachers } of list) expect(teachers).toContainEqual(named[0])
    const [course] = list.filter(({ members }) => members > 0)
    const courseId = course?.courseId ?? ''
    expect((await preview([{ courseId }], teacher)).recipients).toBe(course?.members)
    const copy = await send([{ courseId }], teacher)
    const result = await teacher(sendingLedger.result, { query: { sendId: copy } })
    expect(result.data.inbox.delivered).toBe(course?.members)
    expect(
      (await teacher(recipientGroups.courses, { query: { keyWords: course?.name ?? '' } })).data
        .list[0],
    ).toMatchObject({ name: course?.name })
  })

  test('of other teachers can be sent to only without a scope limit', async () => {
    const { list } = (await admin(recipientGroups.courses, { query: {} })).data
    const own = (await teacher(recipientGroups.courses, { query: {} })).data.list
    const other = list.find(({ courseId }) => !own.some((one) => one.courseId === courseId))
    const courseId = other?.courseId ?? ''
    expect(courseId).not.toBe('')
    expect(await preview([{ courseId }], teacher)).toMatchObject({
      recipients: 0,
      leftOut: [{ reason: 'closedGroup' }],
    })
    expect((await preview([{ courseId }], admin)).recipients).toBe(other?.members)
  })
})

describe('events', () => {
  test('of the sender reach participants who have not declined, also external ones', async () => {
    const { rows } = await sql<{ id: string }>`
      insert into event (calendar_id, account_id, title, starts_local, minutes, time_zone)
      select calendar.id, account.id, '课题组例会', '2030-01-01T09:00', 60, 'Asia/Shanghai'
      from account join calendar on calendar.owner_account_id = account.id
      where account.username = 'teacher' limit 1 returning id::text`.execute(db())
    const eventId = rows[0]?.id ?? ''
    await sql`insert into event_occurrence (event_id, calendar_id, original_local, starts_at, ends_at)
      select id, calendar_id, '2030-01-01T09:00', now() + interval '1 day', now() + interval '25 hours'
      from event where id = ${eventId}`.execute(db())
    await sql`insert into event_participant (event_id, account_id, answer)
      select ${eventId}::bigint, id, case username when 'staff' then 'no' else 'yes' end
      from account where username in ('student', 'staff')`.execute(db())
    await sql`insert into event_participant (event_id, email, name, answer) values
      (${eventId}, 'Guest@partner.example', '来宾', 'none'), (${eventId}, 'no@partner.example', '', 'no')`.execute(
      db(),
    )
    const { list } = (await teacher(recipientGroups.events, { query: { keyWords: '例会' } })).data
    expect(list).toMatchObject([{ eventId, title: '课题组例会', members: 1, external: 1 }])
    const twice: Recipient[] = [
      { eventId },
      { externalType: 'email', contactsNumber: 'guest@partner.example' },
    ]
    expect(await preview(twice, teacher)).toMatchObject({
      recipients: 2,
      members: 1,
      external: 1,
      channels: [{ channel: 'mail', reached: 1 }],
    })
    expect((await preview([{ eventId }], staff)).recipients).toBe(0)
    expect(
      (await staff(recipientGroups.events, { query: { keyWords: '例会' } })).data.list,
    ).toEqual([])
    const sendId = await send([{ eventId }], teacher)
    const told = await teacher(sendingLedger.recipients, { query: { sendId } })
    expect(told.data.list.map(({ contact }) => contact).sort()).toEqual([
      'guest@partner.example',
      'student',
    ])
  })
})
