import { appGroups } from '@atrium/contract/content/app-groups'
import { commentReview, comments } from '@atrium/contract/content/comments'
import { news, notices } from '@atrium/contract/content/news'
import { history } from '@atrium/contract/member/favourites'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { closeAccounts } from '#domains/member/privacy/close-accounts.ts'
import { audienceFor } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { deleteDecidedReports } from './comments.ts'
import { deleteOldReaders, updatePopular, writeReadings } from './reads.ts'
import { writeArticleWords, writeMissingWords } from './search.ts'

let app: TestApp
let open: string
let closed: string
beforeAll(async () => {
  app = await testApp()
  open = await addColumn('open', 'everybody')
  closed = await addColumn('closed', 'nobody')
})

async function addColumn(code: string, who: 'everybody' | 'nobody', parent?: string) {
  const { db, topics } = app.platform
  const rules =
    who === 'everybody'
      ? ([{ effect: 'include', kind: 'everybody' }] as const)
      : ([{ effect: 'include', kind: 'group', target: 'nobody-is-in-it' }] as const)
  const { id } = await db
    .insertInto('news_column')
    .values({
      code,
      name: code,
      audience_id: await audienceFor(db, rules),
      parent_id: parent ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await invalidate(db, 'news')
  await topics.flushed()
  return id
}

type Values = {
  title?: string
  summary?: string
  body?: string
  department?: string
  published_at?: string
  pinned?: boolean
  comment_mode?: string
}
async function addArticle(column_id: string, values: Values = {}) {
  const { db, topics } = app.platform
  const { id } = await db
    .insertInto('article')
    .values({ column_id, title: 'An article', ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeArticleWords(db, [id])
  await invalidate(db, 'news')
  await topics.flushed()
  return id
}
const missing = { status: 404, error: 'news.not_found' }

// ---- columns ----

test('a member arranges the columns; new ones are subscribed, hidden ones are not found', async () => {
  const [student, teacher] = [await app.as('student'), await app.as('teacher')]
  const before = (await student(news.ownColumns)).data
  expect(before.every(({ subscribed }) => subscribed)).toBe(true)
  expect(before.map(({ id }) => id)).not.toContain(closed)
  const [first, second] = before as [(typeof before)[0], (typeof before)[0]]
  const columns = [
    { id: second.id, subscribed: true },
    { id: first.id, subscribed: false },
  ]
  const { data } = await student(news.arrangeColumns, { body: { columns } })
  expect(data.slice(0, 2)).toMatchObject(columns)
  expect(data).toHaveLength(before.length)
  expect((await teacher(news.ownColumns)).data.every(({ subscribed }) => subscribed)).toBe(true)
  const added = await addColumn('later', 'everybody')
  expect((await student(news.ownColumns)).data.find(({ id }) => id === added)).toMatchObject({
    subscribed: true,
  })
  for (const id of [closed, '999999'])
    expect(
      await student(news.arrangeColumns, { body: { columns: [{ id, subscribed: true }] } }),
    ).toMatchObject({ status: 404, error: 'news.column_not_found' })
  expect((await app.visitor(news.ownColumns)).status).toBe(401)
})

test('articles of several columns are paged newest first, without hidden columns', async () => {
  const student = await app.as('student')
  const [one, two] = [await addColumn('one', 'everybody'), await addColumn('two', 'everybody')]
  const expected: string[] = []
  for (let n = 0; n < 9; n++) {
    const published_at = new Date(Date.UTC(2026, 0, 20, 0, -n)).toISOString()
    expected.push(await addArticle(n % 3 ? one : two, { published_at, pinned: n === 4 }))
  }
  await addArticle(closed, { published_at: new Date(Date.UTC(2026, 0, 21)).toISOString() })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { data } = await student(news.list, {
      query: { columnIds: `${one},${two},${closed}`, pageSize: 2, ...(cursor && { cursor }) },
    })
    seen.push(...data.list.map(({ id }) => id))
    cursor = data.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(expected)
  const second = await student(news.list, { query: { columnId: one, pageSize: 2, pageNo: 2 } })
  // The pinned article comes first in its own column.
  expect(second.data.list.map(({ id }) => id)).toEqual([expected[2], expected[5]])
})

// ---- one article ----

test('an article has its attachments and its neighbours in the column', async () => {
  const { db, files } = app.platform
  const column = await addColumn('neighbours', 'everybody')
  const ids: string[] = []
  for (const day of [1, 2, 3])
    ids.push(
      await addArticle(column, { published_at: `2026-02-0${day}T00:00:00Z`, pinned: day === 1 }),
    )
  const [pinned, middle, newest] = ids as [string, string, string]
  const bytes = Buffer.from('a,b\r\n')
  const file_id = await files.keep(db, bytes, { mediaType: 'text/csv', isPublic: false })
  await db
    .insertInto('article_attachment')
    .values({ article_id: middle, file_id, name: '名单 1.csv' })
    .execute()
  await invalidate(db, 'news')
  await app.platform.topics.flushed()
  const student = await app.as('student')
  const read = async (id: string) => (await student(news.read, { params: { id } })).data
  const { attachments, previous, next } = await read(middle)
  expect(attachments).toMatchObject([{ name: '名单 1.csv', mediaType: 'text/csv', size: 5 }])
  const answer = await app.app.inject({ url: attachments[0]?.url ?? '' })
  expect([answer.statusCode, answer.body]).toEqual([200, 'a,b\r\n'])
  expect([previous?.id, next]).toEqual([newest, null])
  expect((await read(pinned)).previous).toBeNull()
  expect((await read(pinned)).next?.id).toBe(newest)
})

test('a hidden article gets the same response as a missing one', async () => {
  const hidden = await addArticle(closed)
  const student = await app.as('student')
  const asked = [
    [news.read, {}],
    [news.countRead, {}],
    [comments.opinions, {}],
    [comments.list, {}],
    [comments.own, {}],
    [comments.add, { body: { content: 'x' } }],
    [comments.like, { body: { type: '1' } }],
  ] as const
  for (const [endpoint, input] of asked) {
    const [one, other] = await Promise.all(
      [hidden, '999999999'].map((id) => student(endpoint, { params: { id }, ...input })),
    )
    expect(one).toMatchObject(missing)
    const plain = (raw = '') => raw.replace(/"requestId":"[^"]*"/, '')
    expect(plain(one?.raw)).toBe(plain(other?.raw))
  }
})

// ---- readings ----

test('each member or visitor is counted once a day, and reader records are deleted', async () => {
  const { db } = app.platform
  const id = await addArticle(open)
  const visible = (await app.visitor(news.list, { query: { pageSize: 1 } })).data.list[0]
  const [student, teacher] = [await app.as('student'), await app.as('teacher')]
  for (const caller of [student, student, teacher]) await caller(news.countRead, { params: { id } })
  expect(await app.visitor(news.countRead, { params: { id } })).toMatchObject(missing)
  for (let n = 0; n < 2; n++) await app.visitor(news.countRead, { params: { id: visible?.id } })
  await writeReadings(app.platform)
  await student(news.countRead, { params: { id } })
  await writeReadings(app.platform)
  const countOf = async (article: string | undefined) =>
    (
      await db
        .selectFrom('article')
        .select('read_count')
        .where('id', '=', article ?? '')
        .executeTakeFirstOrThrow()
    ).read_count
  expect(await countOf(id)).toBe(2)
  expect(await countOf(visible?.id)).toBe((visible?.readCount ?? 0) + 1)
  const popular = async (caller: typeof student) => {
    const { data } = await caller(news.popular, { query: { pageSize: 50 } })
    return data.map((line) => line.id)
  }
  // Popularity of the demo is derived from recorded readings too, so the job leaves the list unchanged.
  const before = await popular(app.visitor)
  expect(before.length).toBeGreaterThan(10)
  await updatePopular(db)
  await app.platform.topics.flushed()
  expect((await popular(app.visitor)).filter((one) => one !== visible?.id)).toEqual(
    before.filter((one) => one !== visible?.id),
  )
  expect(await popular(student)).toContain(id)
  expect(await popular(app.visitor)).not.toContain(id)
  await sql`update article_reader set day = day - 5`.execute(db)
  await sql`update article_read_salt set day = day - 5`.execute(db)
  await deleteOldReaders(db)
  for (const table of ['article_reader', 'article_read_salt'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
})

test('reads that could not be saved are saved with the next ones', async () => {
  const { db } = app.platform
  const [first, second] = [await addArticle(open), await addArticle(open)]
  const student = await app.as('student')
  await student(news.countRead, { params: { id: first } })
  await sql`alter table article_read_day rename to article_read_day_away`.execute(db)
  await expect(writeReadings(app.platform)).rejects.toThrow('article_read_day')
  await sql`alter table article_read_day_away rename to article_read_day`.execute(db)
  await student(news.countRead, { params: { id: second } })
  await writeReadings(app.platform)
  const counts = await db
    .selectFrom('article')
    .select('read_count')
    .where('id', 'in', [first, second])
    .execute()
  expect(counts).toEqual([{ read_count: 1 }, { read_count: 1 }])
})

test('a read reported by both the history and the counter is counted once', async () => {
  const { db } = app.platform
  const id = await addArticle(open)
  const student = await app.as('student')
  await student(history.record, { body: { id } })
  await student(news.countRead, { params: { id } })
  await writeReadings(app.platform)
  const article = db.selectFrom('article').select('read_count').where('id', '=', id)
  expect((await article.executeTakeFirstOrThrow()).read_count).toBe(1)
})

// ---- related articles ----

test('related articles share words with the title, the own column first, without hidden ones', async () => {
  const student = await app.as('student')
  const id = await addArticle(open, { title: '古琴减字谱研讨' })
  const far = await addArticle(open, { title: '图书馆开放', published_at: '2025-01-01T00:00:00Z' })
  const near = await addArticle(open, {
    title: '古琴减字谱入门',
    published_at: '2026-01-01T00:00:00Z',
  })
  // The same words in another column, and newer.
  const elsewhere = await addArticle(await addColumn('music', 'everybody'), {
    title: '古琴减字谱入门',
  })
  const shut = await addArticle(closed, { title: '古琴减字谱研讨（内部）' })
  await writeArticleWords(app.platform.db, [id, far, near, elsewhere, shut])
  await invalidate(app.platform.db, 'news')
  await app.platform.topics.flushed()
  const { data } = await student(news.related, { params: { id } })
  const ids = data.map((line) => line.id)
  expect(ids.slice(0, 2)).toEqual([near, elsewhere])
  expect(ids).toHaveLength(3)
  for (const absent of [id, far, shut]) expect(ids).not.toContain(absent)
  for (const one of [shut, '999999999'])
    expect(await student(news.related, { params: { id: one } })).toMatchObject(missing)
})

// ---- search ----

test('search finds readable articles by words, quoted phrases, department and date', async () => {
  const student = await app.as('student')
  const inTitle = await addArticle(open, { title: '本科生奖学金评审办法', department: '学工处测' })
  const inText = await addArticle(open, {
    title: '通知',
    body: '<p>请各学院做好<b>奖学金</b>的材料准备，评审将于下周开始。GraphQL workshop</p>',
    published_at: '2026-03-05T04:00:00Z',
  })
  await addArticle(closed, { title: '奖学金评审（内部）' })
  const find = async (query: object) => {
    const { data } = await student(news.search, { query })
    return data.list.map(({ id }) => id)
  }
  expect(await find({ keyWords: '奖学金 评审', columnId: open })).toEqual([inTitle, inText])
  expect(await find({ keyWords: '奖学金 评审', columnId: closed })).toEqual([])
  expect(await find({ keyWords: '“奖学金评审”', columnId: open })).toEqual([inTitle])
  expect(await find({ keyWords: '"评审奖学金"', columnId: open })).toEqual([])
  expect(await find({ keyWords: 'graphq', columnId: open })).toEqual([inText])
  expect(await find({ keyWords: '奖学金', department: '学工处测' })).toEqual([inTitle])
  expect(
    await find({ keyWords: '奖学金', columnId: open, from: '2026-03-05', to: '2026-03-05' }),
  ).toEqual([inText])
  expect(await find({ keyWords: '！？…' })).toEqual([])
  const { data } = await student(news.search, { query: { keyWords: '材料', columnId: open } })
  expect(data.list[0]?.excerpt).toContain('奖学金 的材料准备')
  expect(data.words).toEqual(['材料'])
  const listed = await student(news.list, { query: { columnId: open, keyWords: '奖学金' } })
  expect(listed.data.list.map(({ id }) => id)).toEqual([inTitle, inText])
  for (const keyWords of ["'", '"', "a' & !b | (", '\\', "''''", '<-> :*'])
    expect((await student(news.search, { query: { keyWords } })).status).toBe(200)
  expect(
    await student(news.search, { query: { keyWords: 'a', from: '2026-02-31' } }),
  ).toMatchObject({
    status: 400,
    fields: { from: expect.any(String) },
  })
})

test('a rare word is found in articles of any age, newest first, and within a date range', async () => {
  const student = await app.as('student')
  const days = [0, 40, 200, 900, 3000, 9000, 25_000]
  const ids: string[] = []
  for (const day of days) {
    const at = new Date(Date.now() - day * 86_400_000 - 60_000).toISOString()
    ids.push(await addArticle(open, { title: '翡翠陈列', published_at: at }))
  }
  const find = async (query: object) => {
    const { data } = await student(news.search, {
      query: { keyWords: '翡翠', pageSize: 3, ...query },
    })
    return { found: data.list.map((line) => line.id), cursor: data.nextCursor ?? undefined }
  }
  for (const order of ['newest', 'relevance']) {
    const first = await find({ order })
    const second = await find({ order, cursor: first.cursor })
    const third = await find({ order, cursor: second.cursor })
    expect([first, second, third].flatMap((page) => page.found)).toEqual(ids)
    expect(third.cursor).toBeUndefined()
  }
  const dayBefore = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const between = { from: dayBefore(3100), to: dayBefore(100), order: 'newest' }
  expect((await find(between)).found).toEqual(ids.slice(2, 5))
})

test('a changed article is found only by its new words once the index job has run', async () => {
  const { db, topics } = app.platform
  const student = await app.as('student')
  await writeMissingWords(db)
  const id = await addArticle(open, { title: '量子计算讲座' })
  const find = async (keyWords: string) =>
    (await student(news.search, { query: { keyWords } })).data.list.map((line) => line.id)
  expect(await find('量子计算')).toContain(id)
  await db.updateTable('article').set({ title: '天体物理讲座' }).where('id', '=', id).execute()
  await invalidate(db, 'news')
  await topics.flushed()
  expect(await find('量子计算')).not.toContain(id)
  expect(await writeMissingWords(db)).toBe(1)
  await topics.flushed()
  expect(await find('天体物理')).toContain(id)
})

test.each(['relevance', 'newest'])(
  'paging by %s returns every article once while new ones arrive',
  async (order) => {
    const student = await app.as('student')
    const { db } = app.platform
    const word = order === 'newest' ? '珊瑚' : '海豚'
    await sql`
    insert into article (column_id, title, published_at, search)
    select ${open}, ${word} || n, timestamptz '2026-01-01 08:00Z' - (n / 3) * interval '1 microsecond',
           (quote_literal(${word}::text) || ':' || (n % 3 + 1) || 'A')::tsvector
    from generate_series(1, 620) n`.execute(db)
    await invalidate(db, 'news')
    await app.platform.topics.flushed()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const query = { keyWords: word, order, pageSize: 50, ...(cursor && { cursor }) }
      const { data } = await student(news.search, { query })
      seen.push(...data.list.map(({ id }) => id))
      cursor = data.nextCursor ?? undefined
      if (seen.length === 50) await addArticle(open, { title: word })
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(620)
  },
)

// ---- likes and comments ----

test('each member’s like is counted once', async () => {
  const id = await addArticle(open)
  const [student, teacher] = [await app.as('student'), await app.as('teacher')]
  const like = (caller: typeof student, type: string) =>
    caller(comments.like, { params: { id }, body: { type } })
  await Promise.all([like(student, '1'), like(student, '1'), like(teacher, '1')])
  expect((await like(student, '1')).data).toEqual({ likes: 2, liked: true })
  expect((await like(student, '0')).data).toEqual({ likes: 1, liked: false })
  expect((await teacher(comments.opinions, { params: { id } })).data).toEqual({
    likes: 1,
    liked: true,
    comments: 0,
  })
  expect((await app.visitor(comments.like, { params: { id }, body: { type: '1' } })).status).toBe(
    401,
  )
})

test('a comment waits for approval or refusal by an operator, and its author sees the result', async () => {
  const id = await addArticle(open)
  const [student, teacher, admin] = [
    await app.as('student'),
    await app.as('teacher'),
    await app.as('admin'),
  ]
  const content = '<img src=x onerror=alert(1)> 很好'
  const { data: own } = await student(comments.add, { params: { id }, body: { content } })
  expect(own).toMatchObject({ status: 'waiting', content })
  const shown = async () => (await teacher(comments.list, { params: { id } })).data.list
  expect(await shown()).toEqual([])
  expect((await student(commentReview.list)).status).toBe(403)
  const queue = (await admin(commentReview.list, { query: { pageSize: 200 } })).data.list
  expect(queue.find((comment) => comment.id === own.id)).toMatchObject({
    username: 'student',
    articleId: id,
  })
  expect((await student(commentReview.approve, { params: { id: own.id } })).status).toBe(403)
  await admin(commentReview.approve, { params: { id: own.id } })
  expect(await shown()).toMatchObject([{ id: own.id, content }])
  expect((await teacher(comments.opinions, { params: { id } })).data.comments).toBe(1)

  // A comment of another member can be deleted by its author only, and a member's own cannot be reported.
  expect(await teacher(comments.remove, { params: { id: own.id } })).toMatchObject({
    status: 404,
    error: 'comment.not_found',
  })
  expect((await student(comments.report, { params: { id: own.id } })).status).toBe(404)
  for (const reason of ['粗话', '又一次'])
    await teacher(comments.report, { params: { id: own.id }, body: { reason } })
  const reported = await admin(commentReview.list, { query: { status: 'reported' } })
  expect(reported.data.list).toMatchObject([{ id: own.id, reportCount: 1, reports: ['粗话'] }])
  await admin(commentReview.refuse, { params: { id: own.id }, body: { reason: '与内容无关' } })
  expect(await shown()).toEqual([])
  expect((await student(comments.own, { params: { id } })).data).toMatchObject([
    { status: 'refused', reason: '与内容无关' },
  ])
  expect((await admin(commentReview.list, { query: { status: 'reported' } })).data.list).toEqual([])
  const { rows } = await sql<{ action: string; operator: string }>`
    select action, operator from audit_entry where action like '%/comments/{id}/%' order by id desc limit 2`.execute(
    app.platform.db,
  )
  expect(rows.map(({ action }) => action.split('/').at(-1))).toEqual(['refuse', 'approve'])
  await student(comments.remove, { params: { id: own.id } })
  expect((await student(comments.own, { params: { id } })).data).toEqual([])
})

test('the comment mode of column and article decides if comments are accepted, wait and are shown', async () => {
  const admin = await app.as('admin')
  const teacher = await app.as('teacher')
  const column = await addColumn('modes', 'everybody')
  const id = await addArticle(column)
  const add = () => teacher(comments.add, { params: { id }, body: { content: '好' } })
  const set = async (body: object) => (await admin(commentReview.setMode, { body })).status
  expect(await set({ columnId: column, mode: 'open' })).toBe(200)
  const said = (await add()).data
  expect(said.status).toBe('shown')
  expect(await set({ articleId: id, mode: 'approved' })).toBe(200)
  const waiting = (await admin(comments.add, { params: { id }, body: { content: '等' } })).data
  expect(waiting.status).toBe('waiting')
  expect((await teacher(comments.list, { params: { id } })).data.list).toMatchObject([
    { id: said.id },
  ])
  expect(await set({ articleId: id, mode: 'off' })).toBe(200)
  expect((await teacher(comments.opinions, { params: { id } })).data.comments).toBe(0)
  const report = () => admin(comments.report, { params: { id: said.id }, body: {} })
  expect(await report()).toMatchObject({ status: 404, error: 'comment.not_found' })
  expect(await add()).toMatchObject({ status: 403, error: 'comment.closed' })
  expect((await teacher(comments.list, { params: { id } })).data.list).toEqual([])
  expect((await teacher(news.read, { params: { id } })).data.commentMode).toBe('off')
  expect(await set({ articleId: id, mode: 'column' })).toBe(200)
  expect((await teacher(comments.list, { params: { id } })).data.list).toHaveLength(1)
  expect((await teacher(comments.opinions, { params: { id } })).data.comments).toBe(1)
  expect((await report()).status).toBe(200)
  expect(await set({ columnId: column, mode: 'column' })).toBe(400)
  expect(await set({ columnId: column, articleId: id, mode: 'off' })).toBe(400)
  expect(
    (await teacher(commentReview.setMode, { body: { articleId: id, mode: 'off' } })).status,
  ).toBe(403)
  const [first, ...rest] = await Promise.all(Array.from({ length: 8 }, add))
  const all = [first, ...rest].map((answer) => answer?.status)
  // One was added above.
  expect(all.filter((status) => status === 200)).toHaveLength(4)
  expect(all.filter((status) => status === 429)).toHaveLength(4)
  expect((await teacher(comments.add, { params: { id }, body: { content: '  ' } })).status).toBe(
    400,
  )
})

test('a decision closes the reports of a comment, which still count towards the member’s limit', async () => {
  const { db } = app.platform
  const id = await addArticle(open, { comment_mode: 'open' })
  const [student, teacher, admin] = [
    await app.as('student'),
    await app.as('teacher'),
    await app.as('admin'),
  ]
  await db.deleteFrom('article_comment_report').execute()
  const ids: string[] = []
  for (let n = 0; n < 31; n++) {
    await sql`update article_comment set created_at = created_at - interval '2 minutes'`.execute(db)
    ids.push((await student(comments.add, { params: { id }, body: { content: '好' } })).data.id)
  }
  const report = (id: string | undefined) =>
    teacher(comments.report, { params: { id }, body: { reason: '粗话' } })
  const reported = async () =>
    (await admin(commentReview.list, { query: { status: 'reported' } })).data.list.map(
      ({ id, reportCount, reports }) => [id, reportCount, reports],
    )
  for (const one of ids.slice(0, 30)) {
    expect((await report(one)).status).toBe(200)
    expect(await reported()).toEqual([[one, 1, ['粗话']]])
    await admin(commentReview.approve, { params: { id: one } })
  }
  expect(await reported()).toEqual([])
  expect(await report(ids[30])).toMatchObject({ status: 429, error: 'comment.too_many' })

  await deleteDecidedReports(db)
  expect((await report(ids[30])).status).toBe(429)
  await sql`update article_comment_report set created_at = created_at - interval '61 minutes'`.execute(
    db,
  )
  expect((await report(ids[30])).status).toBe(200)
  await deleteDecidedReports(db)
  // What was decided can be reported again; the open report of the other stays.
  expect((await report(ids[0])).status).toBe(200)
  expect(await reported()).toEqual([
    [ids[0], 1, ['粗话']],
    [ids[30], 1, ['粗话']],
  ])
  await db.deleteFrom('article_comment').where('article_id', '=', id).execute()
})

test('closing an account deletes its comments and updates the comment count', async () => {
  const id = await addArticle(open, { comment_mode: 'open' })
  const staff = await app.as('staff')
  await staff(comments.add, { params: { id }, body: { content: '还在' } })
  await sql`
    with leaver as (insert into person (name) values ('甲') returning id),
    account as (
      insert into account (person_id, username, identity_type_code, organization_id, status)
      select id, 'leaver', 'S01', (select min(id) from organization), 'active' from leaver
      returning id, person_id),
    closing as (
      insert into account_closing (person_id, account_id, due_at)
      select person_id, id, now() from account)
    insert into article_comment (article_id, account_id, content, status)
    select ${id}, id, '走了', 'shown' from account`.execute(app.platform.db)
  const count = async () => (await staff(comments.opinions, { params: { id } })).data.comments
  expect(await count()).toBe(2)
  await closeAccounts(app.platform)
  expect(await count()).toBe(1)
  const { list } = (await staff(comments.list, { params: { id } })).data
  expect(list.map(({ content }) => content)).toEqual(['还在'])
})

// ---- groups of message applications ----

test('a member sorts message applications into groups that other members do not see', async () => {
  const [student, teacher] = [await app.as('student'), await app.as('teacher')]
  const { apps } = (await student(appGroups.read)).data
  const [a, b] = apps.map(({ appId }) => appId) as [string, string]
  const groups = [
    { name: '学习', appIds: [b] },
    { name: '生活', appIds: [a] },
  ]
  expect((await student(appGroups.save, { body: { groups } })).data.groups).toEqual(groups)
  expect((await student(appGroups.read)).data.groups).toEqual(groups)
  expect((await teacher(appGroups.read)).data.groups).toEqual([])
  const refused = async (given: object[]) =>
    (await student(appGroups.save, { body: { groups: given } })).status
  expect(
    await refused([
      { name: 'X', appIds: [] },
      { name: 'x', appIds: [] },
    ]),
  ).toBe(400)
  expect(
    await refused([
      { name: 'x', appIds: [a] },
      { name: 'y', appIds: [a] },
    ]),
  ).toBe(400)
  expect(await refused([{ name: 'x', appIds: ['999999'] }])).toBe(400)
  expect(await refused([{ name: ' ', appIds: [] }])).toBe(400)
  expect((await student(appGroups.read)).data.groups).toEqual(groups)
  expect((await app.visitor(appGroups.read)).status).toBe(401)
})

// ---- notices ----

test('operators write notices, which are sanitised and shown to their audience only', async () => {
  const admin = await app.as('admin')
  const notice = {
    title: '停水通知',
    content: '<p onclick="x()">今晚<script>x()</script>停水</p>',
    startsAt: new Date(Date.now() - 1000).toISOString(),
    endsAt: new Date(Date.now() + 86_400_000).toISOString(),
    audience: [{ kind: 'identity', target: 'student' }],
  }
  const { identityTypeCode } = (await app.platform.db
    .selectFrom('account')
    .select('identity_type_code as identityTypeCode')
    .where('username', '=', 'student')
    .executeTakeFirstOrThrow()) as { identityTypeCode: string }
  notice.audience = [{ kind: 'identity', target: identityTypeCode }]
  const { data: saved } = await admin(notices.save, { body: notice })
  expect(saved.content).toBe('<p>今晚停水</p>')
  const told = async (username: 'student' | 'teacher') =>
    (await (await app.as(username))(notices.list)).data.map(({ title }) => title)
  expect(await told('student')).toContain('停水通知')
  expect(await told('teacher')).not.toContain('停水通知')
  await admin(notices.save, { body: { ...notice, id: saved.id, title: '恢复供水' } })
  expect(await told('student')).toContain('恢复供水')
  expect((await (await app.as('teacher'))(notices.save, { body: notice })).status).toBe(403)
  expect((await admin(notices.save, { body: { ...notice, id: '999999' } })).error).toBe(
    'news.notice_not_found',
  )
  expect(
    (await admin(notices.save, { body: { ...notice, endsAt: notice.startsAt } })).fields,
  ).toEqual({
    endsAt: expect.any(String),
  })
})

// ---- other nodes ----

test('publishing and withdrawing an article takes effect on another node within one second', async () => {
  const other = await openNode(app.url)
  try {
    const token = await app.tokenOf('student')
    const id = await addArticle(open)
    const ask = async () =>
      (
        await other.app.inject({
          url: news.read.path.replace('{id}', id),
          headers: { 'x-id-token': token },
        })
      ).statusCode
    expect(await ask()).toBe(200)
    for (const [status, answer] of [
      ['withdrawn', 404],
      ['published', 200],
    ] as const) {
      await app.platform.db.transaction().execute(async (db) => {
        await db.updateTable('article').set({ status }).where('id', '=', id).execute()
        await invalidate(db, 'news')
      })
      await expect.poll(ask, { timeout: 1000, interval: 50 }).toBe(answer)
    }
  } finally {
    await other.app.close()
    await other.platform.close()
  }
})
