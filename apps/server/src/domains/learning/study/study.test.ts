import { study } from '@atrium/contract/learning/study'
import { studyTeaching } from '@atrium/contract/learning/study-teaching'
import { privacy } from '@atrium/contract/member/privacy'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { tasks } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { onSubmitted, syncWork } from './work.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  staff = await app.as('staff')
})
const db = () => app.platform.db

/** A course of this term by name. */
async function courseOf(caller: Caller, name: string) {
  const { data } = await caller(study.courses)
  const found = data.find((course) => course.name === name)
  if (!found) throw new Error(`no course ${name}`)
  return found
}
const readOf = async (caller: Caller, name: string) =>
  (await caller(study.read, { params: { id: (await courseOf(caller, name)).id } })).data
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const fields = (title: string) => ({ title, text: '见课件', dueAt: inDays(3), points: 10 })
async function assign(title: string) {
  const { id } = await courseOf(teacher, '机器学习导论')
  const { data } = await teacher(studyTeaching.createAssignment, {
    params: { id },
    body: fields(title),
  })
  return data.id
}
const assignmentOf = async (id: string) =>
  (await readOf(student, '机器学习导论')).assignments.find((one) => one.id === id)

describe('the study centre', () => {
  test('shows the term, the next lesson, due assignments and marks', async () => {
    const { data } = await student(study.overview)
    expect(data.term).toMatchObject({ week: 12, weeks: 20 })
    expect(data.terms).toHaveLength(2)
    expect(data.next).toMatchObject({
      location: '教一 101',
      locationEn: 'Teaching Building 1, 101',
    })
    expect(data.due[0]).toMatchObject({ title: '作业三 反向传播', handedAt: null })
    const { data: task } = await student(tasks.read, { params: { id: data.due[0]?.taskId ?? '' } })
    expect(task).toMatchObject({
      titleEn: 'Assignment 3: Backpropagation',
      sourceEn: 'Study centre',
      noteEn: 'Introduction to Machine Learning',
    })
    expect(data.marks[0]).toMatchObject({ mark: { score: 88, points: 100 } })
    expect(data.credits).toEqual({ enrolled: 23, earned: 13.5 })
    expect(data.stale).toEqual([])
  })

  test('lists the courses of a term, and none for members without courses', async () => {
    const { data } = await student(study.courses)
    expect(data).toHaveLength(10)
    expect(data.find(({ name }) => name === '机器学习导论')).toMatchObject({
      role: 'attends',
      credits: 3,
      teachers: [{ name: '周明远' }],
      open: 1,
      progress: 62,
    })
    const term = (await student(study.overview)).data.terms.at(-1)?.code
    const before = await student(study.courses, { query: { term } })
    expect(before.data.map(({ total }) => total?.score).sort()).toEqual([86, 89, 91, 94])
    expect((await student(study.courses, { query: { term: 'NO' } })).data).toEqual([])
    expect((await staff(study.courses)).data).toEqual([])
    expect((await app.visitor(study.courses)).status).toBe(401)
  })

  test('shows a course to its members only', async () => {
    const data = await readOf(student, '机器学习导论')
    expect(data.plan).toHaveLength(12)
    expect(data.lessons.length).toBeGreaterThan(1)
    expect(data.materials[0]).toMatchObject({
      kind: 'file',
      mediaType: 'application/pdf',
      seen: true,
    })
    expect((await app.app.inject(data.materials[0]?.url ?? '')).statusCode).toBe(200)
    expect(data.announcements[0]?.title).toBe('下周课上带笔记本电脑')
    expect(
      data.attendance.own.present + data.attendance.own.late + data.attendance.own.absent,
    ).toBe(4)
    for (const caller of [staff, await app.as('admin')])
      expect(await caller(study.read, { params: { id: data.id } })).toMatchObject({
        status: 404,
        error: 'study.course_not_found',
      })
  })

  test('counts opened materials as progress, for members of the course only', async () => {
    const { materials } = await readOf(student, '机器学习导论')
    const [unseen] = materials.filter(({ seen }) => !seen)
    await student(study.see, { params: { id: unseen?.id } })
    expect((await courseOf(student, '机器学习导论')).progress).toBe(75)
    expect(await staff(study.see, { params: { id: unseen?.id } })).toMatchObject({
      error: 'study.material_not_found',
    })
  })

  test('shows the contact details that people share', async () => {
    const { id } = await courseOf(student, '机器学习导论')
    const first = await student(study.people, { params: { id }, query: { pageSize: 10 } })
    expect(first.data.list[0]).toMatchObject({ role: 'teaches', name: '周明远' })
    // Most people hide their numbers.
    expect(first.data.list.at(-1)?.mobile).toBe('')
    await teacher(privacy.update, { body: { mobile: 'nobody' } })
    const reread = await student(study.people, { params: { id }, query: { pageSize: 1 } })
    expect(reread.data.list).toMatchObject([
      { mobile: '', email: 'zhou.mingyuan@jianglan.example' },
    ])
    const all = new Set(first.data.list.map((one) => one.id))
    for (let cursor = first.data.nextCursor; cursor; ) {
      const { data } = await student(study.people, {
        params: { id },
        query: { cursor, pageSize: 50 },
      })
      for (const one of data.list) all.add(one.id)
      cursor = data.nextCursor
    }
    expect(all.size).toBe((await courseOf(student, '机器学习导论')).students + 1)
    expect(await staff(study.people, { params: { id } })).toMatchObject({ status: 404 })
  })
})

describe('an assignment', () => {
  test('creates a task for every student and a calendar event, and is handed in through the task', async () => {
    const id = await assign('作业四')
    const assignment = await assignmentOf(id)
    expect(assignment).toMatchObject({ title: '作业四', handedAt: null, points: 10 })
    const task = await student(tasks.read, { params: { id: assignment?.taskId } })
    expect(task.data).toMatchObject({ title: '作业四', source: '学习中心', isApplication: false })
    expect(task.data.actions[0]).toMatchObject({ code: 'hand-in' })
    expect(await staff(tasks.read, { params: { id: assignment?.taskId } })).toMatchObject({
      status: 404,
    })
    const { rows: steps } = await sql`
      select distinct step.account_id from study_result result
      join task_step step on (step.task_id, step.account_id) = (result.task_id, result.account_id)
      where result.assignment_id = ${id}`.execute(db())
    expect(steps).toHaveLength((await courseOf(student, '机器学习导论')).students)
    const day = (at: string) => at.slice(0, 10)
    const events = await student(schedule.events, {
      query: { from: day(inDays(2)), to: day(inDays(5)) },
    })
    expect(events.data.list.filter(({ title }) => title === '作业截止：作业四')).toHaveLength(1)

    await student(tasks.handle, {
      params: { id: assignment?.taskId },
      body: { action: 'hand-in', comment: '见附件' },
    })
    expect((await assignmentOf(id))?.handedAt).not.toBeNull()
    const results = await teacher(studyTeaching.results, {
      params: { id },
      query: { pageSize: 200 },
    })
    expect(results.data.list.filter(({ handedAt }) => handedAt)).toMatchObject([
      { name: '林知夏', comment: '见附件' },
    ])
    expect(await teacher(studyTeaching.removeAssignment, { params: { id } })).toMatchObject({
      error: 'study.handed_in',
    })
  })

  test('can be returned with a note and handed in again', async () => {
    const id = await assign('作业四退')
    const first = await assignmentOf(id)
    const { id: accountId } = await db()
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'student')
      .executeTakeFirstOrThrow()
    const back = (who = teacher) =>
      who(studyTeaching.sendBack, { params: { id, accountId }, body: { note: '请补上推导。' } })
    // Nothing has been handed in yet.
    expect(await back()).toMatchObject({ status: 409, error: 'study.not_returnable' })
    await student(tasks.handle, { params: { id: first?.taskId }, body: { action: 'hand-in' } })
    expect((await back(student)).status).toBe(404)
    expect((await back(staff)).status).toBe(404)
    expect((await back()).status).toBe(200)
    const reread = await assignmentOf(id)
    expect(reread).toMatchObject({ handedAt: null, sentBack: '请补上推导。' })
    expect(reread?.taskId).not.toBe(first?.taskId)
    const task = await student(tasks.read, { params: { id: reread?.taskId } })
    expect(task.data.form).toContainEqual(
      expect.objectContaining({ label: '退回意见', value: '请补上推导。' }),
    )
    const notices = await student(messages.list, { query: { keyWords: '作业四退' } })
    expect(notices.raw).toContain('作业已退回')
    await student(tasks.handle, {
      params: { id: reread?.taskId },
      body: { action: 'hand-in', comment: '已补上' },
    })
    expect(await assignmentOf(id)).toMatchObject({ sentBack: null })
    const results = await teacher(studyTeaching.results, {
      params: { id },
      query: { pageSize: 200 },
    })
    expect(results.data.list.find(({ handedAt }) => handedAt)).toMatchObject({
      comment: '已补上',
      sentBackAt: expect.any(String),
    })
    // Work with a published mark cannot be sent back.
    await teacher(studyTeaching.mark, {
      params: { id },
      body: { list: [{ accountId, score: 5, grade: '', feedback: '' }], publish: true },
    })
    expect((await back()).error).toBe('study.not_returnable')
  })

  test('updates its tasks when it changes, and deletes them with it', async () => {
    const id = await assign('作业五')
    const before = await assignmentOf(id)
    const dueAt = inDays(6)
    await teacher(studyTeaching.updateAssignment, {
      params: { id },
      body: { ...fields('作业五（改）'), dueAt },
    })
    const task = await student(tasks.read, { params: { id: before?.taskId } })
    expect(task.data).toMatchObject({ title: '作业五（改）', dueAt })
    await teacher(studyTeaching.removeAssignment, { params: { id } })
    expect(await student(tasks.read, { params: { id: before?.taskId } })).toMatchObject({
      status: 404,
    })
    expect(await assignmentOf(id)).toBeUndefined()
  })

  test('cannot be deleted while a student hands it in', async () => {
    const id = await assign('作业五同时')
    const taskId = (await assignmentOf(id))?.taskId ?? ''
    const { account_id: accountId } = await db()
      .selectFrom('study_result')
      .select('account_id')
      .where('task_id', '=', taskId)
      .executeTakeFirstOrThrow()
    const handled = { taskId, stepId: '0', accountId, ownerId: accountId }
    const { removal } = await db()
      .transaction()
      .execute(async (submitting) => {
        await sql`select from task where id = ${taskId} for update`.execute(submitting)
        await onSubmitted(submitting, { ...handled, action: 'hand-in', comment: '', form: {} })
        const removal = teacher(studyTeaching.removeAssignment, { params: { id } })
        await expect
          .poll(async () => {
            const { rows } =
              await sql`select from pg_stat_activity where datname = current_database()
              and wait_event_type = 'Lock'`.execute(db())
            return rows.length
          })
          .toBe(1)
        // In an object, because returning a promise would wait for it.
        return { removal }
      })
    expect(await removal).toMatchObject({ status: 409, error: 'study.handed_in' })
    expect((await assignmentOf(id))?.handedAt).not.toBeNull()
  })

  test('can be created, marked and deleted by teachers of the course only', async () => {
    const { id: course } = await courseOf(student, '机器学习导论')
    const id = await assign('作业六')
    for (const caller of [student, staff]) {
      const refused = [
        await caller(studyTeaching.createAssignment, { params: { id: course }, body: fields('x') }),
        await caller(studyTeaching.updateAssignment, { params: { id }, body: fields('x') }),
        await caller(studyTeaching.removeAssignment, { params: { id } }),
        await caller(studyTeaching.results, { params: { id } }),
        await caller(studyTeaching.mark, { params: { id }, body: { list: [] } }),
        await caller(studyTeaching.attendants, { params: { id: course } }),
        await caller(studyTeaching.addMaterial, {
          params: { id: course },
          body: { title: 'x', url: 'https://example.org/' },
        }),
      ]
      expect(refused.map(({ status }) => status)).toEqual(Array(7).fill(404))
    }
  })

  test('creates a task for a student who joins, and removes it when they leave', async () => {
    const id = await assign('作业七')
    const { rows } = await sql<{ calendar_id: string; account_id: string }>`
      select course.calendar_id, account.id as account_id from study_assignment a
      join course on course.id = a.course_id, account where a.id = ${id} and account.username = 'staff'`.execute(
      db(),
    )
    const [row] = rows
    const tasksOf = async () =>
      (await staff(tasks.list, { query: { level: 'myTodo', pageSize: 100 } })).data.list.filter(
        ({ title }) => title === '作业七',
      )
    await sql`insert into calendar_member values (${row?.calendar_id}, ${row?.account_id}, 'attends')`.execute(
      db(),
    )
    const sync = () =>
      db()
        .transaction()
        .execute((db) => syncWork(db, 'all'))
    await sync()
    await sync()
    expect(await tasksOf()).toHaveLength(1)
    await sql`delete from calendar_member where account_id = ${row?.account_id}`.execute(db())
    await sync()
    expect(await tasksOf()).toEqual([])
  })

  test('shows a mark once it is published, and notifies the student', async () => {
    const id = await assign('作业八')
    const { data } = await teacher(studyTeaching.results, {
      params: { id },
      query: { pageSize: 200 },
    })
    const accountId = data.list.find(({ name }) => name === '林知夏')?.accountId
    const mark = (score: number, publish = false) =>
      teacher(studyTeaching.mark, {
        params: { id },
        body: { list: [{ accountId, score, feedback: '很好' }], publish },
      })
    expect(await mark(11)).toMatchObject({ error: 'request.invalid' })
    await mark(9)
    expect((await assignmentOf(id))?.mark).toBeNull()
    expect((await mark(9.5, true)).data).toEqual({ published: 1 })
    expect((await assignmentOf(id))?.mark).toMatchObject({
      score: 9.5,
      points: 10,
      feedback: '很好',
    })
    const notices = await student(messages.list, { query: { pageSize: 20 } })
    expect(notices.data.list.map(({ title }) => title)).toContain('成绩已公布：作业八')
    expect(
      await teacher(studyTeaching.mark, {
        params: { id },
        body: { list: [{ accountId: '999999', score: 1 }] },
      }),
    ).toMatchObject({ error: 'study.student_not_found' })
  })
})

test('an announcement is sent to every student of the course as a message', async () => {
  const { id, students } = await courseOf(teacher, '机器学习导论')
  const body = { title: '改在线上', text: '周四的答疑改在线上进行。' }
  const { data } = await teacher(studyTeaching.announce, { params: { id }, body })
  expect(data.told).toBe(students)
  const [notices] = (await student(messages.list, { query: { pageSize: 20 } })).data.list.filter(
    ({ title }) => title === '机器学习导论：改在线上',
  )
  expect(notices).toMatchObject({ appName: '学习中心' })
  expect((await readOf(student, '机器学习导论')).announcements[0]).toMatchObject(body)
  expect(await student(studyTeaching.announce, { params: { id }, body })).toMatchObject({
    status: 404,
  })
})

test('a link can be added and removed by the teacher only', async () => {
  const { id } = await courseOf(teacher, '机器学习导论')
  const body = { title: '教材勘误', url: 'https://example.org/errata' }
  const added = await teacher(studyTeaching.addMaterial, { params: { id }, body })
  expect((await readOf(student, '机器学习导论')).materials.at(-1)).toMatchObject(body)
  // A file owned by somebody else.
  const { rows } = await sql<{ id: string }>`
    select file_id as id from file_owner where account_id = (select id from account where username = 'student') limit 1`.execute(
    db(),
  )
  const theirs = await teacher(studyTeaching.addMaterial, {
    params: { id },
    body: { title: 'x', fileId: rows[0]?.id },
  })
  expect(theirs).toMatchObject({ status: 400, fields: { fileId: expect.any(String) } })
  expect(
    await student(studyTeaching.removeMaterial, { params: { id: added.data.id } }),
  ).toMatchObject({
    status: 404,
  })
  await teacher(studyTeaching.removeMaterial, { params: { id: added.data.id } })
  expect((await readOf(student, '机器学习导论')).materials).toHaveLength(5)
})
