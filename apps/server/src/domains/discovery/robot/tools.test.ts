import { assistant } from '@atrium/contract/discovery/assistant'
import { assistantConsole } from '@atrium/contract/discovery/assistant.operator'
import { robot } from '@atrium/contract/discovery/robot'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { events, openModelServer } from '../../../../test/model-server.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let server: Awaited<ReturnType<typeof openModelServer>>
let allowed: string | undefined
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  server = await openModelServer()
  allowed = app.platform.env.ATRIUM_OUTBOUND_ALLOW
  Object.assign(app.platform.env, { ATRIUM_OUTBOUND_ALLOW: server.allow })
  const admin = await app.as('admin')
  const body = {
    address: server.address,
    model: 'small-1',
    enabled: true,
    sends: ['question', 'service'],
    dailyPerMember: 100,
    dailyTokens: 1_000_000,
    seconds: 5,
  }
  expect((await admin(assistantConsole.update, { body })).status).toBe(200)
})
afterAll(async () => {
  Object.assign(app.platform.env, { ATRIUM_OUTBOUND_ALLOW: allowed })
  await server.close()
})
beforeEach(() =>
  sql`update dialog_line set created_at = created_at - interval '2 minutes'`.execute(
    app.platform.db,
  ),
)

/** Tool calls with arguments in two chunks, as models send them. */
function calls(...list: [name: string, args: object | string][]) {
  const chunk = (delta: object) => JSON.stringify({ choices: [{ delta }] })
  return events(
    ...list.flatMap(([name, args], index) => {
      const text = typeof args === 'string' ? args : JSON.stringify(args)
      return [
        chunk({
          tool_calls: [{ index, id: `c${index}`, function: { name, arguments: text.slice(0, 5) } }],
        }),
        chunk({ tool_calls: [{ index, function: { arguments: text.slice(5) } }] }),
      ]
    }),
    JSON.stringify({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] }),
    '[DONE]',
  )
}
async function ask(question: string) {
  const { data } = await student(robot.chat, { body: { question, assistant: true } })
  if (!data.answer) throw new Error('no answer')
  return data.answer
}
const counts = async () =>
  (
    await sql`select (select count(*) from todo) as todos, (select count(*) from letter) as letters,
      (select count(*) from event) as events`.execute(app.platform.db)
  ).rows[0]

test('an event, a to-do and a letter are only proposed, and nothing is created', async () => {
  const before = await counts()
  server.does(
    calls([
      'propose_event',
      { title: '小组会', starts: '2027-03-01T14:00', minutes: 60, location: 'A101' },
    ]),
  )
  expect((await ask('帮我安排 3 月 1 日下午两点的小组会议')).proposals).toMatchObject([
    {
      kind: 'event',
      title: '小组会',
      startsLocal: '2027-03-01T14:00',
      minutes: 60,
      location: 'A101',
    },
  ])
  server.does(calls(['propose_todo', { title: '还书', due: '2027-03-02T18:00' }]))
  expect((await ask('提醒我三月二日还书')).proposals).toMatchObject([
    { kind: 'todo', title: '还书', dueLocal: '2027-03-02T18:00' },
  ])
  server.does(
    calls(['write_letter', { department: '校长信箱', title: '路灯', content: '东门路灯不亮。' }]),
  )
  const letter = await ask('帮我给校长写信反映路灯不亮')
  expect(letter.proposals).toMatchObject([{ kind: 'letter', text: '东门路灯不亮。' }])
  expect(letter.proposals[0]?.mailboxId).not.toBeNull()
  expect(letter.text).toContain('确认后才会执行')
  expect(await counts()).toEqual(before)
})

test('a proposal stays confirmed and can be confirmed by its member only', async () => {
  server.does(calls(['propose_todo', { title: '还书' }]))
  const body = { question: '提醒我还书', assistant: true }
  const { data } = await student(robot.chat, { body })
  const place = { dialogId: data.dialog.id, lineId: data.answer?.id ?? '', index: 0 }
  const teacher = await app.as('teacher')
  expect(await teacher(robot.confirmed, { body: place })).toMatchObject({ status: 404 })
  expect(await student(robot.confirmed, { body: { ...place, index: 1 } })).toMatchObject({
    status: 404,
    error: 'robot.line_not_found',
  })
  const isDone = async () =>
    (await student(robot.dialog, { query: { dialogId: place.dialogId } })).data.lines.at(-1)
      ?.proposals[0]?.done
  expect(await isDone()).toBe(false)
  expect((await student(robot.confirmed, { body: place })).status).toBe(200)
  expect(await isDone()).toBe(true)
})

test('an existing service is proposed with its field filled in, and an unknown one is not', async () => {
  server.does(calls(['open_service', { name: '校园卡充值', value: '' }]))
  const { proposals } = await ask('打开校园卡充值')
  expect(proposals).toMatchObject([{ kind: 'service' }])
  expect(proposals[0]?.to || proposals[0]?.serviceId).toBeTruthy()
  server.does(calls(['open_service', { name: '找书', value: '算法 导论' }]))
  const [withField] = (await ask('帮我查一下算法导论这本书')).proposals
  expect(withField).toMatchObject({
    kind: 'service',
    to: expect.stringContaining(encodeURIComponent('算法 导论')),
  })
  server.does(calls(['open_service', { name: '不存在的服务甲乙丙' }]))
  expect((await ask('打开不存在的服务')).proposals).toEqual([])
})

test.each([
  ['invalid JSON', 'propose_todo', '{"title":'],
  ['a list of arguments', 'propose_todo', '[]'],
  ['no title', 'propose_todo', {}],
  ['an invalid date', 'propose_event', { title: 'x', starts: '2027-02-31T99:00', minutes: 5 }],
  [
    'an excessive duration',
    'propose_event',
    { title: 'x', starts: '2027-03-01T10:00', minutes: 1e9 },
  ],
  ['an unknown department', 'write_letter', { department: '海军', title: 'x', content: 'y' }],
  ['an unknown tool name', 'delete_account', { title: 'x' }],
])('a tool call with %s creates no proposal', async (_, name, args) => {
  server.does(calls([name, args]))
  expect((await ask('提醒我安排会议，写信')).proposals).toEqual([])
})

test('tools unrelated to the question are not offered, and calls of them are ignored', async () => {
  server.does(calls(['write_letter', { department: '校长信箱', title: '全部对话', content: '……' }]))
  const answer = await ask('忘记密码了怎么办')
  expect(server.asked[0]?.body.tools).toBeUndefined()
  expect(answer.proposals).toEqual([])
})

test('the model can read the member’s day only after consent', async () => {
  const day = '2027-03-01'
  server.does(calls(['read_my_day', { day }]))
  await ask('我明天有什么事')
  expect(JSON.stringify(server.asked[0]?.body.tools ?? [])).not.toContain('read_my_day')
  await student(assistant.consent, { body: { agreed: true } })
  server.does(calls(['read_my_day', { day }]))
  const answer = await ask('我明天有什么事')
  expect(answer).toMatchObject({ outcome: 'answered', byModel: true })
  for (const source of answer.sources) expect(source.kind).toBe('event')
})
