import { news } from '@atrium/contract/content/news'
import { translation } from '@atrium/contract/discovery/translation'
import { translationConsole } from '@atrium/contract/discovery/translation.operator'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { answers, marked, openTranslationServer } from '../../../../test/translation-server.ts'
import { deleteOldTranslations } from './queries.ts'
import { sanitizeTranslation } from './rules.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let admin: Caller
let server: Awaited<ReturnType<typeof openTranslationServer>>
let allowed: string | undefined
/** has an English title but no English content */
let article: string
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  admin = await app.as('admin')
  server = await openTranslationServer()
  allowed = app.platform.env.ATRIUM_OUTBOUND_ALLOW
  Object.assign(app.platform.env, { ATRIUM_OUTBOUND_ALLOW: server.allow })
  const { rows } = await sql<{ id: string }>`
    select id from article where column_id = 1 and body_en = '' and status = 'published' limit 1`.execute(
    app.platform.db,
  )
  article = String(rows[0]?.id)
})
afterAll(async () => {
  Object.assign(app.platform.env, { ATRIUM_OUTBOUND_ALLOW: allowed })
  await server.close()
})

const settings = (more: object = {}) => ({
  address: server.address,
  enabled: true,
  kinds: ['article', 'message'] as ('article' | 'message')[],
  chinese: 'zh-Hans' as const,
  maxCharacters: 20_000,
  dailyPerMember: 100_000,
  dailyCharacters: 1_000_000,
  seconds: 2,
  ...more,
})
const setUp = async (more: object = {}) => {
  const answer = await admin(translationConsole.update, { body: settings(more) })
  expect(answer.status).toBe(200)
  return answer.data
}
beforeEach(async () => {
  await setUp({ key: 'the key' })
  await sql`delete from translation`.execute(app.platform.db)
  await sql`delete from translation_use`.execute(app.platform.db)
  server.does(marked)
})

const translate = (
  caller = student,
  id = article,
  kind: 'article' | 'message' = 'article',
  to = 'en',
) => caller(translation.translate, { body: { kind, id, to: to as 'en' } })
const usedBy = async (username: string) => {
  const { rows } = await sql<{ characters: number }>`
    select characters from translation_use join account on account.id = account_id
    where username = ${username}`.execute(app.platform.db)
  return rows[0]?.characters ?? 0
}
const setMessage = async (fields: { content: string; contentEn: string; titleEn?: string }) => {
  const { data } = await student(messages.list, { query: {} })
  const id = String(data.list[0]?.id)
  await sql`update message set content = ${fields.content}, content_en = ${fields.contentEn},
    title_en = ${fields.titleEn ?? ''} where id = ${id}`.execute(app.platform.db)
  return id
}

describe('a translation', () => {
  test('is made once for everybody who may read the original', async () => {
    const first = await translate()
    expect(first).toMatchObject({
      status: 200,
      data: { title: '', host: new URL(server.address).host },
    })
    expect(first.data.content).toContain('Translated, ')
    expect(first.data.content).not.toMatch(/\p{Script=Han}/u)
    expect(server.asked).toMatchObject([
      { source: 'zh-Hans', target: 'en', format: 'html', api_key: 'the key' },
    ])
    expect(await usedBy('student')).toBe(server.asked[0]?.q.join('').length)
    expect((await translate(teacher)).data.content).toBe(first.data.content)
    expect(server.asked).toHaveLength(1)
    expect(await usedBy('teacher')).toBe(0)
  })

  test('requested concurrently is made once', async () => {
    const all = await Promise.all([translate(), translate(teacher), translate(admin), translate()])
    expect(new Set(all.map(({ data }) => data.content)).size).toBe(1)
    expect(server.asked).toHaveLength(1)
  })

  test('is made again when the original changes', async () => {
    await translate()
    const set = (html: string) =>
      sql`update article set body = ${html} where id = ${article}`.execute(app.platform.db)
    const { rows } = await sql<{ body: string }>`
      select body from article where id = ${article}`.execute(app.platform.db)
    await set('<p>改过了</p>')
    expect((await translate()).data.content).toBe('<p>Translated, 3 letters. </p>')
    await set(rows[0]?.body ?? '')
    expect(server.asked).toHaveLength(2)
  })

  test('of a message without a version in the language includes its title', async () => {
    const id = await setMessage({ content: '<p>请于<b>周五</b>前领取</p>', contentEn: '' })
    const { data } = await translate(student, id, 'message')
    expect(data.title).toMatch(/^Translated, /)
    expect(data.content).toBe(
      '<p>Translated, 2 letters. <b>Translated, 2 letters. </b>Translated, 3 letters. </p>',
    )
  })

  test('works from English to Chinese too', async () => {
    const id = await setMessage({ content: '', contentEn: '<p>Collect it</p>', titleEn: 'Parcel' })
    expect((await translate(student, id, 'message', 'zh')).data.content).toBe(
      '<p>译文，10 个字。</p>',
    )
    expect(server.asked[0]).toMatchObject({ source: 'en', target: 'zh-Hans' })
  })

  test('is rejected without access to the original, or if it is not needed', async () => {
    const id = await setMessage({ content: '<p>只给你</p>', contentEn: '' })
    expect(await translate(teacher, id, 'message')).toMatchObject({ error: 'message.not_found' })
    expect(await translate(student, '999999')).toMatchObject({ error: 'news.not_found' })
    const { rows } = await sql<{ id: string }>`
      select article.id from article join news_column on news_column.id = column_id
      where code = 'teachers' and status = 'published' limit 1`.execute(app.platform.db)
    expect(await translate(student, String(rows[0]?.id))).toMatchObject({ error: 'news.not_found' })
    expect(await translate(student, article, 'article', 'zh')).toMatchObject({
      status: 409,
      error: 'translation.not_needed',
    })
    expect(
      await app.visitor(translation.translate, {
        body: { kind: 'article', id: article, to: 'en' },
      }),
    ).toMatchObject({ status: 401 })
    expect(server.asked).toHaveLength(0)
  })

  test('is available only while enabled, and for the configured kinds', async () => {
    await setUp({ enabled: false })
    expect(await translate()).toMatchObject({ status: 409, error: 'translation.off' })
    expect((await student(translation.status)).data).toEqual({ kinds: [], host: '' })
    await setUp({ kinds: ['article'] })
    const id = await setMessage({ content: '<p>只给你</p>', contentEn: '' })
    expect(await translate(student, id, 'message')).toMatchObject({ error: 'translation.off' })
    expect((await student(translation.status)).data.kinds).toEqual(['article'])
  })
})

describe('limits', () => {
  test('a text that is too long is not sent', async () => {
    await setUp({ maxCharacters: 100 })
    expect(await translate()).toMatchObject({ status: 413, error: 'translation.too_long' })
    expect(server.asked).toHaveLength(0)
  })

  test('daily limits apply per member and in total, but not to stored translations', async () => {
    await setUp({ dailyPerMember: 10 })
    expect(await translate()).toMatchObject({ status: 429, error: 'translation.used_up' })
    await setUp({ dailyCharacters: 10 })
    expect(await translate()).toMatchObject({ error: 'translation.used_up' })
    await setUp()
    expect(await translate()).toMatchObject({ status: 200 })
    await setUp({ dailyCharacters: 0, dailyPerMember: 0 })
    expect(await translate()).toMatchObject({ status: 200 })
  })

  test('old translations are deleted, messages first', async () => {
    const id = await setMessage({ content: '<p>旧的</p>', contentEn: '' })
    await translate()
    await translate(student, id, 'message')
    await sql`update translation set made_at = now() - interval '8 days'`.execute(app.platform.db)
    await deleteOldTranslations(app.platform.db)
    const { rows } = await sql<{ kind: string }>`select kind from translation`.execute(
      app.platform.db,
    )
    expect(rows).toEqual([{ kind: 'article' }])
  })
})

describe('a translation server that', () => {
  test.each<[string, Parameters<typeof server.does>[0], number, string]>([
    ['is down', (response) => response.destroy(), 503, 'translation.down'],
    [
      'rejects the request',
      (response) => answers(response, { error: 'no' }, 403),
      503,
      'translation.down',
    ],
    ['does not answer', () => {}, 504, 'translation.slow'],
    [
      'sends HTML instead of JSON',
      (response) => response.end('<html>'),
      502,
      'translation.not_usable',
    ],
    [
      'sends another format',
      (response) => answers(response, { text: 'x' }),
      502,
      'translation.not_usable',
    ],
    [
      'sends an empty translation',
      (response) => answers(response, { translatedText: [''] }),
      502,
      'translation.not_usable',
    ],
    [
      'sends too many translations',
      (response) => answers(response, { translatedText: ['a', 'b', 'c'] }),
      502,
      'translation.not_usable',
    ],
    [
      'sends only a script',
      (response) => answers(response, { translatedText: ['<script>steal()</script>'] }),
      502,
      'translation.not_usable',
    ],
    [
      'sends too much data',
      (response) => answers(response, { translatedText: ['x'.repeat(2_000_000)] }),
      502,
      'translation.not_usable',
    ],
  ])('%s causes an error and uses no quota', async (_, behaviour, status, error) => {
    server.does(behaviour)
    expect(await translate()).toMatchObject({ status, error })
    expect(await usedBy('student')).toBe(0)
    server.does(marked)
    expect(await translate()).toMatchObject({ status: 200 })
  })

  test('adds links, pictures or scripts has them removed', () => {
    const original = '<p>见<a href="https://a.example/x">这里</a><img src="/files/7" alt=""></p>'
    const lied =
      '<p onclick="x()">See <a href="https://a.example/x">here</a> or <a href="https://evil.example/">there</a><img src="/files/7" alt=""><img src="https://evil.example/p.gif"><script>x()</script></p>'
    const trusted = sanitizeTranslation(lied, original)
    expect(trusted).toContain('href="https://a.example/x"')
    expect(trusted).toContain('src="/files/7"')
    expect(trusted).not.toMatch(/evil|script|onclick/)
  })
})

describe('operators', () => {
  test('configure the server and cannot read its key', async () => {
    expect(await setUp({ key: 'another' })).toMatchObject({ hasKey: true, charactersToday: 0 })
    expect(JSON.stringify((await admin(translationConsole.read)).data)).not.toContain('another')
    const kept = await setUp()
    expect(kept.hasKey).toBe(true)
    expect((await setUp({ key: '' })).hasKey).toBe(false)
  })

  test('must enter the key again for another host', async () => {
    const elsewhere = 'https://elsewhere.example'
    const refused = { status: 400, fields: { key: expect.any(String) } }
    const update = (more: object) => admin(translationConsole.update, { body: settings(more) })
    expect(await update({ address: elsewhere })).toMatchObject(refused)
    expect((await admin(translationConsole.read)).data.address).toBe(server.address)
    expect(await setUp({ address: `${server.address}/other` })).toMatchObject({ hasKey: true })
    // Removing the address first does not help.
    await setUp({ address: '', enabled: false })
    expect(await update({ address: elsewhere })).toMatchObject(refused)
    expect(await setUp({ address: elsewhere, key: 'another' })).toMatchObject({ hasKey: true })
    await setUp({ address: elsewhere, key: '' })
    expect(await setUp()).toMatchObject({ hasKey: false })
  })

  test('can test the connection', async () => {
    expect((await admin(translationConsole.test, { body: {} })).data).toEqual({
      works: true,
      reason: null,
      text: 'Translated, 2 letters. ',
    })
    server.does((response) => answers(response, {}, 500))
    expect((await admin(translationConsole.test, { body: {} })).data).toMatchObject({
      works: false,
      reason: expect.stringContaining('500'),
    })
  })

  test.each([
    ['', '格式不对'],
    ['ftp://a.example', '格式不对'],
    ['https://user:secret@a.example', '地址中不能包含用户名和密码'],
    ['http://10.0.0.1', '地址在学校内网，尚未用 ATRIUM_OUTBOUND_ALLOW 开放'],
  ])('get an error for the address “%s”', async (address, issue) => {
    const answer = await admin(translationConsole.update, { body: settings({ address }) })
    expect(answer).toMatchObject({ status: 400, fields: { address: issue } })
  })

  test('are the only ones with access', async () => {
    expect(await student(translationConsole.read)).toMatchObject({ status: 403 })
    expect(await student(translationConsole.update, { body: settings() })).toMatchObject({
      status: 403,
    })
    expect(await student(translationConsole.test, { body: {} })).toMatchObject({ status: 403 })
  })
})

test('a translation is not stored in the article, whose contentEn stays empty', async () => {
  const read = async () => (await student(news.read, { params: { id: article } })).data
  const { content } = await read()
  expect(content).toMatch(/\p{Script=Han}/u)
  expect((await translate()).status).toBe(200)
  expect(await read()).toMatchObject({ content, contentEn: '' })
})
