import { study } from '@atrium/contract/learning/study'
import { studyTeaching } from '@atrium/contract/learning/study-teaching'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { codeAt, stepOf } from '#platform/live-code.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { rollKey } from './roll.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
let course: string
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  staff = await app.as('staff')
  const { data } = await teacher(study.courses)
  course = data.find(({ name }) => name === '机器学习导论')?.id ?? ''
})
beforeEach(() => sql`delete from study_attendance where ended_at is null`.execute(app.platform.db))

const open = async (body = {}) =>
  (await teacher(studyTeaching.openRoll, { params: { id: course }, body })).data
const answer = (code: string, caller = student) =>
  caller(study.attend, { params: { id: course }, body: { code } })
/** The code shown `ago` steps earlier. */
const code = (rollId: string, ago: number) =>
  codeAt(rollKey(app.platform.secret, rollId), stepOf(Date.now()) - ago)
const linesOf = async (id: string, state = 'all') =>
  (await teacher(studyTeaching.rollPeople, { params: { id }, query: { state, pageSize: 200 } }))
    .data.list

test('a student checks in with the code that the teacher sees', async () => {
  const roll = await open()
  expect(roll).toMatchObject({ present: 0, endedAt: null })
  expect(roll.code).toMatch(/^\d{6}$/)
  expect(Date.parse(roll.codeUntil ?? '') - Date.now()).toBeLessThanOrEqual(30_000)
  // Opening again returns the same roll.
  expect((await open()).id).toBe(roll.id)
  const before = await student(study.read, { params: { id: course } })
  expect(before.data.attendance).toMatchObject({ openId: roll.id, entered: false })

  expect((await answer(roll.code)).data).toEqual({ state: 'present' })
  const after = await student(study.read, { params: { id: course } })
  expect(after.data.attendance.entered).toBe(true)
  expect((await teacher(studyTeaching.roll, { params: { id: roll.id } })).data.present).toBe(1)
  expect((await linesOf(roll.id))[0]).toMatchObject({ name: '林知夏', state: 'present' })
})

test('a code is accepted once and for a short time only', async () => {
  const { id, code: shown } = await open()
  expect(await answer('000000')).toMatchObject({ error: 'study.code_wrong' })
  expect(await answer(code(id, 3))).toMatchObject({ error: 'study.code_late' })
  await answer(shown)
  expect(await answer(shown)).toMatchObject({ error: 'study.already_present' })
})

test('only students of the course can check in, and only its teacher can manage the roll call', async () => {
  const { id, code: shown } = await open()
  for (const caller of [staff, teacher, await app.as('admin')])
    expect(await answer(shown, caller)).toMatchObject({ status: 404 })
  expect((await answer(shown, app.visitor)).status).toBe(401)
  for (const caller of [student, staff]) {
    expect(await caller(studyTeaching.roll, { params: { id } })).toMatchObject({ status: 404 })
    expect(await caller(studyTeaching.rollPeople, { params: { id } })).toMatchObject({
      status: 404,
    })
    expect(await caller(studyTeaching.endRoll, { params: { id } })).toMatchObject({ status: 404 })
    expect(
      await caller(studyTeaching.openRoll, { params: { id: course }, body: {} }),
    ).toMatchObject({ status: 404 })
  }
})

test('check-in is blocked after ten attempts', async () => {
  const { code: shown } = await open()
  for (let at = 0; at < 10; at++) await answer('x')
  expect(await answer(shown)).toMatchObject({ status: 429 })
})

test('a device can check in one student only', async () => {
  const { id, code: shown } = await open()
  const other = sql`
    from course, account where course.id = ${course} and account.username = 'staff'`
  await sql`insert into calendar_member select course.calendar_id, account.id, 'attends' ${other}`.execute(
    app.platform.db,
  )
  const withPhone = async (username: string) =>
    app.app.inject({
      method: 'POST',
      url: study.attend.path.replace('{id}', course),
      payload: { code: shown },
      headers: {
        'x-id-token': await app.tokenOf(username),
        'x-device-info': Buffer.from('{"deviceId":"one phone"}').toString('base64url'),
      },
    })
  expect((await withPhone('student')).statusCode).toBe(200)
  expect((await withPhone('staff')).json()).toMatchObject({ error: 'study.device_used' })
  expect((await teacher(studyTeaching.roll, { params: { id } })).data.present).toBe(1)
  await sql`delete from calendar_member where account_id = (select id from account where username = 'staff')`.execute(
    app.platform.db,
  )
})

test('a late check-in counts as late, and a student without one as absent', async () => {
  const { id, students, code: shown } = await open({ lateAfter: 0 })
  expect((await answer(shown)).data).toEqual({ state: 'late' })
  const [missing] = await linesOf(id, 'missing')
  const put = (accountId: string | undefined, state: string) =>
    teacher(studyTeaching.setAttended, { params: { id, accountId }, body: { state } })
  expect((await put(missing?.accountId, 'excused')).status).toBe(200)
  expect(await put('999999', 'present')).toMatchObject({ error: 'study.student_not_found' })
  const ended = await teacher(studyTeaching.endRoll, { params: { id } })
  expect(ended.data).toMatchObject({ code: '', late: 1, excused: 1, absent: students - 2 })
  expect(await answer(shown)).toMatchObject({ error: 'study.roll_over' })
})

test('a roll call ends automatically', async () => {
  const { id, students } = await open({ minutes: 1 })
  await sql`update study_attendance set closes_at = now() - interval '1 second' where id = ${id}`.execute(
    app.platform.db,
  )
  expect((await teacher(studyTeaching.roll, { params: { id } })).data).toMatchObject({
    absent: students,
    code: '',
  })
  const attendants = await teacher(studyTeaching.attendants, { params: { id: course } })
  expect(attendants.data.list[0]?.absent).toBeGreaterThan(0)
  expect((await teacher(studyTeaching.rolls, { params: { id: course } })).data.list[0]?.id).toBe(id)
})
