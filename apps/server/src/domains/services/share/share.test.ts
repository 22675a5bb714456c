import { news } from '@atrium/contract/content/news'
import { serviceOpening } from '@atrium/contract/services/service-opening'
import { share } from '@atrium/contract/services/share'
import { beforeAll, expect, test } from 'vitest'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { createShare, writeShare } from './rules.ts'

let app: TestApp
let student: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
})

const rules = {
  open: [
    { effect: 'include', kind: 'everybody' },
    { effect: 'include', kind: 'guests' },
  ],
  members: [{ effect: 'include', kind: 'everybody' }],
  teachers: [{ effect: 'include', kind: 'identity', target: 'T01' }],
} satisfies Record<string, Rule[]>

async function change<T>(work: (db: TestApp['platform']['db']) => Promise<T>): Promise<T> {
  const { db, topics } = app.platform
  const done = await db.transaction().execute(async (db) => {
    const result = await work(db as never)
    await invalidate(db, 'services')
    await invalidate(db, 'news')
    return result
  })
  await topics.flushed()
  return done
}

const addService = (serviceNo: string, audience: Rule[], name = serviceNo) =>
  change(async (db) => {
    const type = await db.selectFrom('service_type').select('id').executeTakeFirstOrThrow()
    const row = await db
      .insertInto('service')
      .values({
        service_no: serviceNo,
        name,
        type_id: type.id,
        url: 'https://example.edu/',
        audience_id: await audienceFor(db, audience),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })

const set = (key: 'ENV_SERVICE_SHARE_TYPE' | 'ENV_NEWS_SHARE_TYPE', value: string) =>
  change((db) => updateSetting(db, key, value))

/** The signed text of a member's share address. */
async function shared(caller: Caller, kind: 'service' | 'news', id: string, named = false) {
  const { data } = await caller(share.link, { query: { kind, id, named } })
  const fields = new URL(data.url).searchParams
  return { ...data, text: fields.get(kind === 'service' ? 'serviceInfo' : 'data') ?? '', fields }
}
const open = (caller: Caller, serviceInfo: string) =>
  caller(share.service, { query: { serviceInfo } })

test('a visitor sees a shared public service and its sharer, and can open it', async () => {
  const id = await addService('S-OPEN', rules.open, '<script>alert(1)</script>')
  const link = await shared(student, 'service', id, true)
  expect(link).toMatchObject({
    title: '<script>alert(1)</script>',
    sharerName: '林知夏',
    sharerNameEn: 'Lin Zhixia',
  })
  expect(link.url).toMatch(/^http:\/\/localhost:\d+\/pages\/service\/serviceShare\?serviceInfo=/)
  expect(link.fields.get('noLogin')).toBe('1')
  expect((await open(app.visitor, link.text)).data).toMatchObject({
    sharerName: '林知夏',
    sharerNameEn: 'Lin Zhixia',
    inviter: expect.stringMatching(/^[\w-]{16}$/),
    direct: false,
    service: { serviceId: id, serviceName: '<script>alert(1)</script>' },
  })
  expect((await app.visitor(serviceOpening.launch, { body: { serviceId: id } })).status).toBe(200)
})

test('the name of the sharer is included only on request, and never for visitors', async () => {
  const id = await addService('S-NAMELESS', rules.open)
  for (const link of [
    await shared(student, 'service', id),
    await shared(app.visitor, 'service', id, true),
  ]) {
    expect(link.sharerName).toBe('***')
    expect((await open(app.visitor, link.text)).data).toMatchObject({
      sharerName: '***',
      inviter: '',
    })
  }
})

test('a shared service without access gets the same 404 as a missing one', async () => {
  const id = await addService('S-MEMBERS', rules.members)
  const { text } = await shared(student, 'service', id)
  const unknown = writeShare(
    app.platform.secret,
    createShare(
      app.platform.secret,
      { kind: 'service', id: '999999', direct: false },
      null,
      new Date(),
    ),
  )
  const nothing = await open(app.visitor, unknown)
  expect(nothing).toMatchObject({ status: 404, error: 'service.not_found' })
  const without = (raw: string) => raw.replace(/"requestId":"[^"]*"/, '')
  expect(without((await open(app.visitor, text)).raw)).toBe(without(nothing.raw))
  // A signed-in teacher sees it until it is withdrawn.
  const teacher = await app.as('teacher')
  expect((await open(teacher, text)).data.service.serviceId).toBe(id)
  await change((db) =>
    db.updateTable('service').set({ online: false }).where('id', '=', id).execute(),
  )
  expect(without((await open(teacher, text)).raw)).toBe(without(nothing.raw))
  await change((db) => db.deleteFrom('service').where('id', '=', id).execute())
  expect(without((await open(teacher, text)).raw)).toBe(without(nothing.raw))
})

test('members cannot share what they may not see', async () => {
  const id = await addService('S-TEACHERS', rules.teachers)
  const query = { kind: 'service', id }
  expect(await student(share.link, { query })).toMatchObject({
    status: 404,
    error: 'service.not_found',
  })
  expect(await app.visitor(share.link, { query })).toMatchObject({ status: 404 })
  expect(await student(share.link, { query: { kind: 'news', id: '999999' } })).toMatchObject({
    status: 404,
    error: 'news.not_found',
  })
  expect(await student(share.link, { query: { kind: 'file', id } })).toMatchObject({ status: 400 })
})

test('an altered or expired share address is rejected', async () => {
  const id = await addService('S-ALTERED', rules.open)
  const { text } = await shared(student, 'service', id)
  for (const bad of [`${text}x`, text.slice(1), `x.${text}`, '<script>', 'a'.repeat(999)])
    expect(await open(app.visitor, bad)).toMatchObject({ status: 400, error: 'share.invalid' })
  expect(await open(app.visitor, 'a'.repeat(1001))).toMatchObject({ status: 400 })
  const { secret } = app.platform
  const item = { kind: 'service', id, direct: false } as const
  const old = writeShare(
    secret,
    createShare(secret, item, null, new Date(Date.now() - 32 * 24 * 3600_000)),
  )
  expect(await open(app.visitor, old)).toMatchObject({ status: 410, error: 'share.expired' })
  expect(await app.visitor(share.news, { query: { data: text } })).toMatchObject({
    error: 'share.invalid',
  })
})

test('sharing can be turned off, or links can lead directly to the service', async () => {
  const id = await addService('S-TYPES', rules.open)
  const before = await shared(student, 'service', id)
  await set('ENV_SERVICE_SHARE_TYPE', 'direct')
  const direct = await shared(student, 'service', id)
  expect((await open(app.visitor, direct.text)).data.direct).toBe(true)
  await set('ENV_SERVICE_SHARE_TYPE', 'off')
  expect(await student(share.link, { query: { kind: 'service', id } })).toMatchObject({
    status: 403,
    error: 'share.off',
  })
  // Addresses shared earlier still show what anybody may see.
  expect((await open(app.visitor, before.text)).status).toBe(200)
  await set('ENV_SERVICE_SHARE_TYPE', 'regular')
})

test('a shared article has its picture and summary and follows the audience of its column', async () => {
  const { data } = await app.visitor(news.list, { query: { pageSize: 50 } })
  const article = data.list.find(({ titleImage }) => titleImage)
  const link = await shared(student, 'news', article?.id ?? '')
  expect(link.image).toMatch(
    /^http:\/\/localhost:\d+\/thumbor\/unsafe\/fit-in\/250x200\/filters:background_color\(white\)\//,
  )
  const read = await app.visitor(share.news, { query: { data: link.text } })
  expect(read.data).toMatchObject({
    sharerName: '***',
    article: { id: article?.id, title: article?.title, contentDesc: expect.any(String) },
  })
  const { db } = app.platform
  const column = await db
    .selectFrom('news_column')
    .select(['id', 'audience_id'])
    .where('id', '=', article?.columnId ?? '')
    .executeTakeFirstOrThrow()
  await change(async (db) =>
    db
      .updateTable('news_column')
      .set({ audience_id: await audienceFor(db, rules.members) })
      .where('id', '=', column.id)
      .execute(),
  )
  expect(await app.visitor(share.news, { query: { data: link.text } })).toMatchObject({
    status: 404,
    error: 'news.not_found',
  })
  expect((await student(share.news, { query: { data: link.text } })).status).toBe(200)
  await set('ENV_NEWS_SHARE_TYPE', 'off')
  expect(await student(share.link, { query: { kind: 'news', id: article?.id } })).toMatchObject({
    error: 'share.off',
  })
})
