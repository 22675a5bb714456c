import { letterConsole, letters } from '@atrium/contract/content/mailbox'
import { audit } from '@atrium/contract/identity/operators.operator'
import { messages } from '@atrium/contract/work/messages'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, declared, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let operator: Caller
let school: Caller
let student: Caller
let mailboxId: string
let schoolBox: string

const everybody = [{ kind: 'everybody' }]
beforeAll(async () => {
  app = await testApp()
  const { db, topics } = app.platform
  const place = await db
    .selectFrom('organization')
    .select('id')
    .where('code', '=', 'CS')
    .executeTakeFirstOrThrow()
  const teacherId = (await findAccountByUsername(db, 'teacher'))?.id ?? ''
  await insertGrants(db, teacherId, ['messages'], place.id)
  await db.deleteFrom('letter').execute()
  await db.deleteFrom('mailbox').execute()
  await topics.flushed()
  operator = await app.as('admin')
  school = await app.as('teacher')
  student = await app.as('student')
  const make = async (who: Caller, body: object) => {
    const created = await who(letterConsole.createMailbox, { body })
    expect(created.status).toBe(200)
    return created.data.id
  }
  mailboxId = await make(operator, { name: '校长信箱', audience: everybody })
  schoolBox = await make(school, {
    name: '学院信箱',
    organization: 'CS',
    audience: [{ kind: 'organization', target: 'CS' }],
  })
})
beforeEach(async () => {
  await app.platform.db.deleteFrom('letter').execute()
})

const letter = { title: '食堂', content: '希望延长供餐时间。\n谢谢！' }
const write = async (fields: object = {}, who: Caller = student) => {
  const sent = await who(letters.send, { body: { ...letter, mailboxId, ...fields } })
  expect(sent.status).toBe(200)
  return sent.data
}
const waiting = async (who: Caller = operator) =>
  (await who(letterConsole.list, { query: { state: 'waiting' } })).data.list
const answer = async (who: Caller, text = '已转后勤处办理。') => {
  const [one] = await waiting(who)
  return who(letterConsole.answer, {
    params: { id: one?.id ?? '0' },
    body: { revision: one?.revision ?? 1, answer: text },
  })
}

describe('a letter', () => {
  test('is sent and answered, and its author is notified once', async () => {
    expect((await student(letters.mailboxes)).data.map(({ name }) => name)).toEqual([
      '校长信箱',
      '学院信箱',
    ])
    const sent = await write()
    expect(sent).toMatchObject({ ...letter, answer: '', answeredAt: null, published: false })
    expect(await waiting()).toMatchObject([
      {
        ...letter,
        writer: {
          name: '林知夏',
          organizationName: '计算机学院',
          organizationNameEn: 'School of Computer Science',
        },
        revision: 1,
      },
    ])
    const answered = await answer(operator)
    expect(answered).toMatchObject({ status: 200, data: { answer: '已转后勤处办理。' } })
    const { list } = (await student(letters.own)).data
    expect(list).toMatchObject([{ id: sent.id, answer: '已转后勤处办理。' }])
    const box = (await student(messages.apps)).data.find(({ code }) => code === 'atrium-letters')
    expect(box?.unreadCount).toBe(1)
    // Rewording does not notify again, and of two concurrent rewordings only one succeeds.
    const { id, revision } = answered.data
    const again = { params: { id }, body: { revision, answer: '已答复。' } }
    const both = await Promise.all([1, 2].map(() => operator(letterConsole.answer, again)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const after = (await student(messages.apps)).data.find(({ code }) => code === 'atrium-letters')
    expect(after?.unreadCount).toBe(1)
    const entries = (await operator(audit.list, { query: { pageSize: 1 } })).data.list
    expect(entries[0]?.action).toBe('PUT /console-api/v1/letters/{id}/answer')
  })

  test('is published without a name if its author agreed and an operator publishes it', async () => {
    const publish = (who: Caller, { id, revision }: { id: string; revision: number }, to = true) =>
      who(letterConsole.publish, { params: { id }, body: { revision, published: to } })
    const published = async (who: Caller) => (await who(letters.published)).data.list
    await write({ mayPublish: true })
    const [open] = await waiting()
    expect(await publish(operator, { id: open?.id ?? '', revision: 1 })).toMatchObject({
      status: 409,
      error: 'letter.not_publishable',
    })
    const answered = (await answer(operator)).data
    expect(await published(student)).toEqual([])
    const shown = await publish(operator, answered)
    expect(shown.data.published).toBe(true)
    const staff = await app.as('staff')
    const list = await published(staff)
    expect(list).toMatchObject([{ title: '食堂', answer: '已转后勤处办理。' }])
    expect(Object.keys(list[0] ?? {}).join()).not.toMatch(/writer|account|name$/i)
    await publish(operator, shown.data, false)
    expect(await published(staff)).toEqual([])

    await write({ title: '不公开' })
    const own = (await answer(operator)).data
    expect(await publish(operator, own)).toMatchObject({ error: 'letter.not_publishable' })
  })

  test('can be withdrawn by its author until it is answered', async () => {
    const one = await write()
    expect(
      await (await app.as('staff'))(letters.takeBack, { params: { id: one.id } }),
    ).toMatchObject({ status: 404, error: 'letter.not_found' })
    expect(await student(letters.takeBack, { params: { id: one.id } })).toMatchObject({
      status: 200,
    })
    expect((await student(letters.own)).data.list).toEqual([])
    const other = await write()
    await answer(operator)
    expect(await student(letters.takeBack, { params: { id: other.id } })).toMatchObject({
      status: 409,
      error: 'letter.answered',
    })
  })

  test('is rate-limited per member, also when sent concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => student(letters.send, { body: { ...letter, mailboxId } })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      error: 'request.too_many',
      headers: { 'retry-after': '3600' },
    })
  })
})

describe('permissions', () => {
  test('a department reads only letters to its own mailboxes; others are not found', async () => {
    await write({ title: '给校长' })
    await write({ title: '给学院', mailboxId: schoolBox })
    expect((await waiting(school)).map(({ title }) => title)).toEqual(['给学院'])
    expect((await waiting(operator)).map(({ title }) => title)).toEqual(['给学院', '给校长'])
    const other = (await waiting(operator)).find(({ title }) => title === '给校长')
    const refusals = [
      [letterConsole.answer, { params: { id: other?.id }, body: { revision: 1, answer: 'x' } }],
      [
        letterConsole.publish,
        { params: { id: other?.id }, body: { revision: 1, published: false } },
      ],
      [letterConsole.removeMailbox, { params: { id: mailboxId } }],
      [
        letterConsole.updateMailbox,
        { params: { id: mailboxId }, body: { revision: 1, name: 'x', audience: everybody } },
      ],
    ] as const
    for (const [endpoint, input] of refusals) {
      expect((await school(endpoint, input)).status, endpoint.path).toBe(404)
      expect((await student(endpoint, input)).status).toBe(403)
      expect((await app.visitor(endpoint, input)).status).toBe(401)
    }
    expect((await student(letterConsole.list)).status).toBe(403)
    expect((await app.visitor(letters.own)).status).toBe(401)
  })

  test('a mailbox is not found outside its audience, and rejects letters while closed', async () => {
    const staff = await app.as('staff')
    expect((await staff(letters.mailboxes)).data.map(({ name }) => name)).toEqual(['校长信箱'])
    expect(await staff(letters.send, { body: { ...letter, mailboxId: schoolBox } })).toMatchObject({
      status: 404,
      error: 'letter.mailbox_not_found',
    })
    const [box] = (await school(letterConsole.mailboxes)).data
    const change = {
      params: { id: schoolBox },
      body: declared(letterConsole.updateMailbox, { ...box, open: false }),
    }
    expect((await school(letterConsole.updateMailbox, change)).data.open).toBe(false)
    expect(await school(letterConsole.updateMailbox, change)).toMatchObject({
      status: 409,
      error: 'letter.changed_meanwhile',
    })
    expect(
      await student(letters.send, { body: { ...letter, mailboxId: schoolBox } }),
    ).toMatchObject({ status: 409, error: 'letter.mailbox_closed' })
  })

  test('a retry with the same key returns its letter even after the mailbox is closed', async () => {
    const { db } = app.platform
    const { id } = (
      await operator(letterConsole.createMailbox, { body: { name: '短期', audience: everybody } })
    ).data
    const body = { ...letter, mailboxId: id, key: 'f2a7c1d0-5b8e-4a63-9c7d-1e0b3a5d9f42' }
    const sent = await student(letters.send, { body })
    await db.updateTable('mailbox').set({ open: false }).where('id', '=', id).execute()
    expect(await student(letters.send, { body })).toMatchObject({
      status: 200,
      data: { id: sent.data.id },
    })
    const { key: _, ...another } = body
    expect(await student(letters.send, { body: another })).toMatchObject({
      status: 409,
      error: 'letter.mailbox_closed',
    })
    await db.deleteFrom('letter').execute()
    await db.deleteFrom('mailbox').where('id', '=', id).execute()
  })

  test('a mailbox with letters cannot be deleted', async () => {
    await write()
    expect(
      await operator(letterConsole.removeMailbox, { params: { id: mailboxId } }),
    ).toMatchObject({ status: 409, error: 'letter.mailbox_in_use' })
    const { data } = await operator(letterConsole.createMailbox, {
      body: { name: '空信箱', audience: everybody },
    })
    expect(await operator(letterConsole.removeMailbox, { params: { id: data.id } })).toMatchObject({
      status: 200,
    })
  })
})

test('paging through the lists returns every letter exactly once', async () => {
  const { db } = app.platform
  const accountId = (await findAccountByUsername(db, 'student'))?.id ?? ''
  await db
    .insertInto('letter')
    .values(
      Array.from({ length: 7 }, (_, index) => ({
        mailbox_id: mailboxId,
        account_id: accountId,
        title: `第 ${index} 封`,
        content: 'x',
        may_publish: false,
        created_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
      })),
    )
    .execute()
  for (const [who, endpoint] of [
    [student, letters.own],
    [operator, letterConsole.list],
  ] as const) {
    const titles: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data } = (await who(endpoint, {
        query: { pageSize: 3, ...(cursor && { cursor }) },
      })) as { data: { list: { title: string }[]; nextCursor: string | null } }
      titles.push(...data.list.map(({ title }) => title))
      cursor = data.nextCursor
    }
    expect(titles).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `第 ${index} 封`))
  }
})

test('a repeated key returns the same letter to its author, and creates one for another member', async () => {
  const key = 'of-the-client'
  const send = (who: Caller) => who(letters.send, { body: { ...letter, mailboxId, key } })
  const [first, again] = [await send(student), await send(student)]
  expect(again.data).toEqual(first.data)
  expect((await send(school)).data.id).not.toBe(first.data.id)
})

test.each([
  ['title', { title: ' ' }],
  ['content', { content: 'x'.repeat(2001) }],
  ['mailboxId', { mailboxId: 'x' }],
])('an invalid %s is reported by field', async (field, differs) => {
  const sent = await student(letters.send, { body: { ...letter, mailboxId, ...differs } })
  expect(sent).toMatchObject({ status: 400, error: 'request.invalid' })
  expect(Object.keys(sent.fields ?? {})).toEqual([field])
})
