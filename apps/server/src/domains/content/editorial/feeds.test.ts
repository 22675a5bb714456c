import { crc32 } from 'node:zlib'
import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { news } from '@atrium/contract/content/news'
import { feeds } from '@atrium/contract/content/news-feeds.operator'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { feedServer } from '../../../../test/feed-server.ts'
import { ouyangInGb18030 } from '../../../../test/own-database.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { fetchDueFeeds, fetchFeed } from './feeds.ts'

let app: TestApp
let site: Awaited<ReturnType<typeof feedServer>>
let editor: Caller
let columnId: string
let otherColumnId: string

beforeAll(async () => {
  app = await testApp()
  site = await feedServer()
  Object.assign(app.platform.env, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${site.port}` })
  editor = await app.as('admin')
  const createColumn = async (code: string, name: string) =>
    (
      await editor(newsConsole.createColumn, {
        body: { code, name, audience: [{ kind: 'everybody' }] },
      })
    ).data.id
  columnId = await createColumn('feeds', '转载')
  otherColumnId = await createColumn('other-feeds', '另一转载')
})
beforeEach(async () => {
  const { db } = app.platform
  await db.deleteFrom('news_feed').execute()
  await db.deleteFrom('article').where('column_id', 'in', [columnId, otherColumnId]).execute()
  site.asked.length = 0
})

const item = (key: string, title: string, body = '') =>
  `<item><title>${title}</title><guid>${key}</guid><link>${site.address(`/n/${key}`)}</link><description><![CDATA[${body}]]></description><pubDate>Fri, 20 Nov 2026 08:00:00 +0800</pubDate></item>`
const rss = (items: string, encoding = 'utf-8') =>
  `<?xml version="1.0" encoding="${encoding}"?><rss version="2.0"><channel><title>x</title><link>${site.address('/')}</link>${items}</channel></rss>`
const atom = (entries: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><id>urn:x</id><link href="${site.address('/')}"/><updated>2026-11-21T00:00:00Z</updated>${entries}</feed>`
const entry = (key: string, title: string) =>
  `<entry><id>${key}</id><title>${title}</title><updated>2026-11-21T00:00:00Z</updated><content type="html">&lt;p&gt;文&lt;/p&gt;</content></entry>`

const subscribe = async (path: string, fields: object = {}) => {
  const made = await editor(feeds.create, {
    body: { address: site.address(path), columnId, ...fields },
  })
  expect(made.status).toBe(200)
  return made.data
}
const fetchNow = async ({ id }: { id: string }) =>
  (await editor(feeds.fetch, { params: { id } })).data
const stored = () =>
  app.platform.db
    .selectFrom('article')
    .select(['id', 'title', 'body', 'image_file_id'])
    .where('column_id', '=', columnId)
    .orderBy('source_key')
    .execute()
const titles = async () => (await stored()).map(({ title }) => title)

describe('a feed', () => {
  test.each<[string, () => string | Uint8Array]>([
    ['RSS', () => rss(item('1', '欧阳') + item('2', '二'))],
    ['Atom', () => atom(entry('1', '欧阳') + entry('2', '二'))],
    [
      'RSS in GB18030',
      () => {
        const [head = '', tail = ''] = rss(`${item('1', '#')}${item('2', 'two')}`, 'gb2312').split(
          '#',
        )
        return Buffer.concat([Buffer.from(head), ouyangInGb18030, Buffer.from(tail)])
      },
    ],
  ])('in %s is imported, and importing it again adds no duplicates', async (_, write) => {
    site.hold('/feed', write())
    const feed = await subscribe('/feed')
    expect(await fetchNow(feed)).toMatchObject({ result: 'imported', added: 2, message: '' })
    expect(await fetchNow(feed)).toMatchObject({ result: 'unchanged', added: 0, changed: 0 })
    expect(await stored()).toHaveLength(2)
    expect((await titles())[0]).toBe('欧阳')
  })

  test('is shown to readers and updates its articles, but not those edited here', async () => {
    site.hold('/feed', rss(item('1', '初题', '<p>正文</p>')))
    const feed = await subscribe('/feed')
    await fetchNow(feed)
    site.hold('/feed', rss(item('1', '原题', '<p>正文</p>')))
    expect(await fetchNow(feed)).toMatchObject({ result: 'imported', added: 0, changed: 1 })
    const [row] = await stored()
    const id = row?.id ?? ''
    const student = await app.as('student')
    expect((await student(news.read, { params: { id } })).data.title).toBe('原题')
    const { data } = await editor(newsConsole.read, { params: { id } })
    expect(data).toMatchObject({ imported: true, showing: 'shown' })
    await editor(newsConsole.save, {
      params: { id },
      body: { ...data.text, title: '改过', revision: data.revision },
    })
    site.hold('/feed', rss(item('1', '新题', '<p>正文</p>')))
    expect(await fetchNow(feed)).toMatchObject({ result: 'unchanged' })
    expect(await titles()).toEqual(['原题'])
  })

  test('is requested with its ETag, and less often after failures', async () => {
    site.answer('/feed', (request, reply) => {
      if (request.headers['if-none-match'] === '"1"') reply.writeHead(304).end()
      else reply.writeHead(200, { etag: '"1"' }).end(rss(item('1', '一')))
    })
    const feed = await subscribe('/feed', { intervalMinutes: 60 })
    await fetchNow(feed)
    expect(await fetchNow(feed)).toMatchObject({ result: 'unchanged', message: '' })
    expect(site.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"'])
    const minutes = ({ nextAt }: { nextAt: string | null }) =>
      Math.round((Date.parse(nextAt ?? '') - Date.now()) / 60_000)
    site.answer('/feed', (_, reply) => reply.writeHead(500).end())
    const first = await fetchNow(feed)
    expect(first).toMatchObject({
      result: 'failed',
      message: expect.stringContaining('status 500'),
    })
    const second = await fetchNow(feed)
    expect([minutes(first), minutes(second)]).toEqual([120, 240])
    const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toUTCString()
    for (const [retryAfter, wait] of [
      ['172800', 2880],
      [inThreeDays, 4320],
    ] as const) {
      site.answer('/feed', (_, reply) => reply.writeHead(503, { 'retry-after': retryAfter }).end())
      expect(minutes(await fetchNow(feed))).toBe(wait)
    }
  })

  test('is not fetched while another feed of its host is; the job fetches only due feeds', async () => {
    for (const path of ['/a', '/b', '/c'])
      site.answer(path, (_, reply) =>
        setTimeout(() => reply.writeHead(200).end(rss(item(path, path))), 30),
      )
    const a = await subscribe('/a')
    const b = await subscribe('/b')
    const off = await subscribe('/c', { enabled: false })
    const [first, second] = await Promise.all([
      editor(feeds.fetch, { params: { id: a.id } }),
      editor(feeds.fetch, { params: { id: b.id } }),
    ])
    expect([first.status, second.status].sort()).toEqual([200, 409])
    await app.platform.db
      .updateTable('news_feed')
      .set({ next_at: sql`now() - interval '1 minute'` })
      .execute()
    site.asked.length = 0
    await fetchDueFeeds(app.platform)
    expect(site.asked.map(({ path }) => path).sort()).toEqual(['/a', '/b'])
    expect(site.maxAtOnce()).toBe(1)
    const { data } = await editor(feeds.list)
    expect(data.find(({ id }) => id === off.id)).toMatchObject({ fetchedAt: null, nextAt: null })
  })
})

test.each<[string, () => { address?: string; columnId?: string; intervalMinutes?: number }]>([
  ['address', () => ({ address: site.address('/new') })],
  ['column', () => ({ columnId: otherColumnId })],
  ['interval', () => ({ intervalMinutes: 30 })],
])('a feed whose %s changes during a fetch is imported only by the next one', async (_, change) => {
  const feed = await subscribe('/feed')
  const fields = { address: feed.address, columnId, intervalMinutes: 60, ...change() }
  let isChanged = false
  for (const path of ['/feed', '/new'])
    site.answer(path, async (request, reply) => {
      if (!isChanged) {
        isChanged = true
        await editor(feeds.update, {
          params: { id: feed.id },
          body: { ...fields, revision: feed.revision },
        })
      }
      if (request.headers['if-none-match'] === '"1"') reply.writeHead(304).end()
      else reply.writeHead(200, { etag: '"1"' }).end(rss(item('1', '一')))
    })
  const interrupted = await fetchNow(feed)
  expect(interrupted).toMatchObject({ ...fields, fetchedAt: null, result: null })
  expect(Date.parse(interrupted.nextAt ?? '')).toBeLessThanOrEqual(Date.now())
  const next = await fetchNow(feed)
  expect(next).toMatchObject({ result: 'imported', added: 1 })
  const wait = Date.parse(next.nextAt ?? '') - Date.now()
  expect(Math.round(wait / 60_000)).toBe(fields.intervalMinutes)
  const articles = await app.platform.db
    .selectFrom('article')
    .select('column_id')
    .where('column_id', 'in', [columnId, otherColumnId])
    .execute()
  expect(articles).toEqual([{ column_id: fields.columnId }])
})

describe('a faulty feed', () => {
  const failing = async (path: string, seconds = 5) => {
    const { id } = await subscribe(path)
    await fetchFeed(app.platform, id, { seconds })
    const { data } = await editor(feeds.list)
    const feed = data.find((one) => one.id === id)
    return `${feed?.result}: ${feed?.message}`
  }

  test('is aborted when it is too large or too slow', async () => {
    site.answer('/endless', (_, reply) => {
      reply.writeHead(200)
      const more = () => {
        while (reply.write('<item>'.repeat(20_000))) {}
      }
      reply.on('drain', more)
      more()
    })
    expect(await failing('/endless')).toMatch(/^failed: .*larger than 5 MB/)
    site.answer('/slow', (_, reply) => {
      reply.writeHead(200).write('<rss>')
      const timer = setInterval(() => reply.write(' '), 100)
      reply.on('close', () => clearInterval(timer))
    })
    expect(await failing('/slow', 1)).toMatch(/^failed: .*did not answer within 1 s/)
    expect(await stored()).toEqual([])
  })

  test('with an internal redirect, external entity, wrong format or encoding is rejected; no entity is expanded', async () => {
    site.answer('/inside', (_, reply) =>
      reply.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    )
    expect(await failing('/inside')).toMatch(/^failed: /)
    const withEntity = (entity: string) =>
      rss(item('1', '题&a;')).replace('?>', `?><!DOCTYPE rss [<!ENTITY a ${entity}>]>`)
    site.hold('/external', withEntity('SYSTEM "file:///etc/passwd"'))
    expect(await failing('/external')).toMatch(/^failed: .*not an RSS, RDF, Atom or JSON feed/)
    expect(await titles()).toEqual([])
    site.hold('/internal', withEntity('"展开"'))
    await fetchNow(await subscribe('/internal'))
    expect(await titles()).toEqual(['题&a;'])
    site.hold('/page', '<!doctype html><html><body>no feed</body></html>')
    expect(await failing('/page')).toMatch(/^failed: .*not an RSS, RDF, Atom or JSON feed/)
    site.hold(
      '/bytes',
      Buffer.concat([Buffer.from(rss('').slice(0, -20)), Buffer.from([0xff, 0xfe, 0xff])]),
    )
    expect(await failing('/bytes')).toMatch(/^failed: .*not a text in utf-8/i)
    expect(await stored()).toHaveLength(1)
  })

  test('that is truncated is imported up to its last complete article', async () => {
    const whole = rss(item('1', '一') + item('2', '二'))
    site.hold('/cut', whole.slice(0, whole.indexOf('二') + 1))
    expect(await failing('/cut')).toBe(
      'partly: The feed is cut off; its complete articles were imported.',
    )
    expect(await titles()).toEqual(['一'])
    site.hold('/start', whole.slice(0, whole.indexOf('一')))
    expect(await failing('/start')).toMatch(/^failed: .*cut off within its first article/)
    site.answer('/gone', (_, reply) => {
      reply.writeHead(200, { 'content-length': '5000' }).write('<rss>')
      setTimeout(() => reply.destroy(), 20)
    })
    expect(await failing('/gone')).toMatch(/^failed: .*cannot be reached/)
  })

  test('cannot overwrite articles of another site', async () => {
    site.hold('/feed', rss(item('1', '原题')))
    await fetchNow(await subscribe('/feed'))
    await app.platform.db
      .updateTable('article')
      .set({ source: 'https://www.elsewhere.example/' })
      .where('column_id', '=', columnId)
      .execute()
    site.hold(
      '/thief',
      rss(item('1', '冒名')).replace(site.address('/'), 'https://www.elsewhere.example/'),
    )
    await fetchNow(await subscribe('/thief'))
    expect((await titles()).sort()).toEqual(['冒名', '原题'].sort())
  })

  test('has its active content removed', async () => {
    site.hold(
      '/xss',
      rss(
        item(
          '1',
          '&lt;img src=x onerror=x()&gt;题',
          '<p onclick="x()">文<script>x()</script><iframe src="//x"></iframe><a href="javascript:x()">去</a></p>',
        ),
      ),
    )
    await fetchNow(await subscribe('/xss'))
    const [row] = await stored()
    expect(row?.title).not.toContain('<img')
    expect(row?.body).toBe('<p>文<a rel="noopener noreferrer" target="_blank">去</a></p>')
  })
})

describe('pictures in a feed', () => {
  test('are copied once; invalid, oversized, internal and missing ones are omitted', async () => {
    const png = await sharp({
      create: { width: 8, height: 8, channels: 3, background: '#004ea1' },
    })
      .png()
      .toBuffer()
    site.hold('/a.png', png, { 'content-type': 'text/html' })
    site.hold('/page.png', '<html><script>x()</script></html>', { 'content-type': 'image/png' })
    site.hold('/drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>')
    site.hold('/huge.png', Buffer.alloc(5_100_000))
    // A small file that claims to unpack to 20000 × 20000 pixels.
    const bomb = Buffer.from(png)
    bomb.writeUInt32BE(20_000, 16)
    bomb.writeUInt32BE(20_000, 20)
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
    site.hold('/bomb.png', bomb)
    const pictures = ['/a.png', '/page.png', '/drawing.svg', '/huge.png', '/bomb.png', '/gone.png']
      .map((path) => `<img src="${site.address(path)}" alt="x">`)
      .concat('<img src="http://169.254.169.254/x.png">', '<img src="data:image/png;base64,AAAA">')
    site.hold('/feed', rss(item('1', '图', `<p>文${pictures.join('')}</p>`)))
    const feed = await subscribe('/feed')
    expect(await fetchNow(feed)).toMatchObject({ result: 'imported', added: 1 })
    const [row] = await stored()
    expect(row?.body).toBe(
      `<p>文<img alt="x" src="/files/${row?.image_file_id}" loading="lazy" /></p>`,
    )
    const file = await app.app.inject({ url: `/files/${row?.image_file_id}` })
    expect(file.statusCode).toBe(200)
    expect(file.headers['content-type']).toContain('image/png')
    expect(file.rawPayload.equals(png)).toBe(true)
    const before = site.asked.length
    expect(await fetchNow(feed)).toMatchObject({ result: 'unchanged' })
    expect(site.asked.slice(before).map(({ path }) => path)).toEqual(['/feed'])
  })

  test('with an invalid address do not count towards the limit per article', async () => {
    site.hold(
      '/b.png',
      await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a10' } })
        .png()
        .toBuffer(),
    )
    const broken = '<img src="https://[broken/x.png">'.repeat(31)
    site.hold('/feed', rss(item('1', '图', `${broken}<img src="${site.address('/b.png')}">`)))
    await fetchNow(await subscribe('/feed'))
    const [row] = await stored()
    expect(row?.body).toBe(`<img src="/files/${row?.image_file_id}" loading="lazy" />`)
  })
})

describe('permissions', () => {
  test('feed addresses are unique, stale changes are rejected, other departments see no feeds', async () => {
    site.hold('/feed', rss(item('1', '一')))
    const feed = await subscribe('/feed')
    const input = { body: { address: site.address('/feed'), columnId } }
    expect(await editor(feeds.create, input)).toMatchObject({
      status: 400,
      error: 'news.feed_taken',
    })
    const change = {
      params: { id: feed.id },
      body: { ...input.body, revision: feed.revision, intervalMinutes: 30 },
    }
    expect((await editor(feeds.update, change)).data).toMatchObject({ intervalMinutes: 30 })
    expect(await editor(feeds.update, change)).toMatchObject({
      status: 409,
      error: 'news.changed_meanwhile',
    })
    for (const address of ['file:///etc/passwd', 'http://user:word@x.example/', 'ftp://x.example'])
      expect(await editor(feeds.create, { body: { address, columnId } })).toMatchObject({
        status: 400,
      })

    const student = await app.as('student')
    expect((await student(feeds.list)).status).toBe(403)
    expect((await app.visitor(feeds.list)).status).toBe(401)
    const { db, topics } = app.platform
    const school = await db
      .selectFrom('organization')
      .select('id')
      .where('code', '=', 'CS')
      .executeTakeFirstOrThrow()
    const teacherId = (await findAccountByUsername(db, 'teacher'))?.id ?? ''
    await insertGrants(db, teacherId, ['content'], school.id)
    await topics.flushed()
    const teacher = await app.as('teacher')
    expect((await teacher(feeds.list)).data).toEqual([])
    expect(await teacher(feeds.create, input)).toMatchObject({
      status: 404,
      error: 'news.column_not_found',
    })
    for (const endpoint of [feeds.remove, feeds.fetch])
      expect(await teacher(endpoint, { params: { id: feed.id } })).toMatchObject({
        status: 404,
        error: 'news.feed_not_found',
      })
    expect(await editor(feeds.remove, { params: { id: feed.id } })).toMatchObject({ status: 200 })
    expect((await editor(feeds.list)).data).toEqual([])
  })

  test('a department’s feed cannot change articles of other departments; the institution’s can', async () => {
    const { db, topics } = app.platform
    const school = await db
      .selectFrom('organization')
      .select('id')
      .where('code', '=', 'CS')
      .executeTakeFirstOrThrow()
    const teacherId = (await findAccountByUsername(db, 'teacher'))?.id ?? ''
    await insertGrants(db, teacherId, ['content'], school.id)
    await topics.flushed()
    const teacher = await app.as('teacher')
    const own = await teacher(newsConsole.createColumn, {
      body: {
        code: 'cs-feeds',
        name: '学院',
        organization: 'CS',
        audience: [{ kind: 'everybody' }],
      },
    })
    site.hold('/feed', rss(item('1', '原文')))
    await fetchNow(await subscribe('/feed'))
    site.hold('/school', rss(item('1', '改过') + item('2', '学院的')))
    const made = await teacher(feeds.create, {
      body: { address: site.address('/school'), columnId: own.data.id },
    })
    const fetched = await teacher(feeds.fetch, { params: { id: made.data.id } })
    expect(fetched.data).toMatchObject({ added: 1, changed: 0 })
    expect(fetched.data.message).toContain('another department')
    expect(await titles()).toEqual(['原文'])
    // It changes its own articles; the institution's feed changes articles in any column.
    site.hold('/school', rss(item('2', '学院的新')))
    await teacher(feeds.fetch, { params: { id: made.data.id } })
    expect((await teacher(newsConsole.list)).data.list[0]?.title).toBe('学院的新')
    site.hold('/feed', rss(item('2', '学校的新')))
    const [whole] = (await editor(feeds.list)).data.filter(({ address }) =>
      address.endsWith('/feed'),
    )
    await fetchNow({ id: whole?.id ?? '' })
    expect((await teacher(newsConsole.list)).data.list[0]?.title).toBe('学校的新')
  })
})
