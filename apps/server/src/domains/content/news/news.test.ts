import { news, notices } from '@atrium/contract/content/news'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { audienceFor } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let columnId: string
beforeAll(async () => {
  app = await testApp()
  const { db } = app.platform
  const column = await db
    .insertInto('news_column')
    .values({
      code: 'test',
      name: '测试',
      audience_id: await audienceFor(db, [{ effect: 'include', kind: 'everybody' }]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  columnId = column.id
  await invalidate(db, 'news')
})

async function addArticle(
  title: string,
  values: { published_at?: string; pinned?: boolean; status?: string } = {},
) {
  const { db, topics } = app.platform
  const { id } = await db
    .insertInto('article')
    .values({ column_id: columnId, title, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  await invalidate(db, 'news')
  await topics.flushed()
  return id
}

test('lists and reads return only the columns and articles the viewer may read', async () => {
  const student = await app.as('student')
  const codes = (await student(news.columns)).data.map((column) => column.columnCode)
  const publicCodes = (await app.visitor(news.columns)).data.map((column) => column.columnCode)
  expect(codes).toContain('test')
  expect(publicCodes).not.toContain('test')
  expect(publicCodes.length).toBeGreaterThan(0)
  const id = await addArticle('Members only')
  expect((await student(news.read, { params: { id } })).data.title).toBe('Members only')
  expect(await app.visitor(news.read, { params: { id } })).toMatchObject({
    status: 404,
    error: 'news.not_found',
  })
  expect(await app.visitor(news.list, { query: { columnCode: 'test' } })).toMatchObject({
    status: 404,
    error: 'news.column_not_found',
  })
  expect((await app.visitor(news.list, { query: { columnId } })).data.list).toEqual([])
})

test.each(['draft', 'withdrawn'])('a %s article is not found', async (status) => {
  const id = await addArticle('Not out', { status })
  const teacher = await app.as('teacher')
  expect(await teacher(news.read, { params: { id } })).toMatchObject({
    status: 404,
    error: 'news.not_found',
  })
  expect(await teacher(news.read, { params: { id: '999999999' } })).toMatchObject({
    status: 404,
    error: 'news.not_found',
  })
})

test('an article with a future publication date is not found', async () => {
  const id = await addArticle('Tomorrow', {
    published_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const student = await app.as('student')
  expect(await student(news.read, { params: { id } })).toMatchObject({ status: 404 })
})

test('paging returns every article once while new ones arrive, also with equal timestamps', async () => {
  const student = await app.as('student')
  const { db } = app.platform
  await sql`
    insert into article (column_id, title, published_at, pinned)
    select ${columnId}, 'Page ' || n, timestamptz '2026-01-01 08:00:00.000001+00' - (n / 5) * interval '1 microsecond', n % 7 = 0
    from generate_series(1, 43) n`.execute(db)
  await invalidate(db, 'news')
  await app.platform.topics.flushed()
  const total = Number(
    (
      await db
        .selectFrom('article')
        .select(sql<number>`count(*)::integer`.as('n'))
        .where('column_id', '=', columnId)
        .where('status', '=', 'published')
        .where('published_at', '<=', sql<string>`now()`)
        .executeTakeFirstOrThrow()
    ).n,
  )
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { data } = await student(news.list, {
      query: { columnId, pageSize: 5, ...(cursor && { cursor }) },
    })
    seen.push(...data.list.map((article) => article.id))
    cursor = data.nextCursor ?? undefined
    if (seen.length === 10) await addArticle('Arrived meanwhile')
  } while (cursor)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toHaveLength(total)
})

test('a forged cursor is rejected as an invalid request', async () => {
  const student = await app.as('student')
  for (const cursor of [
    'x',
    Buffer.from('["true","now()","1"]').toString('base64url'),
    Buffer.from('{"a":1}').toString('base64url'),
  ]) {
    expect(await student(news.list, { query: { columnId, cursor } })).toMatchObject({
      status: 400,
      error: 'request.invalid',
      fields: { cursor: expect.any(String) },
    })
  }
})

test('notices are listed only within their period', async () => {
  const { db, topics } = app.platform
  const audience_id = await audienceFor(db, [{ effect: 'include', kind: 'guests' }])
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
  await db
    .insertInto('notice')
    .values([
      { title: 'Now', starts_at: day(-1), ends_at: day(1), audience_id },
      { title: 'Over', starts_at: day(-3), ends_at: day(-1), audience_id },
      { title: 'Later', starts_at: day(1), ends_at: day(2), audience_id },
    ])
    .execute()
  await invalidate(db, 'notices')
  await topics.flushed()
  const titles = (await app.visitor(notices.list)).data.map((notice) => notice.title)
  expect(titles).toContain('Now')
  expect(titles).not.toContain('Over')
  expect(titles).not.toContain('Later')
  expect((await app.visitor(news.marquee)).data.map((notice) => notice.title)).toEqual(titles)
})

test('lists contain thumbnails, or the original files if thumbnails are disabled', async () => {
  const pictures = async () =>
    (await app.visitor(news.list, { query: { pageSize: 50 } })).data.list
      .map((article) => article.titleImage)
      .filter(Boolean)
  const small = await pictures()
  expect(small.length).toBeGreaterThan(0)
  for (const address of small) expect(address).toMatch(/^\/thumbor\/unsafe\/220x146\/files\/\d+$/)
  const answer = await app.app.inject({ url: small[0] ?? '' })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg'])
  await set('enableThumbnail', '0')
  for (const address of await pictures()) expect(address).toMatch(/^\/files\/\d+$/)
  await set('enableThumbnail', '1')
})

test('article pictures from listed hosts are proxied; others are replaced by a link', async () => {
  const id = await addArticle('With pictures')
  const { db } = app.platform
  const picture = (host: string) => `<img src="https://${host}/a.png" alt="A" />`
  await db
    .updateTable('article')
    .set({ body: picture('img.example.edu'), body_en: picture('elsewhere.example') })
    .where('id', '=', id)
    .execute()
  await set('imageHosts', '["img.example.edu"]')
  const student = await app.as('student')
  const { content, contentEn } = (await student(news.read, { params: { id } })).data
  expect(content).toContain(
    'src="/thumbor/unsafe/fit-in/1080x0/https%3A%2F%2Fimg.example.edu%2Fa.png"',
  )
  expect(contentEn).toContain('>View picture: A</a>')
  expect(contentEn).not.toContain('<img')
  await set('imageHosts', '[]')
  expect((await student(news.read, { params: { id } })).data.content).not.toContain('<img')
})

async function set(key: 'enableThumbnail' | 'imageHosts', value: string) {
  await updateSetting(app.platform.db, key, value)
  await app.platform.topics.flushed()
}
