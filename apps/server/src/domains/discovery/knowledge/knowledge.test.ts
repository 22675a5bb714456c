import { knowledge } from '@atrium/contract/discovery/knowledge'
import { knowledgeConsole } from '@atrium/contract/discovery/knowledge.operator'
import { search } from '@atrium/contract/discovery/search'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { notifyDueReviews } from './reviews.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  admin = await app.as('admin')
})

const everybody = [{ effect: 'include', kind: 'everybody' }]
const forTeachers = [{ effect: 'include', kind: 'identity', target: 'T01' }]
const written = (more: object = {}) => ({
  question: '实验室钥匙找谁领？',
  questionEn: 'Who hands out laboratory keys?',
  answer: '到行政楼 203 登记后领取。当天归还。',
  answerEn: 'Sign for it in room 203. Bring it back the same day.',
  wordings: ['领钥匙', 'lab key'],
  audience: everybody,
  ...more,
})
const add = async (more: object = {}, caller = admin) =>
  (await caller(knowledgeConsole.create, { body: written(more) })).data
const searchTitles = async (caller: Caller, keyWords: string) => {
  const { data } = await caller(search.find, { query: { keyWords, types: 'question' } })
  return data.groups.flatMap(({ list }) => list.map(({ title }) => title))
}

describe('a question', () => {
  test('can be read, is found by its wordings and answers a search', async () => {
    const { id, revision } = await add()
    expect(revision).toBe(1)
    expect((await student(knowledge.read, { params: { id } })).data).toMatchObject({
      question: '实验室钥匙找谁领？',
      answerEn: 'Sign for it in room 203. Bring it back the same day.',
    })
    expect(await searchTitles(student, '领钥匙')).toContain('实验室钥匙找谁领？')
    expect(await searchTitles(student, 'lab key')).toContain('实验室钥匙找谁领？')
    // On a busy machine a source may be late, so retry.
    await expect
      .poll(
        async () =>
          (await student(search.find, { query: { keyWords: '实验室钥匙找谁领' } })).data.answer,
      )
      .toMatchObject({ kind: 'question', text: '到行政楼 203 登记后领取。当天归还。' })
  })

  test.each([
    ['for another audience', { audience: forTeachers }],
    ['hidden', { online: false }],
    ['not yet valid', { validFrom: '2100-01-01T00:00:00Z' }],
    ['no longer valid', { validUntil: '2020-01-01T00:00:00Z' }],
  ])('that is %s is not found by reading or searching', async (_, more) => {
    const question = `只给部分人看的问题 ${Math.random()}？`
    const { id } = await add({ question, wordings: [], ...more })
    for (const caller of [student, app.visitor]) {
      expect(await caller(knowledge.read, { params: { id } })).toMatchObject({
        status: 404,
        error: 'knowledge.not_found',
      })
      expect(await searchTitles(caller, question)).not.toContain(question)
    }
    expect(
      (await student(knowledge.judge, { params: { id }, body: { helpful: true } })).status,
    ).toBe(404)
  })

  test('for teachers is found by a teacher', async () => {
    await add({ question: '教师专用停车证怎么办？', audience: forTeachers })
    expect(await searchTitles(teacher, '教师专用停车证')).toContain('教师专用停车证怎么办？')
  })

  test('counts helpful and unhelpful ratings without storing who rated', async () => {
    const { id } = await add({ question: '有用吗？' })
    await student(knowledge.judge, { params: { id }, body: { helpful: true } })
    await teacher(knowledge.judge, { params: { id }, body: { helpful: false } })
    const { data } = await admin(knowledgeConsole.list, { query: { keyWords: '有用吗' } })
    expect(data.list[0]).toMatchObject({ id, helpful: 1, unhelpful: 1 })
    const { rows } = await sql`select to_jsonb(u) - 'day' as use from knowledge_use u
      where question_id = ${id}`.execute(app.platform.db)
    expect(rows).toEqual([{ use: { question_id: Number(id), asked: 0, helpful: 1, unhelpful: 1 } }])
    expect(
      (await app.visitor(knowledge.judge, { params: { id }, body: { helpful: true } })).status,
    ).toBe(401)
  })
})

describe('operators', () => {
  test('change, review and remove a question; a stale revision gets a conflict', async () => {
    const { id } = await add({ question: '旧问题？' })
    const params = { id }
    const body = { ...written({ question: '新问题？' }), revision: 1 }
    expect((await admin(knowledgeConsole.update, { params, body })).data).toMatchObject({
      question: '新问题？',
      revision: 2,
    })
    expect(await admin(knowledgeConsole.update, { params, body })).toMatchObject({
      status: 409,
      error: 'knowledge.changed_meanwhile',
    })
    expect(
      (
        await admin(knowledgeConsole.review, {
          params,
          body: { revision: 2, reviewOn: '2030-01-01' },
        })
      ).data,
    ).toMatchObject({ reviewOn: '2030-01-01', revision: 3 })
    expect((await admin(knowledgeConsole.remove, { params })).status).toBe(200)
    expect((await student(knowledge.read, { params })).status).toBe(404)
  })

  test('get validation errors by field', async () => {
    const faults = {
      owner: 'nobody-here',
      url: 'javascript:alert(1)',
    }
    for (const [field, value] of Object.entries(faults)) {
      const answer = await admin(knowledgeConsole.create, { body: written({ [field]: value }) })
      expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
      expect(Object.keys(answer.fields ?? {})).toEqual([field])
    }
    expect(
      (
        await admin(knowledgeConsole.create, {
          body: written({ validFrom: '2026-02-01T00:00:00Z', validUntil: '2026-01-01T00:00:00Z' }),
        })
      ).fields,
    ).toHaveProperty('validUntil')
  })

  test('of a department see and change only its own questions', async () => {
    const { db, topics } = app.platform
    const place = await db
      .selectFrom('organization')
      .select('id')
      .where('code', '=', 'CS')
      .executeTakeFirstOrThrow()
    const { id: account } = await db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'teacher')
      .executeTakeFirstOrThrow()
    await insertGrants(db, account, ['content'], place.id)
    await topics.flushed()
    const whole = await add({ question: '全校的问题？' })
    expect((await teacher(knowledgeConsole.create, { body: written() })).fields).toHaveProperty(
      'organization',
    )
    const own = await add({ question: '学院的问题？', organization: 'CS' }, teacher)
    expect(own.organization).toBe('CS')
    const { data } = await teacher(knowledgeConsole.list)
    expect(data.list.map(({ id }) => id)).toContain(own.id)
    expect(data.list.map(({ id }) => id)).not.toContain(whole.id)
    expect(await teacher(knowledgeConsole.remove, { params: { id: whole.id } })).toMatchObject({
      status: 404,
    })
    await sql`delete from operator_grant where account_id = ${account}`.execute(db)
    await topics.flushed()
    expect((await student(knowledgeConsole.list)).status).toBe(403)
  })

  test('list questions by state and page by page', async () => {
    await add({ question: '该复核的问题？', reviewOn: '2020-01-01' })
    const due = await admin(knowledgeConsole.list, { query: { state: 'due' } })
    expect(due.data.list.map(({ question }) => question)).toEqual(['该复核的问题？'])
    const first = await admin(knowledgeConsole.list, { query: { pageSize: 3 } })
    const second = await admin(knowledgeConsole.list, {
      query: { pageSize: 3, cursor: first.data.nextCursor },
    })
    const ids = [...first.data.list, ...second.data.list].map(({ id }) => id)
    expect(new Set(ids).size).toBe(6)
  })
})

test('the owner of a question is notified once on the day its review is due', async () => {
  const { data } = await admin(knowledgeConsole.create, {
    body: written({ question: '今天复核的问题？', owner: 'staff' }),
  })
  const { rows } = await sql<{ today: string }>`
    update knowledge_question set review_on = (now() at time zone 'Asia/Shanghai')::date
    where id = ${data.id} returning review_on::text as today`.execute(app.platform.db)
  expect(rows).toHaveLength(1)
  await notifyDueReviews(app.platform)
  await notifyDueReviews(app.platform)
  const staff = await app.as('staff')
  const notices = (await staff(messages.list, { query: { keyWords: '问答今天需要复核' } })).data
    .list
  expect(notices.filter(({ title }) => title.includes('复核'))).toHaveLength(1)
})
