import { randomUUID } from 'node:crypto'
import { messages } from '@atrium/contract/work/messages'
import { sending } from '@atrium/contract/work/sending'
import { sendingTemplates } from '@atrium/contract/work/sending/templates'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailServer } from '../../../../test/mail-server.ts'
import { announceAtOnce, makeSender, openMailingNode } from '../../../../test/mailing-node.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { announceBatch } from '../notifications/worker.ts'
import { sendBatch } from '../sending/worker.ts'

let app: TestApp
let admin: Caller
let teacher: Caller
let staff: Caller
let student: Caller
let node: Awaited<ReturnType<typeof openMailingNode>>
const mail = await mailServer()

beforeAll(async () => {
  app = await testApp()
  ;[admin, teacher, staff, student] = await Promise.all([
    app.as('admin'),
    app.as('teacher'),
    app.as('staff'),
    app.as('student'),
  ])
  node = await openMailingNode(app, mail)
  for (const username of ['teacher', 'staff']) await makeSender(admin, username, 'CS')
  const { db } = node.platform
  await announceAtOnce(student)
  await sql`update person set email_verified_at = now(), external_key = case account.username when 'student' then 'P-1' end
    from account where account.person_id = person.id and account.username in ('student', 'teacher')`.execute(
    db,
  )
})
afterAll(() => node.close())

const people = (...names: string[]) => names.map((accountName) => ({ accountName }))
const send = (body: object, as = admin) =>
  as(sending.send, {
    body: {
      key: randomUUID(),
      title: '通知',
      channels: [],
      recipients: people('student'),
      expected: 1,
      ...body,
    } as never,
  })
const work = async () => {
  while ((await sendBatch(node.platform)) > 0) {
    // until nothing is due
  }
}
const newest = async (as: Caller) => {
  const { data } = await as(messages.list, { query: { pageSize: 1 } })
  return (await as(messages.read, { query: { id: data.list[0]?.id ?? '' } })).data
}

describe('templates', () => {
  const texts = {
    name: '会议通知',
    kind: 'event',
    format: 'html',
    title: '{{会议}}',
    titleEn: '{{会议}}',
    content: '<p>{{姓名}}，请参加<strong>{{会议}}</strong><script>x()</script></p>',
    contentEn: '',
    sharedWith: null,
  } as const

  test('can be created, changed, found by name and deleted by their owner', async () => {
    const created = await teacher(sendingTemplates.create, { body: texts })
    expect(created.status, created.raw).toBe(200)
    const params = { templateId: created.data.templateId }
    expect((await teacher(sendingTemplates.read, { params })).data).toMatchObject({
      name: '会议通知',
      own: true,
      sharedWith: null,
      format: 'html',
      content: '<p>{{姓名}}，请参加<strong>{{会议}}</strong></p>',
    })
    const listed = await teacher(sendingTemplates.list, { query: { keyWords: '会议' } })
    expect(listed.data.list).toMatchObject([{ ...params, name: '会议通知', kind: 'event' }])
    const changed = await teacher(sendingTemplates.update, {
      params,
      body: { ...texts, name: '例会' },
    })
    expect(changed.status).toBe(200)
    const gone = await teacher(sendingTemplates.list, { query: { keyWords: '会议通知' } })
    expect(gone.data.list).toEqual([])
    expect((await teacher(sendingTemplates.remove, { params })).status).toBe(200)
    expect(await teacher(sendingTemplates.read, { params })).toMatchObject({
      status: 404,
      error: 'sending.template_not_found',
    })
  })

  test('can be shared read-only with the senders of the owner’s department', async () => {
    const { data } = await teacher(sendingTemplates.create, { body: texts })
    const params = { templateId: data.templateId }
    expect((await admin(sendingTemplates.read, { params })).status).toBe(404)
    const { places } = (await teacher(sendingTemplates.list, { query: {} })).data
    const top = places.at(-1)?.ins_code ?? ''
    const body = { ...texts, sharedWith: top }
    expect((await teacher(sendingTemplates.update, { params, body })).status).toBe(200)
    expect((await admin(sendingTemplates.read, { params })).data).toMatchObject({
      own: false,
      sharedWith: { ins_code: top },
    })
    expect((await admin(sendingTemplates.update, { params, body: texts })).status).toBe(404)
    expect((await admin(sendingTemplates.remove, { params })).status).toBe(404)
    const elsewhere = { ...texts, sharedWith: 'no-place-of-mine' }
    expect((await teacher(sendingTemplates.update, { params, body: elsewhere })).status).toBe(400)
    expect((await student(sendingTemplates.list, { query: {} })).error).toBe('session.forbidden')
  })
})

describe('variables', () => {
  test('are filled in with each recipient’s own data', async () => {
    const { data, raw } = await send({
      title: '{{姓名}}，{{地点}}',
      titleEn: '{{name}}, {{地点}}',
      content: '你的部门：{{department}} <b>\n第二行',
      variables: { 地点: '礼堂 <A>' },
      recipients: people('student', 'teacher'),
      expected: 2,
    })
    expect(data.sendId, raw).toBeTruthy()
    await work()
    const rows = await sql<{ username: string; name: string; name_en: string; place: string }>`
      select username, person.name, person.name_en, organization.name as place from account
      join person on person.id = person_id join organization on organization.id = organization_id
      where username in ('student', 'teacher')`.execute(node.platform.db)
    expect(rows.rows).toHaveLength(2)
    for (const { username, name, name_en, place } of rows.rows)
      expect(await newest(username === 'student' ? student : teacher)).toMatchObject({
        title: `${name}，礼堂 <A>`,
        titleEn: `${name_en || name}, 礼堂 <A>`,
        summary: `你的部门：${place} <b>`,
        content: `<p>你的部门：${place} &lt;b&gt;</p><p>第二行</p>`,
      })
  })

  test('that are missing are reported in the preview and reject the sending', async () => {
    const body = { title: '{{number}}', recipients: people('student', 'teacher'), expected: 2 }
    const seen = await admin(sending.preview, {
      body: { channels: [], recipients: body.recipients, needs: ['number', 'name'] },
    })
    const { rows } = await sql<{
      name: string
    }>`select name from person join account on person_id = person.id
      where username = 'teacher'`.execute(node.platform.db)
    expect(seen.data.lacking).toEqual([{ variable: 'number', count: 1, examples: [rows[0]?.name] }])
    expect(await send({ ...body, variables: {} })).toMatchObject({
      status: 409,
      error: 'sending.variables_missing',
    })
    expect((await send({ ...body, variables: { number: '（无）' } })).status).toBe(200)
    await work()
    expect((await newest(student)).title).toBe('P-1')
    expect((await newest(teacher)).title).toBe('（无）')
    expect(await send({ title: '{{地点}}', variables: {} })).toMatchObject({
      status: 400,
      fields: { 'variables.地点': expect.any(String) },
    })
  })

  test('that go missing before delivery leave the recipient out, counted as failed', async () => {
    const { db } = node.platform
    const { data } = await send({ title: '学号 {{number}}', variables: {} })
    await sql`update person set external_key = null where external_key = 'P-1'`.execute(db)
    await work()
    const { inbox } = (await admin(sendingLedger.result, { query: data })).data
    expect(inbox).toMatchObject({ total: 1, delivered: 0, failed: 1, waiting: 0 })
    await sql`update person set external_key = 'P-1' from account
      where person_id = person.id and username = 'student'`.execute(db)
  })

  test('are not replaced if the request passes none', async () => {
    await send({ title: '{{name}}' })
    await work()
    expect((await newest(student)).title).toBe('{{name}}')
  })

  test('are filled in by the preview for one recipient at a time', async () => {
    const body = {
      recipients: people('student', 'teacher'),
      format: 'html',
      title: '{{name}}',
      titleEn: '',
      content: '<p onclick="x()">{{name}} {{地点}}</p>',
      contentEn: '',
      variables: { 地点: '礼堂' },
    } as const
    const first = (await admin(sendingTemplates.previewAs, { body: { ...body, at: 0 } })).data
    const second = (await admin(sendingTemplates.previewAs, { body: { ...body, at: 1 } })).data
    expect(first).toMatchObject({
      more: true,
      title: first.name,
      content: `<p>${first.name} 礼堂</p>`,
    })
    expect(second.more).toBe(false)
    expect(second.name).not.toBe(first.name)
    // People outside the sender's scope are not used as examples.
    const outside = await staff(sendingTemplates.previewAs, {
      body: { ...body, recipients: people('admin'), at: 0 },
    })
    expect(outside.data).toMatchObject({ name: '', more: false, title: '{{name}}' })
  })
})

test('rich text is sanitised, and mailed as HTML and plain text', async () => {
  mail.mails.length = 0
  const { data, raw } = await send({
    format: 'html',
    title: '报名 {{name}}',
    content:
      '<h2>{{name}}</h2><ul><li><p>一</p></li><li><p><a href="https://e.example/x">二</a></p></li></ul><script>x()</script>',
    variables: { name: '老师' },
    channels: ['mail'],
    recipients: [
      ...people('student'),
      { externalType: 'email', contactsNumber: 'guest@partner.example' },
    ],
    expected: 2,
  })
  expect(data?.sendId, raw).toBeTruthy()
  await work()
  const read = await newest(student)
  const name = read.title.replace('报名 ', '')
  expect(read.content).toContain(`<h2>${name}</h2><ul><li><p>一</p></li>`)
  expect(read.content).not.toContain('script')
  expect(read.summary).toBe(name)
  const result = (await admin(sendingLedger.result, { query: data })).data
  expect(result).toMatchObject({ format: 'html', variables: { name: '老师' } })
  expect(result.content).not.toContain('script')
  await announceBatch(node.platform)
  await expect.poll(() => mail.mails.length, { timeout: 20_000 }).toBe(2)
  // The HTML is deleted after sending; the mail server receives the mail before that.
  await expect
    .poll(async () => {
      const { rows } = await sql<{ subject: string; html: string }>`
        select subject, html from outbox where kind = 'mail' and subject like '报名%' order by id`.execute(
        node.platform.db,
      )
      return rows
    })
    .toEqual([
      { subject: '报名 老师', html: '' },
      { subject: `报名 ${name}`, html: '' },
    ])
  for (const [outside, reader] of [
    [true, '老师'],
    [false, name],
  ] as const) {
    const isOutside = (to: string[]) => to.includes('guest@partner.example')
    const sent = printed(mail.mails.find(({ to }) => isOutside(to) === outside)?.text ?? '')
    expect(sent).toContain('multipart/alternative')
    expect(sent).toContain(`${reader}\n\n- 一\n- 二 (https://e.example/x)`)
    expect(sent).toContain(`<h2>${reader}</h2><ul><li><p>一</p></li>`)
  }
})
/** Decodes quoted-printable. */
const printed = (text: string) =>
  decodeURIComponent(
    text
      .replaceAll('\r\n', '\n')
      .replaceAll('=\n', '')
      .replaceAll('%', '%25')
      .replaceAll(/=(?=[0-9A-F]{2})/g, '%'),
  )

test('members without the permission can send only plain text', async () => {
  await sql`insert into sending_policy (policy) values ('{"members": true}')`.execute(
    node.platform.db,
  )
  const to = { recipients: people('teacher'), expected: 1 }
  expect((await send({ ...to, format: 'html' }, student)).error).toBe('session.forbidden')
  expect((await send({ ...to, variables: {} }, student)).error).toBe('session.forbidden')
  expect((await send(to, student)).status).toBe(200)
})
