import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { articleReview } from '@atrium/contract/content/editorial-review.operator'
import { news } from '@atrium/contract/content/news'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
/** operators: two of the whole institution, one of the demo student's school */
let editor: Caller
let second: Caller
let school: Caller
let student: Caller
let columnId: string
let schoolColumn: string

const everybody = [{ kind: 'everybody' }]
const text = { title: '图书馆延长开放', text: '<p>即日起延长至 23 时。</p>', format: 'html' }
const wholeText = { language: 'zh', quote: '', prefix: '', suffix: '' }

beforeAll(async () => {
  app = await testApp()
  const { db, topics } = app.platform
  const accountOf = async (username: string) =>
    (await findAccountByUsername(db, username))?.id ?? ''
  await insertGrants(db, await accountOf('staff'), ['content'])
  const { id } = await db
    .selectFrom('organization')
    .select('id')
    .where('code', '=', 'CS')
    .executeTakeFirstOrThrow()
  await insertGrants(db, await accountOf('teacher'), ['content'], id)
  await topics.flushed()
  editor = await app.as('admin')
  second = await app.as('staff')
  school = await app.as('teacher')
  student = await app.as('student')
  columnId = (
    await editor(newsConsole.createColumn, {
      body: { code: 'plans', name: '计划', audience: everybody },
    })
  ).data.id
  schoolColumn = (
    await school(newsConsole.createColumn, {
      body: { code: 'cs-plans', name: '学院计划', organization: 'CS', audience: everybody },
    })
  ).data.id
})

const draft = async (fields: object = {}, who: Caller = editor) => {
  const created = await who(newsConsole.create, { body: { ...text, columnId, ...fields } })
  expect(created.status).toBe(200)
  return created.data
}
type Managed = Awaited<ReturnType<typeof draft>>
const withRevision = ({ id, revision }: Pick<Managed, 'id' | 'revision'>, body: object = {}) => ({
  params: { id },
  body: { revision, ...body },
})
const soon = (hours = 1) => new Date(Date.now() + hours * 3_600_000).toISOString()

describe('autosave', () => {
  const save = (who: Caller, seen: Managed, title: string, more: object = { autosave: true }) =>
    who(newsConsole.save, withRevision(seen, { ...text, columnId, title, ...more }))

  test('updates the current version; another editor, a pause or a manual save starts a new one', async () => {
    const created = await draft()
    const one = (await save(editor, created, '一')).data
    expect(one).toMatchObject({ version: 1, state: 'draft', title: '一' })
    expect(one.revision).toBeGreaterThan(created.revision)
    const two = (await save(second, one, '二')).data
    expect(two.version).toBe(2)
    const three = (await save(second, two, '三', {})).data
    expect(three.version).toBe(3)
    await app.platform.db
      .updateTable('article_version')
      .set({ started_at: sql<string>`now() - interval '11 minutes'` })
      .where('article_id', '=', created.id)
      .execute()
    const four = (await save(second, three, '四')).data
    expect(four.version).toBe(4)
    const list = (await editor(newsConsole.versions, { params: { id: created.id } })).data
    expect(list.map(({ title }) => title)).toEqual(['四', '三', '二', '一'])
  })

  test('does not change a version that is approved or under review', async () => {
    const created = await draft()
    const submitted = (await editor(newsConsole.submit, withRevision(created))).data
    expect(await save(editor, submitted, '改')).toMatchObject({
      status: 409,
      error: 'news.step_refused',
    })
    expect((await save(editor, submitted, '改', {})).data).toMatchObject({
      state: 'draft',
      version: 2,
    })
    const other = await draft()
    const waiting = (await editor(newsConsole.submit, withRevision(other))).data
    const good = (await second(newsConsole.approve, withRevision(waiting))).data
    const changed = (await save(editor, good, '又改')).data
    expect(changed).toMatchObject({ state: 'draft', version: 2, approvedVersion: 1 })
    expect((await save(editor, changed, '再改')).data.version).toBe(2)
    expect(
      (await editor(newsConsole.difference, { params: { id: other.id, number: 2 } })).data[0]
        ?.field,
    ).toBe('title')
  })

  test('reports a conflict on concurrent edits, and the differences can be compared', async () => {
    const created = await draft()
    const theirs = (await save(second, created, '他人的题目')).data
    expect(await save(editor, created, '我的题目')).toMatchObject({
      status: 409,
      error: 'news.changed_meanwhile',
    })
    const mine = { ...text, columnId, title: '我的题目' }
    const compared = await editor(articleReview.compare, { params: { id: created.id }, body: mine })
    expect(compared.data).toEqual([
      {
        field: 'title',
        changes: [
          { kind: 'removed', words: '他人的' },
          { kind: 'added', words: '我的' },
          { kind: 'same', words: '题目' },
        ],
      },
    ])
    const kept = (await save(editor, theirs, '我的题目', {})).data
    expect(kept.version).toBe(theirs.version + 1)
  })

  test('repeated after a lost response causes no conflict', async () => {
    const created = await draft()
    const first = (await save(editor, created, '信号不好')).data
    const again = await save(editor, created, '信号不好')
    expect(again.data).toMatchObject({ revision: first.revision, version: first.version })
    expect((await save(second, created, '信号不好')).error).toBe('news.changed_meanwhile')
    expect((await save(editor, created, '信号不好了')).error).toBe('news.changed_meanwhile')
  })
})

describe('article text', () => {
  const hostile =
    '<table><tr><th scope="col" onclick="x()">a</th></tr></table><p><span data-tex="x^2">x^2</span>' +
    '<math><mtext><img src=x onerror=x()></mtext></math><iframe src="//e.edu"></iframe></p>' +
    '<figure><img src="javascript:x()" alt="坏"><figcaption>图</figcaption></figure>' +
    '<div data-tex="\\href{javascript:x()}{y}">y</div><video src="data:video/mp4,x" autoplay></video>'

  test('keeps tables, formulas, figures and videos, and active content is removed', async () => {
    const figure = '<figure><img src="/files/7"><figcaption>图</figcaption></figure>'
    const video = '<video src="/files/8" controls></video>'
    const created = await draft({ text: `${hostile}${figure}${video}` })
    expect(created.text.text).toMatch(
      /<figure><img [^>]*src="\/files\/7"[^>]*><figcaption>图<\/figcaption><\/figure>/,
    )
    expect(created.text.text).toMatch(/<video [^>]*src="\/files\/8"[^>]*><\/video>/)
    expect(created.text.text).toContain('<span data-tex="x^2">x^2</span>')
    expect(created.text.text).toContain('<th scope="col">a</th>')
    expect(created.text.text).not.toMatch(
      /javascript:x\(\)"|onclick|onerror|<math|iframe|autoplay|data:/,
    )
    expect(created.editable).toContain('data-tex')
    expect(created.preview).toMatch(/<math><mrow><msup>/)
    expect(created.preview).not.toMatch(/<[^>]*(href|style|on\w+)=/)
    const submitted = (await editor(newsConsole.submit, withRevision(created))).data
    const good = (await second(newsConsole.approve, withRevision(submitted))).data
    await editor(newsConsole.publish, withRevision(good))
    const { data } = await student(news.read, { params: { id: created.id } })
    expect(data.content).toMatch(/<math><mrow><msup>/)
    expect(data.content).not.toMatch(/<[^>]*(href|style|on\w+)=|javascript:x\(\)"/)
  })

  test.each([
    ['outside the picture', { x: 101, y: 0 }],
    ['that is not a number', { x: 'left', y: 0 }],
    ['without y', { x: 1 }],
  ])('a focal point %s is rejected', async (_, titleImageFocus) => {
    const answer = await editor(newsConsole.create, {
      body: { ...text, columnId, titleImageFocus },
    })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
  })
})

describe('remarks on an article', () => {
  const passage = { language: 'zh', quote: '延长', prefix: '即日起', suffix: '至 23 时' }

  test('can be added to a passage, answered, resolved, and deleted by their author only', async () => {
    const created = await draft()
    const params = { id: created.id }
    const [remark] = (
      await second(articleReview.remark, { params, body: { ...passage, content: ' 到几时？ ' } })
    ).data
    expect(remark).toMatchObject({ ...passage, content: '到几时？', own: true, resolvedAt: null })
    const remarkParams = { ...params, remarkId: remark?.id ?? '' }
    const answered = await editor(articleReview.answer, {
      params: remarkParams,
      body: { content: '23 时' },
    })
    expect(answered.data[0]).toMatchObject({
      own: false,
      answers: [{ content: '23 时', own: true }],
    })
    const done = await editor(articleReview.resolve, {
      params: remarkParams,
      body: { resolved: true },
    })
    expect(done.data[0]).toMatchObject({
      resolvedAt: expect.any(String),
      resolvedBy: expect.stringMatching(/./),
    })
    // A remark can be deleted by its author only.
    expect(await editor(articleReview.removeRemark, { params: remarkParams })).toMatchObject({
      status: 404,
      error: 'news.remark_not_found',
    })
    expect((await second(articleReview.removeRemark, { params: remarkParams })).data).toEqual([])
  })

  test('are not found through another article and are never shown to readers', async () => {
    const [one, other] = [await draft(), await draft()]
    const [remark] = (
      await second(articleReview.remark, {
        params: { id: one.id },
        body: { ...wholeText, content: '<b>好</b>' },
      })
    ).data
    const foreign = { id: other.id, remarkId: remark?.id ?? '' }
    for (const answer of [
      await editor(articleReview.answer, { params: foreign, body: { content: 'x' } }),
      await editor(articleReview.resolve, { params: foreign, body: { resolved: true } }),
      await second(articleReview.removeRemark, { params: foreign }),
    ])
      expect(answer).toMatchObject({ status: 404, error: 'news.remark_not_found' })
    const submitted = (await editor(newsConsole.submit, withRevision(one))).data
    const good = (await second(newsConsole.approve, withRevision(submitted))).data
    await editor(newsConsole.publish, withRevision(good))
    const seen = await student(news.read, { params: { id: one.id } })
    expect(seen.raw).not.toContain('好')
  })

  test.each<[string, object]>([
    ['no content', { ...wholeText, content: '  ' }],
    ['content that is too long', { ...wholeText, content: 'x'.repeat(1001) }],
    ['a passage that is too long', { ...wholeText, quote: 'x'.repeat(501), content: 'x' }],
    ['an unsupported language', { ...wholeText, language: 'fr', content: 'x' }],
  ])('with %s are rejected', async (_, body) => {
    const created = await draft()
    expect(
      await second(articleReview.remark, { params: { id: created.id }, body: body as never }),
    ).toMatchObject({ status: 400, error: 'request.invalid' })
  })
})

describe('reviewers of a column', () => {
  test('are notified of its articles, and are the only ones who can approve or refuse them', async () => {
    const other = (
      await editor(newsConsole.createColumn, {
        body: { code: 'strict', name: '严审', audience: everybody },
      })
    ).data.id
    const offered = (await editor(articleReview.reviewers, { params: { id: other } })).data
    expect(offered.map(({ username }) => username)).toEqual(
      expect.arrayContaining(['admin', 'staff']),
    )
    expect(offered.every(({ chosen }) => !chosen)).toBe(true)
    const set = (usernames: string[]) =>
      editor(articleReview.setReviewers, { params: { id: other }, body: { usernames } })
    // A teacher of one school does not write in the institution's columns.
    expect(await set(['teacher'])).toMatchObject({
      status: 400,
      fields: { 'usernames.0': expect.any(String) },
    })
    await set(['admin'])
    const created = await draft({ columnId: other }, editor)
    const submitted = (await editor(newsConsole.submit, withRevision(created))).data
    const seen = (await second(newsConsole.read, { params: { id: created.id } })).data
    expect(seen.mayReview).toBe(false)
    for (const answer of [
      await second(newsConsole.approve, withRevision(submitted)),
      await second(newsConsole.refuse, withRevision(submitted, { note: '不行' })),
    ])
      expect(answer).toMatchObject({ status: 403, error: 'news.not_reviewer' })
    await set(['staff'])
    expect((await second(newsConsole.approve, withRevision(submitted))).data.state).toBe('approved')
    const titled = await draft({ columnId: other, title: '送审的文章' }, editor)
    await editor(newsConsole.submit, withRevision(titled))
    const told = async (who: Caller) =>
      (await who(messages.list, { query: {} })).data.list.map(({ title }) => title)
    expect(await told(second)).toContain('请审核：送审的文章')
    expect(await told(school)).not.toContain('请审核：送审的文章')
    await set([])
    expect((await editor(newsConsole.read, { params: { id: created.id } })).data.mayReview).toBe(
      true,
    )
  })

  test('apply to a published article that is moved to their column, also by restoring a version', async () => {
    const target = (
      await editor(newsConsole.createColumn, {
        body: { code: 'moved-to', name: '移入', audience: everybody },
      })
    ).data.id
    await editor(articleReview.setReviewers, {
      params: { id: target },
      body: { usernames: ['reviewer'] },
    })
    const reviewer = app.withToken(await app.tokenOf('reviewer'))
    const messageCount = async (title: string) =>
      (await reviewer(messages.list, { query: {} })).data.list.filter((one) => one.title === title)
        .length
    const created = await draft({ title: '换栏目的文章' })
    const submitted = (await editor(newsConsole.submit, withRevision(created))).data
    const approved = (await second(newsConsole.approve, withRevision(submitted))).data
    const published = (await editor(newsConsole.publish, withRevision(approved))).data

    const moved = await editor(
      newsConsole.save,
      withRevision(published, { ...text, title: '换栏目的文章', columnId: target }),
    )
    const movedSubmitted = (await editor(newsConsole.submit, withRevision(moved.data))).data
    expect(await messageCount('请审核：换栏目的文章')).toBe(1)
    const seen = (await second(newsConsole.read, { params: { id: created.id } })).data
    expect(seen).toMatchObject({ columnId, mayReview: false })
    for (const answer of [
      await second(newsConsole.approve, withRevision(movedSubmitted)),
      await second(newsConsole.refuse, withRevision(movedSubmitted, { note: '不行' })),
    ])
      expect(answer).toMatchObject({ status: 403, error: 'news.not_reviewer' })

    const kept = await editor(
      newsConsole.save,
      withRevision(movedSubmitted, { ...text, title: '换栏目的文章', columnId }),
    )
    const restored = await editor(newsConsole.restore, {
      params: { id: created.id, number: moved.data.version },
      body: { revision: kept.data.revision },
    })
    const again = (await editor(newsConsole.submit, withRevision(restored.data))).data
    expect(await messageCount('请审核：换栏目的文章')).toBe(2)
    expect((await second(newsConsole.approve, withRevision(again))).error).toBe('news.not_reviewer')
    const good = (await reviewer(newsConsole.approve, withRevision(again))).data
    expect((await editor(newsConsole.publish, withRevision(good))).data.columnId).toBe(target)
  })
})

describe('editorial calendar', () => {
  const month = () => ({ from: soon(-1), to: soon(24 * 60) })
  const planned = async (who: Caller = editor) =>
    (await who(articleReview.calendar, { query: month() })).data

  test('drafts can be planned, moved and removed; moving a scheduled article reschedules it', async () => {
    const created = await draft({ title: '计划中的文章' })
    const one = (await editor(articleReview.plan, withRevision(created, { at: soon(48) }))).data
    expect((await planned()).map(({ id }) => id)).toContain(created.id)
    const later = soon(72)
    const two = (await editor(articleReview.plan, withRevision(one, { at: later }))).data
    expect(two.plannedAt).toBe(later)
    const none = (await editor(articleReview.plan, withRevision(two, { at: null }))).data
    expect((await planned()).map(({ id }) => id)).not.toContain(created.id)

    const submitted = (await editor(newsConsole.submit, withRevision(none))).data
    const good = (await second(newsConsole.approve, withRevision(submitted))).data
    const waiting = (await editor(newsConsole.publish, withRevision(good, { at: soon(24) }))).data
    const moved = (await editor(articleReview.plan, withRevision(waiting, { at: later }))).data
    expect(moved).toMatchObject({ showing: 'scheduled', publishedAt: later })
    expect(await editor(articleReview.plan, withRevision(moved, { at: null }))).toMatchObject({
      status: 409,
    })
    const published = (await editor(newsConsole.publish, withRevision(moved))).data
    expect(
      await editor(articleReview.plan, withRevision(published, { at: soon(24) })),
    ).toMatchObject({
      status: 409,
      error: 'news.step_refused',
    })
  })

  test.each([
    ['in the past', () => soon(-1)],
    ['too far ahead', () => '2199-01-01T00:00:00.000Z'],
  ])('a planned date %s is rejected', async (_, moment) => {
    const created = await draft()
    expect(await editor(articleReview.plan, withRevision(created, { at: moment() }))).toMatchObject(
      {
        status: 400,
        fields: { at: expect.any(String) },
      },
    )
  })

  test.each([
    ['reversed', -1],
    ['too long', 36_500],
  ])('a calendar range that is %s is rejected', async (_, days) => {
    const query = { from: soon(), to: soon(1 + days * 24) }
    expect(await editor(articleReview.calendar, { query })).toMatchObject({
      status: 400,
      fields: { to: expect.any(String) },
    })
  })
})

describe('permissions', () => {
  test('visitors and members are rejected; articles of other departments are not found', async () => {
    const theirs = await draft()
    const own = await draft({ columnId: schoolColumn }, school)
    const later = soon(24)
    await editor(articleReview.plan, withRevision(theirs, { at: later }))
    await school(articleReview.plan, withRevision(own, { at: later }))
    const [remark] = (
      await second(articleReview.remark, {
        params: { id: theirs.id },
        body: { ...wholeText, content: '好' },
      })
    ).data
    const params = { id: theirs.id }
    const remarkParams = { ...params, remarkId: remark?.id ?? '' }
    const calls = [
      [articleReview.remarks, { params }],
      [articleReview.remark, { params, body: { ...wholeText, content: 'x' } }],
      [articleReview.answer, { params: remarkParams, body: { content: 'x' } }],
      [articleReview.resolve, { params: remarkParams, body: { resolved: true } }],
      [articleReview.removeRemark, { params: remarkParams }],
      [articleReview.compare, { params, body: { ...text, columnId } }],
      [articleReview.plan, { params, body: { revision: 1, at: later } }],
      [articleReview.reviewers, { params: { id: columnId } }],
      [articleReview.setReviewers, { params: { id: columnId }, body: { usernames: [] } }],
    ] as const
    for (const [endpoint, input] of calls) {
      expect((await app.visitor(endpoint, input as never)).status, endpoint.path).toBe(401)
      expect((await student(endpoint, input as never)).status, endpoint.path).toBe(403)
      expect((await school(endpoint, input as never)).status, endpoint.path).toBe(404)
    }
    const query = { from: soon(), to: soon(48) }
    expect((await student(articleReview.calendar, { query })).status).toBe(403)
    const seen = (await school(articleReview.calendar, { query })).data.map(({ id }) => id)
    expect(seen).toContain(own.id)
    expect(seen).not.toContain(theirs.id)
  })
})
