import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { news } from '@atrium/contract/content/news'
import { audit } from '@atrium/contract/identity/operators.operator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { invalidate } from '#platform/database/topics.ts'
import { secondAccount } from '../../../../demo/members.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { hasBecomeVisible } from './queries.ts'

let app: TestApp
/** operators: two of the whole institution, one of the demo student's school */
let editor: Caller
let second: Caller
let school: Caller
let student: Caller
let columnId: string
let schoolColumn: string

const everybody = [{ kind: 'everybody' }]
const text = { title: '图书馆延长开放', text: '即日起**延长**至 23 时。', format: 'markdown' }

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
  const created = await editor(newsConsole.createColumn, {
    body: { code: 'library', name: '图书馆', audience: everybody },
  })
  expect(created).toMatchObject({ status: 200, data: { code: 'library', articles: 0 } })
  columnId = created.data.id
  const own = await school(newsConsole.createColumn, {
    body: {
      code: 'cs-board',
      name: '学院公告',
      organization: 'CS',
      audience: [{ kind: 'organization', target: 'CS' }],
    },
  })
  expect(own).toMatchObject({ status: 200, data: { organization: 'CS' } })
  schoolColumn = own.data.id
})

const draft = async (who: Caller = editor, fields: object = {}) => {
  const created = await who(newsConsole.create, { body: { ...text, columnId, ...fields } })
  expect(created.status).toBe(200)
  return created.data
}
type Managed = Awaited<ReturnType<typeof draft>>
const withRevision = ({ id, revision }: Pick<Managed, 'id' | 'revision'>, body: object = {}) => ({
  params: { id },
  body: { revision, ...body },
})
/** Written by one editor, approved by the other. */
async function approved(fields: object = {}) {
  const created = await draft(editor, fields)
  const submitted = (await editor(newsConsole.submit, withRevision(created))).data
  const answer = await second(newsConsole.approve, withRevision(submitted))
  expect(answer).toMatchObject({ status: 200, data: { state: 'approved', approvedVersion: 1 } })
  return answer.data
}
const readAsStudent = async (id: string) => student(news.read, { params: { id } })

describe('article workflow', () => {
  test('an article is drafted, reviewed by a second person, published, changed and withdrawn', async () => {
    const created = await draft()
    expect(created).toMatchObject({
      state: 'draft',
      showing: 'never',
      version: 1,
      ownText: true,
      writtenBy: expect.stringMatching(/./),
      preview: '<p>即日起<strong>延长</strong>至 23 时。</p>',
    })
    expect(await readAsStudent(created.id)).toMatchObject({ status: 404, error: 'news.not_found' })
    // Publishing needs a review first, and authors cannot approve their own text.
    expect(await editor(newsConsole.publish, withRevision(created))).toMatchObject({
      status: 409,
      error: 'news.step_refused',
    })
    expect(await second(newsConsole.approve, withRevision(created))).toMatchObject({ status: 409 })
    const submitted = (await editor(newsConsole.submit, withRevision(created))).data
    expect(submitted).toMatchObject({ state: 'review' })
    expect(await editor(newsConsole.approve, withRevision(submitted))).toMatchObject({
      status: 403,
      error: 'news.own_text',
    })
    const refused = await second(
      newsConsole.refuse,
      withRevision(submitted, { note: ' 请写明日期 ' }),
    )
    expect(refused.data).toMatchObject({ state: 'refused', reviewNote: '请写明日期' })
    const saved = await editor(
      newsConsole.save,
      withRevision(refused.data, { ...text, columnId, title: '图书馆今起延长开放' }),
    )
    expect(saved.data).toMatchObject({ state: 'draft', version: 2, reviewNote: '' })
    const again = (await editor(newsConsole.submit, withRevision(saved.data))).data
    const good = (await second(newsConsole.approve, withRevision(again))).data
    const published = (await editor(newsConsole.publish, withRevision(good))).data
    expect(published).toMatchObject({ showing: 'shown', liveVersion: 2 })
    expect((await readAsStudent(created.id)).data).toMatchObject({
      title: '图书馆今起延长开放',
      content: '<p>即日起<strong>延长</strong>至 23 时。</p>',
      contentDesc: '即日起延长至 23 时。',
      releaseDeptName: expect.stringMatching(/./),
    })

    // Later changes stay invisible until they are reviewed too.
    const next = await editor(
      newsConsole.save,
      withRevision(published, { ...text, columnId, title: '再改' }),
    )
    expect((await readAsStudent(created.id)).data.title).toBe('图书馆今起延长开放')
    expect(await editor(newsConsole.publish, withRevision(next.data))).toMatchObject({
      status: 409,
    })
    const withdrawn = await editor(newsConsole.withdraw, withRevision(next.data))
    expect(withdrawn.data.showing).toBe('withdrawn')
    expect((await readAsStudent(created.id)).status).toBe(404)
    expect(await editor(newsConsole.withdraw, withRevision(withdrawn.data))).toMatchObject({
      status: 409,
    })
  })

  test('nobody who wrote or edited an article can approve it, with any of their accounts', async () => {
    const { db, topics } = app.platform
    const other = await findAccountByUsername(db, secondAccount.username)
    await insertGrants(db, other?.id ?? '', ['content'])
    await topics.flushed()
    const secondAgain = app.withToken(await app.tokenOf(secondAccount.username))
    const created = await draft()
    const saved = await second(
      newsConsole.save,
      withRevision(created, { ...text, columnId, title: '二人写' }),
    )
    const submitted = (await second(newsConsole.submit, withRevision(saved.data))).data
    for (const who of [editor, second, secondAgain])
      expect(await who(newsConsole.approve, withRevision(submitted))).toMatchObject({
        status: 403,
        error: 'news.own_text',
      })
  })

  test('every step is recorded in the audit log', async () => {
    const { id } = await approved()
    const { list } = (await editor(audit.list, { query: { pageSize: 3 } })).data
    expect(list.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'POST /console-api/news/articles/{id}/approval ok',
      'POST /console-api/news/articles/{id}/submission ok',
      'POST /console-api/news/articles ok',
    ])
    expect(JSON.stringify(list[0]?.details)).toContain(id)
  })

  test('a published article can be pinned but not deleted; an unpublished draft can be deleted', async () => {
    const one = await approved()
    const published = (await editor(newsConsole.publish, withRevision(one))).data
    expect(
      (await editor(newsConsole.pin, withRevision(published, { pinned: true }))).data.pinned,
    ).toBe(true)
    expect((await readAsStudent(one.id)).data.pinned).toBe(true)
    expect(
      await editor(newsConsole.remove, {
        params: { id: one.id },
        query: { revision: published.revision + 1 },
      }),
    ).toMatchObject({ status: 409, error: 'news.step_refused' })
    const other = await draft()
    const removal = { params: { id: other.id }, query: { revision: other.revision } }
    expect(await editor(newsConsole.remove, removal)).toMatchObject({ status: 200 })
    expect(await editor(newsConsole.read, { params: { id: other.id } })).toMatchObject({
      status: 404,
    })
  })
})

describe('scheduled publication', () => {
  const soon = () => new Date(Date.now() + 3_600_000).toISOString()

  test('a scheduled article is hidden before its publication time and shown after it', async () => {
    const { db, topics } = app.platform
    const one = await approved()
    const waiting = (await editor(newsConsole.publish, withRevision(one, { at: soon() }))).data
    expect(waiting).toMatchObject({ showing: 'scheduled', publishedAt: expect.any(String) })
    const list = async () =>
      (await student(news.list, { query: { columnId } })).data.list.map(({ id }) => id)
    expect((await readAsStudent(one.id)).status).toBe(404)
    expect(await list()).not.toContain(one.id)
    await db
      .updateTable('article')
      .set({ published_at: sql`published_at - interval '1 hour'` })
      .where('published_at', '<=', sql<string>`now()`)
      .execute()
    expect(await hasBecomeVisible(db, 3)).toBe(false)
    // An hour later: becoming visible writes nothing, so cached answers are cleared by the job's topic.
    await db
      .updateTable('article')
      .set({ published_at: sql`now() - interval '1 second'` })
      .where('id', '=', one.id)
      .execute()
    expect(await hasBecomeVisible(db, 3)).toBe(true)
    await invalidate(db, 'news')
    await topics.flushed()
    expect(await list()).toContain(one.id)
    expect((await readAsStudent(one.id)).status).toBe(200)
  })

  test('a schedule can be moved, withdrawn and replaced by immediate publication', async () => {
    const one = await approved()
    const waiting = (await editor(newsConsole.publish, withRevision(one, { at: soon() }))).data
    const later = new Date(Date.now() + 7_200_000).toISOString()
    const moved = (await editor(newsConsole.publish, withRevision(waiting, { at: later }))).data
    expect(moved.publishedAt).toBe(later)
    const withdrawn = (await editor(newsConsole.withdraw, withRevision(moved))).data
    expect(withdrawn.showing).toBe('withdrawn')
    const published = (await editor(newsConsole.publish, withRevision(withdrawn))).data
    expect(published.showing).toBe('shown')
    // A visible article cannot be scheduled.
    expect(
      await editor(newsConsole.publish, withRevision(published, { at: soon() })),
    ).toMatchObject({
      status: 409,
    })
  })

  test.each([
    ['in the past', '2020-01-01T00:00:00.000Z'],
    ['too far ahead', '2199-01-01T00:00:00.000Z'],
    ['that is not a date', 'tomorrow'],
  ])('a publication time %s is rejected', async (_, moment) => {
    const one = await approved()
    expect(await editor(newsConsole.publish, withRevision(one, { at: moment }))).toMatchObject({
      status: 400,
      error: 'request.invalid',
      fields: { at: expect.any(String) },
    })
  })
})

describe('article versions', () => {
  test('are compared word by word, and an older one can be restored as the newest', async () => {
    const created = await draft()
    const saved = await editor(
      newsConsole.save,
      withRevision(created, {
        ...text,
        columnId,
        title: '图书馆缩短开放',
        text: '即日起**延长**至 22 时。',
      }),
    )
    const { id } = created
    const { data } = await editor(newsConsole.difference, { params: { id, number: 2 } })
    expect(data.map(({ field }) => field)).toEqual(['title', 'text'])
    expect(data[0]?.changes).toEqual([
      { kind: 'same', words: '图书馆' },
      { kind: 'removed', words: '延长' },
      { kind: 'added', words: '缩短' },
      { kind: 'same', words: '开放' },
    ])
    expect(data[1]?.changes).toContainEqual({ kind: 'added', words: '22' })
    const back = await editor(newsConsole.restore, {
      params: { id, number: 1 },
      body: { revision: saved.data.revision },
    })
    expect(back.data).toMatchObject({ version: 3, state: 'draft', title: text.title })
    expect(
      (await editor(newsConsole.versions, { params: { id } })).data.map(({ number }) => number),
    ).toEqual([3, 2, 1])
    expect(
      await editor(newsConsole.restore, {
        params: { id, number: 9 },
        body: { revision: back.data.revision },
      }),
    ).toMatchObject({ status: 404, error: 'news.version_not_found' })
  })

  test('only one of several concurrent saves succeeds; the others get a conflict', async () => {
    const created = await draft()
    const answers = await Promise.all(
      [editor, second, editor].map((who, index) =>
        who(
          newsConsole.save,
          withRevision(created, { ...text, columnId, title: `第 ${index} 个` }),
        ),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.error).toBe('news.changed_meanwhile')
    expect((await editor(newsConsole.read, { params: { id: created.id } })).data.version).toBe(2)
  })

  test('a demo article starts as version 1 when it is first opened in the editor', async () => {
    const { list } = (await student(news.list, { query: { columnCode: 'headlines' } })).data
    const id = list[3]?.id ?? ''
    const { data } = await editor(newsConsole.read, { params: { id } })
    expect(data).toMatchObject({ revision: 1, state: 'approved', showing: 'shown', version: 1 })
    const saved = await editor(
      newsConsole.save,
      withRevision(data, { ...data.text, title: '新题目' }),
    )
    expect(saved.data).toMatchObject({ version: 2, state: 'draft', liveVersion: 1 })
    expect((await readAsStudent(id)).data.title).toBe(data.title)
    expect(
      (await editor(newsConsole.versions, { params: { id } })).data.map(({ title }) => title),
    ).toEqual(['新题目', data.title])
  })
})

describe('permissions', () => {
  test('visitors and members without the permission are rejected', async () => {
    const { id } = await draft()
    const calls = [
      [newsConsole.columns, {}],
      [newsConsole.list, {}],
      [newsConsole.read, { params: { id } }],
      [newsConsole.create, { body: { ...text, columnId } }],
      [newsConsole.publish, { params: { id }, body: { revision: 1 } }],
    ] as const
    for (const [endpoint, input] of calls) {
      expect((await app.visitor(endpoint, input)).status).toBe(401)
      expect((await student(endpoint, input)).status).toBe(403)
    }
  })

  test('a department edits only its own columns; other columns and articles are not found', async () => {
    const theirs = await draft()
    const own = await draft(school, { columnId: schoolColumn })
    const list = async (who: Caller) =>
      (await who(newsConsole.list, { query: { pageSize: 200 } })).data.list.map(({ id }) => id)
    expect(await list(school)).toEqual([own.id])
    expect(await list(editor)).toEqual(expect.arrayContaining([theirs.id, own.id]))
    expect((await school(newsConsole.columns)).data.map(({ code }) => code)).toEqual(['cs-board'])
    const missing = await school(newsConsole.read, { params: { id: '999999' } })
    const hidden = await school(newsConsole.read, { params: { id: theirs.id } })
    expect(hidden.status).toBe(404)
    const body = ({ raw }: { raw: string }) => ({ ...JSON.parse(raw), requestId: '' })
    expect(body(hidden)).toEqual(body(missing))
    const refusals = [
      [newsConsole.save, withRevision(theirs, { ...text, columnId: schoolColumn })],
      [newsConsole.submit, withRevision(theirs)],
      [newsConsole.withdraw, withRevision(theirs)],
      [newsConsole.pin, withRevision(theirs, { pinned: true })],
      [newsConsole.versions, { params: { id: theirs.id } }],
      [newsConsole.create, { body: { ...text, columnId } }],
      // Nor may it move its own article into the institution's column.
      [newsConsole.save, withRevision(own, { ...text, columnId })],
      [newsConsole.removeColumn, { params: { id: columnId } }],
    ] as const
    for (const [endpoint, input] of refusals)
      expect((await school(endpoint, input)).status, endpoint.path).toBe(404)
    expect(
      await school(newsConsole.createColumn, {
        body: { code: 'mine', name: '我的', audience: everybody },
      }),
    ).toMatchObject({ status: 400, fields: { organization: expect.any(String) } })
  })

  test('columns can be changed, and deleted only when empty', async () => {
    const { data } = await school(newsConsole.createColumn, {
      body: { code: 'cs-empty', name: '空', organization: 'CS', audience: everybody },
    })
    const again = { code: 'cs-empty', name: '空', organization: 'CS', audience: everybody }
    expect(await school(newsConsole.createColumn, { body: again })).toMatchObject({
      status: 400,
      error: 'news.column_taken',
    })
    const changed = await school(newsConsole.updateColumn, {
      params: { id: data.id },
      body: { name: '讲座', organization: 'CS01', audience: everybody },
    })
    expect(changed.data).toMatchObject({ name: '讲座', organization: 'CS01' })
    expect(await school(newsConsole.removeColumn, { params: { id: data.id } })).toMatchObject({
      status: 200,
    })
    expect(await school(newsConsole.removeColumn, { params: { id: schoolColumn } })).toMatchObject({
      status: 409,
      error: 'news.column_in_use',
    })
  })
})

describe('invalid input', () => {
  test('active content in an article is removed when it is stored and when it is read', async () => {
    const hostile =
      '<p onclick="x()">好<script>x()</script><img src=x onerror=x()><a href="javascript:x()">去</a><svg/onload=x()></p>'
    const html = await draft(editor, { format: 'html', text: hostile, title: '<script>x</script>' })
    expect(html.text.text).not.toMatch(/script|onclick|onerror|svg/)
    const marked = await draft(editor, { text: `${hostile}\n\n[去](javascript:x())` })
    expect(marked.preview).not.toMatch(/<(script|img|svg|a)\b/)
    const submitted = (await editor(newsConsole.submit, withRevision(html))).data
    const good = (await second(newsConsole.approve, withRevision(submitted))).data
    await editor(newsConsole.publish, withRevision(good))
    // Written to the database directly: sanitised again on output.
    await app.platform.db
      .updateTable('article')
      .set({ body: hostile })
      .where('id', '=', html.id)
      .execute()
    await invalidate(app.platform.db, 'news')
    await app.platform.topics.flushed()
    const { data } = await readAsStudent(html.id)
    expect(data.title).toBe('<script>x</script>')
    expect(data.content).not.toMatch(/script|onclick|onerror|svg/)
  })

  test.each<[string, string, object]>([
    ['title', 'empty', { title: '  ' }],
    ['title', 'too long', { title: 'x'.repeat(201) }],
    ['text', 'too long', { text: 'x'.repeat(200_001) }],
    ['kind', 'unknown', { kind: 'letter' }],
    ['columnId', 'an SQL injection', { columnId: "1' or 1=1" }],
  ])('rejects an invalid %s: %s', async (field, _, differs) => {
    const answer = await editor(newsConsole.create, { body: { ...text, columnId, ...differs } })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test('unstorable characters, invalid cursors and wildcards cause no server error', async () => {
    for (const value of ['\u0000', '\ud800']) {
      const answer = await editor(newsConsole.create, {
        body: { ...text, columnId, title: value, text: value },
      })
      expect(answer.status).toBeLessThan(500)
    }
    expect(await editor(newsConsole.list, { query: { q: "%_'\\", cursor: 'x' } })).toMatchObject({
      status: 400,
    })
    expect((await editor(newsConsole.list, { query: { q: "%_'\\" } })).data.list).toEqual([])
  })
})

test('paging through the list returns every article exactly once', async () => {
  const filter = { columnId, pageSize: 5 }
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof editor<typeof newsConsole.list>>> = await editor(
      newsConsole.list,
      { query: { ...filter, ...(cursor && { cursor }) } },
    )
    ids.push(...page.data.list.map(({ id }) => id))
    cursor = page.data.nextCursor
  }
  const { data } = await editor(newsConsole.list, { query: { columnId, pageSize: 200 } })
  expect(ids).toEqual(data.list.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('an announcement shows its summary as lead unless its text starts with it', async () => {
  const leadOf = async (fields: object) => {
    const good = await approved(fields)
    await editor(newsConsole.publish, withRevision(good))
    return (await readAsStudent(good.id)).data.lead
  }
  const announcement = { kind: 'announcement', summary: '请提前预约。' }
  expect(await leadOf(announcement)).toBe('请提前预约。')
  expect(await leadOf({ kind: 'announcement' })).toBe('')
  expect(await leadOf({ kind: 'announcement', summary: '即日起延长' })).toBe('')
  expect(await leadOf({ kind: 'article', summary: '请提前预约。' })).toBe('')
})
