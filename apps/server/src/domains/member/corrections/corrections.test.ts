import { operators } from '@atrium/contract/identity/operators.operator'
import { correctionRequests, corrections } from '@atrium/contract/member/corrections'
import { messages } from '@atrium/contract/work/messages'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  ;[student, teacher, admin] = await Promise.all([
    app.as('student'),
    app.as('teacher'),
    app.as('admin'),
  ])
})
beforeEach(() => app.platform.db.deleteFrom('correction').execute())

const requestCorrection = (caller = student, more: object = {}) =>
  caller(corrections.request, {
    body: { field: 'nameEn', value: 'Lin Zhixia ', note: '护照', ...more },
  })
const answer = (caller: Caller, id: string, done = true) =>
  caller(correctionRequests.answer, { params: { id }, body: { done, answer: '已在人事系统更正' } })

test('a member requests a correction, an operator answers it and the member gets a message', async () => {
  const { data } = await requestCorrection()
  expect(data).toMatchObject({ value: 'Lin Zhixia', status: 'waiting', answer: '' })
  expect((await admin(correctionRequests.list)).data).toMatchObject([
    { username: 'student', field: 'nameEn', now: expect.any(String), keptBy: '' },
  ])
  expect((await answer(admin, data.id)).data).toMatchObject({ status: 'done' })
  expect((await student(corrections.list)).data).toMatchObject([
    { status: 'done', answer: '已在人事系统更正' },
  ])
  expect((await student(messages.list, { query: { pageSize: 5 } })).raw).toContain('你的资料已更正')
  expect(await answer(admin, data.id)).toMatchObject({ error: 'correction.not_found' })
})

test('another member cannot see, withdraw or answer a request', async () => {
  const { id } = (await requestCorrection()).data
  expect((await teacher(corrections.list)).data).toEqual([])
  expect(await teacher(corrections.withdraw, { params: { id } })).toMatchObject({
    error: 'correction.not_found',
  })
  expect(await answer(teacher, id)).toMatchObject({ status: 403 })
  expect(await app.visitor(corrections.list)).toMatchObject({ status: 401 })
  expect((await student(corrections.withdraw, { params: { id } })).data.status).toBe('withdrawn')
  expect(await answer(admin, id)).toMatchObject({ error: 'correction.not_found' })
})

test('an operator sees and answers only requests of their own department', async () => {
  const { id } = (await requestCorrection()).data
  const granted = async (organization: string) => {
    const created = await admin(operators.grant, {
      body: { username: 'teacher', permission: 'identity', organization },
    })
    expect(created.status).toBe(200)
    await app.platform.topics.flushed()
    return async () => {
      await admin(operators.revoke, { params: { id: created.data.id } })
      await app.platform.topics.flushed()
    }
  }
  const other = await app.platform.db
    .selectFrom('organization')
    .select('code')
    .where('code', '<>', 'CS')
    .where('parent_id', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  let end = await granted(other.code)
  expect((await teacher(correctionRequests.list)).data).toEqual([])
  expect(await answer(teacher, id)).toMatchObject({ error: 'correction.not_found' })
  await end()
  end = await granted('CS')
  expect((await teacher(correctionRequests.list)).data).toHaveLength(1)
  expect(await answer(teacher, id, false)).toMatchObject({ data: { status: 'refused' } })
  await end()
})

test('a sixth waiting request, an empty value and an unknown field are rejected', async () => {
  for (let n = 0; n < 5; n++) expect((await requestCorrection()).status).toBe(200)
  expect(await requestCorrection()).toMatchObject({ error: 'correction.too_many' })
  expect(await requestCorrection(teacher, { value: '   ' })).toMatchObject({ status: 400 })
  expect(await requestCorrection(teacher, { field: 'password' })).toMatchObject({ status: 400 })
})
