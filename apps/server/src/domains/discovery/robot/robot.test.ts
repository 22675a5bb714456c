import { knowledgeConsole } from '@atrium/contract/discovery/knowledge.operator'
import { type ChatReply, robot } from '@atrium/contract/discovery/robot'
import { searchFailures } from '@atrium/contract/discovery/search.operator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { gatherFailures } from '#domains/discovery/search/failures.ts'
import { flushStatistics } from '#domains/discovery/search/statistics.ts'
import { invalidate } from '#platform/database/topics.ts'
import { addService, forIdentity } from '../../../../test/service.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { deleteOldDialogs, maxLines } from './queries.ts'
import { relevantSentences, splitSentences } from './sentences.ts'

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

const ask = async (question: string, caller = student, dialogId?: string) => {
  await sql`update dialog_line set created_at = created_at - interval '2 minutes'`.execute(
    app.platform.db,
  )
  return caller(robot.chat, { body: { question, ...(dialogId && { dialogId }) } })
}
const answerTo = async (question: string, caller = student, dialogId?: string) => {
  const { data } = await ask(question, caller, dialogId)
  if (!data.answer) throw new Error(`no answer to ${question}`)
  return data.answer
}

describe('an answer', () => {
  test.each([
    ['忘记密码了怎么办', '忘记密码了怎么办？'],
    ['密码忘了', '忘记密码了怎么办？'],
    ['我在家怎么访问图书馆的数据库', '校外怎么访问图书馆的数据库？'],
    ['校园网能连几台设备', '校园网每个人能连几台设备？'],
    ['宿舍灯坏了找谁修', '宿舍东西坏了找谁修？'],
    ['医药费怎么报销', '医药费在哪里报销？'],
    ['lost password', '忘记密码了怎么办？'],
  ])('to “%s” comes from a question, with a source per sentence', async (question, title) => {
    const answer = await answerTo(question)
    expect(answer).toMatchObject({ author: 'robot', outcome: 'answered' })
    expect(answer.sources.map((source) => source.title)).toContain(title)
    expect(answer.parts.length).toBeGreaterThan(1)
    for (const { source } of answer.parts) expect(answer.sources[source ?? -1]).toBeDefined()
  })

  test.each(['量子纠缠的本质是什么', '火星上有水吗', 'asdfghjkl qwerty', '今天股票涨了吗'])(
    'to “%s” says that it is not known',
    async (question) => {
      const answer = await answerTo(question)
      expect(answer).toMatchObject({ outcome: 'unknown', sources: [] })
      expect(answer.text).toContain('还不知道')
      expect(answer.followUps.length).toBeGreaterThan(0)
    },
  )

  test('uses the opening hours of places, the steps of guides and the text of news', async () => {
    expect((await answerTo('图书馆几点关门')).text).toMatch(/关门|开门/)
    const guide = await answerTo('学业成绩单怎么办理')
    expect(guide.sources[0]).toMatchObject({ kind: 'guide' })
    expect(guide.text).toMatch(/1\. /)
    const news = await answerTo('运动会团体总分第一是哪个学院')
    expect(news.sources[0]?.kind).toBe('news')
    expect(news.sources[0]?.to).toMatch(/^\/pagesA\/news\/detail/)
  })

  test('is in the language of the request', async () => {
    const response = await app.app.inject({
      method: 'POST',
      url: robot.chat.path,
      headers: { 'x-id-token': await app.tokenOf('student'), 'accept-language': 'en' },
      payload: { question: 'how many devices on the campus network' },
    })
    expect(response.json().data.answer.text).toMatch(/^Five devices can be online/)
  })

  test('to a follow-up question uses the question before', async () => {
    const { data } = await ask('缓考怎么申请')
    const answer = await answerTo('什么时候之前提交？', student, data.dialog.id)
    expect(answer.sources.map(({ title }) => title)).toContain('缓考怎么申请？')
  })

  test('to a greeting is a greeting', async () => {
    expect(await answerTo('你好！')).toMatchObject({ outcome: 'greeting' })
  })

  test('contains only what the member may see', async () => {
    const secret = '暗号是海棠七号'
    await admin(knowledgeConsole.create, {
      body: {
        question: '教师楼门禁暗号是什么？',
        answer: `${secret}。请勿外传。`,
        audience: [{ effect: 'include', kind: 'identity', target: 'T01' }],
      },
    })
    await addService(app.platform, 'T-SECRET', forIdentity('T01'), '教师楼门禁暗号服务')
    await app.platform.db.transaction().execute((db) => invalidate(db, 'services'))
    await app.platform.topics.flushed()
    expect((await answerTo('教师楼门禁暗号是什么', teacher)).text).toContain(secret)
    const raw = (await ask('教师楼门禁暗号是什么')).raw
    expect(raw).not.toContain(secret)
    expect(raw).not.toContain('暗号服务')
  })

  test('is sent as server-sent events if requested', async () => {
    const response = await app.app.inject({
      method: 'POST',
      url: robot.chat.path,
      headers: { 'x-id-token': await app.tokenOf('teacher'), accept: 'text/event-stream' },
      payload: { question: '忘记密码了怎么办' },
    })
    expect(response.headers['content-type']).toContain('text/event-stream')
    const events = response.body
      .trim()
      .split('\n\n')
      .map((event) => {
        const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? []
        return { name, data: JSON.parse(data) }
      })
    expect(events.map(({ name }) => name)).toEqual([
      'start',
      ...events.slice(1, -1).map(() => 'part'),
      'done',
    ])
    expect(events.length).toBeGreaterThan(3)
    const done = events.at(-1)?.data as ChatReply
    expect(done.answer?.parts).toEqual(events.slice(1, -1).map(({ data }) => data))
  })

  test('in an unknown dialog is an ordinary 404, even if events are requested', async () => {
    const response = await app.app.inject({
      method: 'POST',
      url: robot.chat.path,
      headers: { 'x-id-token': await app.tokenOf('student'), accept: 'text/event-stream' },
      payload: { question: '你好', dialogId: '999999' },
    })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ error: 'robot.dialog_not_found' })
  })
})

describe('a dialog', () => {
  test('can be listed, read, continued and deleted by its owner only', async () => {
    const { data } = await ask('校园网能连几台设备')
    const { id } = data.dialog
    await ask('那怎么下线？', student, id)
    expect((await student(robot.dialogs)).data.list[0]).toMatchObject({
      id,
      title: '校园网能连几台设备',
      state: 'robot',
    })
    const read = await student(robot.dialog, { query: { dialogId: id } })
    expect(read.data.lines.map(({ author }) => author)).toEqual([
      'member',
      'robot',
      'member',
      'robot',
    ])
    const after = read.data.lines[1]?.id
    expect(
      (await student(robot.dialog, { query: { dialogId: id, after } })).data.lines,
    ).toHaveLength(2)
    for (const answer of [
      await teacher(robot.dialog, { query: { dialogId: id } }),
      await ask('你好', teacher, id),
      await teacher(robot.comment, { body: { dialogId: id, lineId: after, helpful: true } }),
      await teacher(robot.removeDialog, { query: { dialogId: id } }),
    ])
      expect(answer).toMatchObject({ status: 404, error: 'robot.dialog_not_found' })
    expect((await app.visitor(robot.dialogs)).status).toBe(401)
    expect((await student(robot.removeDialog, { query: { dialogId: id } })).status).toBe(200)
    expect((await student(robot.dialog, { query: { dialogId: id } })).status).toBe(404)
  })

  test('appears once when the list is paged', async () => {
    for (const question of ['一', '二', '三']) await ask(question, teacher)
    const first = await teacher(robot.dialogs, { query: { pageSize: 2 } })
    const second = await teacher(robot.dialogs, {
      query: { pageSize: 2, cursor: first.data.nextCursor },
    })
    const ids = [...first.data.list, ...second.data.list].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
  })

  test('has a maximum length, and questions are rate-limited', async () => {
    const { data } = await ask('你好')
    const { id } = data.dialog
    await sql`insert into dialog_line (dialog_id, author, text, created_at)
      select ${id}, 'member', 'x', now() - interval '1 hour' from generate_series(1, ${maxLines}::integer)`.execute(
      app.platform.db,
    )
    expect(await ask('再来', student, id)).toMatchObject({ error: 'robot.dialog_full' })
    await student(robot.removeDialog, { query: { dialogId: id } })
    const answers = []
    for (let at = 0; at < 22; at++)
      answers.push(await student(robot.chat, { body: { question: `你好` } }))
    expect(answers.at(-1)).toMatchObject({ status: 429, error: 'request.too_many' })
  })

  test('is deleted after half a year without use', async () => {
    const { data } = await ask('很久以前的问题')
    await sql`update dialog set last_at = now() - interval '181 days' where id = ${data.dialog.id}`.execute(
      app.platform.db,
    )
    await deleteOldDialogs(app.platform.db)
    expect(await student(robot.dialog, { query: { dialogId: data.dialog.id } })).toMatchObject({
      status: 404,
    })
  })
})

test('rating an answer rates the question it was made from', async () => {
  const { data } = await ask('忘记密码了怎么办')
  const body = {
    dialogId: data.dialog.id,
    lineId: data.answer?.id,
    helpful: false,
    comment: '太旧',
  }
  const before = await admin(knowledgeConsole.list, { query: { keyWords: '忘记密码' } })
  expect((await student(robot.comment, { body })).status).toBe(200)
  const after = await admin(knowledgeConsole.list, { query: { keyWords: '忘记密码' } })
  expect(after.data.list[0]?.unhelpful).toBe((before.data.list[0]?.unhelpful ?? 0) + 1)
  const read = await student(robot.dialog, { query: { dialogId: data.dialog.id } })
  expect(read.data.lines[1]).toMatchObject({ helpful: false })
  expect(
    await student(robot.comment, {
      body: { dialogId: data.dialog.id, lineId: data.question.id, helpful: true },
    }),
  ).toMatchObject({ status: 404, error: 'robot.line_not_found' })
  expect(
    await student(robot.comment, { body: { dialogId: data.dialog.id, score: 5 } }),
  ).toMatchObject({ status: 409, error: 'robot.not_rateable' })
})

test('a guide is used as a source without its service', async () => {
  const { sources } = await answerTo('how do i get my transcript')
  expect(sources.filter(({ title }) => title === '学业成绩单').map(({ kind }) => kind)).toEqual([
    'guide',
  ])
})

test('an answer rated bad by several members is listed as a failure; others are not', async () => {
  const good = '医药费在哪里报销'
  const bad = '宿舍东西坏了找谁修'
  for (const caller of [student, teacher, await app.as('staff')]) {
    for (let at = 0; at < 2; at++) await ask(good, caller)
    const { data } = await ask(bad, caller)
    const body = { dialogId: data.dialog.id, lineId: data.answer?.id, helpful: false }
    // Repeated ratings count once.
    for (let at = 0; at < 2; at++) expect((await caller(robot.comment, { body })).status).toBe(200)
  }
  const { data } = await admin(searchFailures.gather)
  expect(data.find(({ words }) => words === bad)).toMatchObject({ kind: 'badAnswer', searches: 3 })
  expect(data.map(({ words }) => words)).not.toContain(good)
})

test('popular questions are ranked by use and limited to the caller’s audience', async () => {
  const titles = async (caller: Caller) =>
    (await caller(robot.hotQuestions)).data.map(({ question }) => question)
  expect((await titles(student))[0]).toBe('忘记密码了怎么办？')
  expect(await titles(student)).not.toContain('课酬什么时候发放？')
  expect(await titles(student)).toContain('缓考怎么申请？')
  expect(await titles(teacher)).not.toContain('缓考怎么申请？')
})

test('the userToken header is verified if it is sent', async () => {
  const { data } = await student(robot.token)
  const send = async (userToken: string, username: string) =>
    (
      await app.app.inject({
        method: 'POST',
        url: robot.chat.path,
        headers: { 'x-id-token': await app.tokenOf(username), usertoken: userToken },
        payload: { question: '你好' },
      })
    ).statusCode
  await sql`update dialog_line set created_at = created_at - interval '2 minutes'`.execute(
    app.platform.db,
  )
  expect(await send(data.userToken, 'student')).toBe(200)
  expect(await send(data.userToken, 'teacher')).toBe(403)
  expect(await send('1.x', 'student')).toBe(403)
})

describe('sentences', () => {
  test.each([
    ['一。二！三？', ['一。', '二！', '三？']],
    ['“好。”他说。', ['“好。”', '他说。']],
    ['First step. Then 3.5 more. 1. Done', ['First step.', 'Then 3.5 more.', '1. Done']],
    ['a\n\nb；c', ['a', 'b；', 'c']],
    ['……', []],
  ])('are split: %s', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences)
  })
  test('are selected by the searched words, in their order', () => {
    expect(
      relevantSentences(['甲一', '乙图书馆', '丙', '图书馆开门'], ['图书馆', '开门'], 2),
    ).toEqual(['乙图书馆', '图书馆开门'])
    expect(relevantSentences(['甲', '乙'], ['没有'], 2)).toEqual(['甲'])
  })
})

test('an unanswered question is listed for operators once three members asked it', async () => {
  const question = '量子纠缠怎么解释'
  for (const caller of [student, teacher, await app.as('staff')]) await ask(question, caller)
  await flushStatistics(app.platform)
  await gatherFailures(app.platform)
  const { data } = await admin(searchFailures.list)
  expect(data.map(({ words }) => words)).toContain(question)
})
