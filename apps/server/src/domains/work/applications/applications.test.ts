// Long, because every decision needs an application submitted and decided up to that point.
import { account } from '@atrium/contract/identity/account'
import { organizationHeads } from '@atrium/contract/identity/heads.operator'
import { applications } from '@atrium/contract/work/applications'
import { type ApprovalStep, applicationForms } from '@atrium/contract/work/applications.operator'
import { messages } from '@atrium/contract/work/messages'
import { tasks } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { forms } from '#demo/applications.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { listBroken, repairApplication } from './engine.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  ;[student, teacher, staff, admin] = await Promise.all([
    app.as('student'),
    app.as('teacher'),
    app.as('staff'),
    app.as('admin'),
  ])
})

let keys = 0
const leave = (more: object = {}) => ({
  kind: 'sick',
  from: '2026-12-01',
  until: '2026-12-02',
  days: 2,
  reason: '发烧',
  ...more,
})
const versionOf = async (code: string) =>
  (await admin(applicationForms.list, {})).data.find((form) => form.code === code)?.version ?? 0
async function apply(data: object, { who: caller = student, code = 'leave', submit = true } = {}) {
  const version = await versionOf(code)
  const key = `application-${++keys}`
  return caller(applications.save, { body: { key, code, version, data, submit } })
}
async function submitted(data: object = leave(), more: { who?: Caller; code?: string } = {}) {
  const { data: one, status, fields } = await apply(data, more)
  expect({ status, fields }).toEqual({ status: 200, fields: undefined })
  return one.id
}
const read = async (caller: Caller, id: string) =>
  (await caller(tasks.read, { params: { id } })).data
const actionsOf = async (caller: Caller, id: string) =>
  (await read(caller, id))?.actions.map(({ code }) => code) ?? []
const handle = (caller: Caller, id: string, action: string, more: object = {}) =>
  caller(tasks.handle, { params: { id }, body: { action, comment: '', ...more } as never })
const statusOf = async (id: string) =>
  (await student(applications.read, { params: { id } })).data?.status
const recordsOf = async (id: string) =>
  (await student(tasks.records, { params: { id } })).data.map(({ person, step, action }) => [
    person,
    step,
    action,
  ])

describe('a form', () => {
  test('is offered only to its audience, with its fields in order', async () => {
    const codes = async (caller: Caller) =>
      (await caller(applications.list, {})).data.forms.map(({ code }) => code)
    expect(await codes(student)).toEqual(['leave', 'room'])
    expect(await codes(teacher)).toEqual(['leave', 'room', 'expenses'])
    const { data } = await student(applications.blank, { params: { code: 'leave' } })
    expect(Object.keys(data.schema.properties)).toEqual(
      Object.keys(forms.leave?.schema.properties ?? {}),
    )
    const hidden = await student(applications.blank, { params: { code: 'expenses' } })
    expect(hidden.error).toBe('application.form_not_found')
    const blind = await apply({ subject: 'x', items: [] }, { code: 'expenses' })
    expect(blind.error).toBe('application.form_not_found')
  })

  test.each([
    ['no data', {}, { 'data.kind': '必填', 'data.reason': '必填' }],
    ['an unknown choice', leave({ kind: 'holiday' }), { 'data.kind': '不在可选值中' }],
    ['a nonexistent date', leave({ from: '2026-02-30' }), { 'data.from': '格式不对' }],
    ['too many days', leave({ days: 61 }), { 'data.days': '超出范围' }],
    ['text in a number field', leave({ days: 'two' }), { 'data.days': '类型不对' }],
    ['a blank reason', leave({ reason: '  ' }), { 'data.reason': '必填' }],
    ['an unknown person', leave({ substitute: 'nobody' }), { 'data.substitute': '不存在' }],
    ['a nonexistent file', leave({ proof: ['999999999'] }), { 'data.proof': '不存在' }],
    ['an invalid file id', leave({ proof: ['../etc'] }), { 'data.proof.0': '格式不对' }],
    ['an object in a text field', leave({ reason: { a: 1 } }), { 'data.reason': '类型不对' }],
  ])('with %s is rejected with an error per field', async (_, data, fields) => {
    expect(await apply(data)).toMatchObject({ status: 400, error: 'request.invalid', fields })
  })

  test('accepts only the applicant’s own files, which the approver can read', async () => {
    const { db, files } = app.platform
    const fileOf = async (username: string) => {
      const about = { mediaType: 'text/plain', isPublic: false }
      const id = await files.keep(db, Buffer.from(`evidence of ${username}`), about)
      await sql`insert into file_owner (file_id, account_id)
        select ${id}, id from account where username = ${username}`.execute(db)
      return id
    }
    const foreign = await apply(leave({ proof: [await fileOf('staff')] }))
    expect(foreign).toMatchObject({ status: 400, fields: { 'data.proof': '不存在' } })
    const id = await submitted(leave({ proof: [await fileOf('student')] }))
    const entry = (await read(teacher, id)).form.find(({ label }) => label === '证明材料')
    const [file] = entry?.files ?? []
    expect((await app.app.inject({ url: file?.url ?? '' })).statusCode).toBe(200)
  })

  test('is validated row by row in table fields', async () => {
    const answer = await apply(
      { subject: '会议', items: [{ what: '车票', amount: 120 }, { what: '住宿' }] },
      { who: teacher, code: 'expenses' },
    )
    expect(answer).toMatchObject({ status: 400, fields: { 'data.items.1.amount': '必填' } })
  })

  test('that names unknown fields or approvers cannot be saved', async () => {
    const form = structuredClone(forms.leave) as NonNullable<typeof forms.leave>
    form.steps[0] = {
      ...(form.steps[0] as ApprovalStep),
      approvers: [{ kind: 'group', target: 'nobody', above: 0, inOrganization: false }],
      when: [{ field: 'weeks', is: '>', value: 1 }],
    }
    form.managers = ['ghost']
    form.schema.required.push('weeks')
    const answer = await admin(applicationForms.put, { params: { code: 'bad' }, body: form })
    expect(answer).toMatchObject({
      status: 400,
      fields: {
        'schema.required': '不存在',
        'steps.0.approvers.0.target': '不存在',
        'steps.0.when.0.field': '不存在',
        'managers.0': '不存在',
      },
    })
  })
})

describe('an application', () => {
  test('goes to the head, then to steps whose conditions hold, and ends approved', async () => {
    const id = await submitted(leave({ days: 5, substitute: 'teacher' }))
    expect(await read(teacher, id)).toMatchObject({
      title: '请假：病假 5 天（2026-12-01 起）',
      titleEn: 'Sick leave: 5 days from 2026-12-01',
      source: '学生处',
      sourceEn: 'Student Affairs Office',
      applicant: '林知夏',
      isApplication: true,
      own: false,
    })
    const { form } = await read(teacher, id)
    expect(form.map(({ label, value }) => [label, value])).toEqual([
      ['假别', '病假'],
      ['开始日期', '2026-12-01'],
      ['结束日期', '2026-12-02'],
      ['天数', '5'],
      ['事由', '发烧'],
      ['代课或代班人', '周明远'],
    ])
    expect((await staff(tasks.read, { params: { id } })).status).toBe(404)
    expect((await handle(teacher, id, 'approve')).status).toBe(200)
    expect((await handle(staff, id, 'approve', { comment: '已备案' })).status).toBe(200)
    expect(await statusOf(id)).toBe('finish')
    expect(await recordsOf(id)).toEqual([
      ['周明远', '院系审批', '同意'],
      ['陈思齐', '教务处备案', '同意'],
    ])
    const { list } = (await student(messages.list, { query: { pageSize: 10 } })).data
    expect(list.map(({ titleEn }) => titleEn)).toContain(
      'Approved: Sick leave: 5 days from 2026-12-01',
    )
  })

  test('names its steps and actions in English, and says what kind of action was taken', async () => {
    const id = await submitted()
    expect((await read(teacher, id)).applicantEn).toBe('Lin Zhixia')
    expect((await handle(teacher, id, 'ask', { comment: '哪家医院？' })).status).toBe(200)
    expect((await handle(student, id, 'answer', { comment: '校医院' })).status).toBe(200)
    expect((await handle(teacher, id, 'refuse', { comment: '请补病历' })).status).toBe(200)
    const { data } = await student(tasks.records, { params: { id } })
    const approval = {
      personEn: 'Zhou Mingyuan',
      step: '院系审批',
      stepEn: 'Department',
    }
    expect(data).toMatchObject([
      { ...approval, actionEn: 'Ask back', tone: 'plain' },
      {
        personEn: 'Lin Zhixia',
        stepEn: 'Answer the question',
        actionEn: 'Answer',
        tone: 'primary',
      },
      { ...approval, actionEn: 'Refuse', tone: 'danger' },
    ])
  })

  test('for two days needs only one approval', async () => {
    const id = await submitted()
    await handle(teacher, id, 'approve')
    expect(await statusOf(id)).toBe('finish')
  })

  test('is refused only with a comment, and later steps are skipped', async () => {
    const id = await submitted(leave({ days: 10 }))
    expect((await handle(teacher, id, 'refuse')).fields).toEqual({ comment: '必填' })
    await handle(teacher, id, 'refuse', { comment: '材料不全' })
    expect(await statusOf(id)).toBe('break')
    expect((await staff(tasks.read, { params: { id } })).status).toBe(404)
    expect((await handle(teacher, id, 'approve')).error).toBe('task.handled')
  })

  test('submitted by a head is decided by the head above', async () => {
    const id = await submitted(leave(), { who: teacher })
    expect(await actionsOf(teacher, id)).toEqual([])
    expect(await actionsOf(admin, id)).toContain('approve')
    await handle(admin, id, 'approve')
  })

  test('can be returned to the applicant, changed and approved', async () => {
    const id = await submitted()
    await handle(teacher, id, 'return', { comment: '请附病历' })
    expect(await student(applications.read, { params: { id } })).toMatchObject({
      data: { status: 'returned', comment: '请附病历' },
    })
    expect((await read(student, id)).waits).toBe(true)
    const answer = await student(applications.update, {
      params: { id },
      body: {
        version: await versionOf('leave'),
        data: leave({ reason: '发烧，已补病历' }),
        submit: true,
      },
    })
    expect(answer.data.status).toBe('progress')
    expect((await read(student, id)).waits).toBe(false)
    expect(await actionsOf(teacher, id)).toContain('approve')
    await handle(teacher, id, 'approve')
    expect(await statusOf(id)).toBe('finish')
  })

  test('can be returned to an earlier step', async () => {
    const id = await submitted(leave({ days: 7 }))
    await handle(teacher, id, 'approve')
    const answer = await handle(staff, id, 'return', {
      comment: '请再核实',
      form: { to: 'head' },
    })
    expect(answer.status).toBe(200)
    expect(await actionsOf(teacher, id)).toContain('approve')
    await handle(teacher, id, 'approve')
    await handle(staff, id, 'approve')
    expect(await statusOf(id)).toBe('finish')
  })

  test('supports questions, hand-on, added signers and circulation', async () => {
    const id = await submitted()
    await handle(teacher, id, 'ask', { comment: '哪天回来？' })
    expect(await actionsOf(teacher, id)).toEqual([])
    expect((await handle(student, id, 'answer', { comment: '周三' })).status).toBe(200)
    const self = await handle(teacher, id, 'hand-on', { form: { person: 'teacher' } })
    expect(self.fields).toEqual({ 'form.person': '不在可选值中' })
    const applicant = await handle(teacher, id, 'hand-on', { form: { person: 'student' } })
    expect(applicant.fields).toEqual({ 'form.person': '不在可选值中' })
    await handle(teacher, id, 'circulate', { form: { person: 'admin' } })
    expect((await read(admin, id)).unread).toBe(true)
    await handle(teacher, id, 'add-signer', { form: { person: 'staff' } })
    expect(await actionsOf(staff, id)).toEqual(['agree', 'disagree'])
    await handle(staff, id, 'disagree', { comment: '建议补材料' })
    await handle(teacher, id, 'hand-on', { form: { person: 'staff' } })
    await handle(staff, id, 'approve')
    expect(await statusOf(id)).toBe('finish')
    expect((await recordsOf(id)).map(([person, , action]) => `${person} ${action}`)).toEqual([
      '周明远 提问',
      '林知夏 答复',
      '周明远 加签',
      '陈思齐 不同意',
      '周明远 转办',
      '陈思齐 同意',
    ])
  })

  test('can be withdrawn once until it is decided, only by the applicant', async () => {
    const id = await submitted()
    const foreign = await teacher(applications.withdraw, { params: { id } })
    expect(foreign.error).toBe('application.not_found')
    expect((await student(applications.withdraw, { params: { id } })).data.status).toBe('break')
    expect((await teacher(tasks.read, { params: { id } })).status).toBe(404)
    const again = await student(applications.withdraw, { params: { id } })
    expect(again.error).toBe('application.over')
    const decided = await submitted()
    await handle(teacher, decided, 'approve')
    const late = await student(applications.withdraw, { params: { id: decided } })
    expect(late.error).toBe('application.over')
    expect(await statusOf(decided)).toBe('finish')
  })

  test('is created once by concurrent saves with the same key', async () => {
    const version = await versionOf('leave')
    const body = { key: 'twice-and-again', code: 'leave', version, data: leave(), submit: true }
    const answers = await Promise.all([1, 2, 3].map(() => student(applications.save, { body })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  })

  test('two concurrent approvals count as one decision', async () => {
    const form = {
      ...forms.room,
      name: '两人',
      steps: [
        {
          ...(forms.room?.steps[1] as object),
          code: 'two',
          approvers: ['staff', 'admin'].map((target) => ({ kind: 'account', target })),
        },
        {
          ...(forms.room?.steps[1] as object),
          code: 'last',
          approvers: [{ kind: 'account', target: 'teacher' }],
        },
      ],
    }
    const created = await admin(applicationForms.put, { params: { code: 'two' }, body: form })
    expect(created.status).toBe(200)
    const data = { room: 'meeting', day: '2026-12-01', time: '9:00', people: 3, purpose: '组会' }
    for (let round = 0; round < 5; round++) {
      const id = await submitted(data, { code: 'two' })
      const both = await Promise.all([handle(staff, id, 'approve'), handle(admin, id, 'approve')])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from application_step where task_id = ${id} and stage = 1`.execute(
        app.platform.db,
      )
      expect(rows[0]?.count).toBe(1)
    }
  })

  test('a step with several required approvers waits for all of them', async () => {
    const form = {
      ...forms.room,
      steps: [
        {
          ...(forms.room?.steps[1] as object),
          decide: 'all',
          approvers: ['staff', 'admin'].map((target) => ({ kind: 'account', target })),
        },
      ],
    }
    await admin(applicationForms.put, { params: { code: 'both' }, body: form })
    const data = { room: 'meeting', day: '2026-12-01', time: '9:00', people: 3, purpose: '组会' }
    const id = await submitted(data, { code: 'both' })
    await handle(staff, id, 'approve')
    expect(await statusOf(id)).toBe('progress')
    await handle(admin, id, 'approve')
    expect(await statusOf(id)).toBe('finish')
  })

  test('deciding actions of a confirm step require a recent password confirmation', async () => {
    const form = {
      ...forms.room,
      steps: [
        {
          ...(forms.room?.steps[1] as object),
          confirm: true,
          approvers: [{ kind: 'account', target: 'staff' }],
        },
      ],
    }
    await admin(applicationForms.put, { params: { code: 'proof' }, body: form })
    const data = { room: 'meeting', day: '2026-12-01', time: '9:00', people: 3, purpose: '组会' }
    const id = await submitted(data, { code: 'proof' })
    const asking = (await read(staff, id)).actions.filter(({ confirm }) => confirm)
    expect(asking.map(({ code }) => code)).toEqual(['approve', 'refuse', 'return'])
    await sql`update session set confirmed_at = confirmed_at - interval '11 minutes'`.execute(
      app.platform.db,
    )
    expect((await handle(staff, id, 'approve')).error).toBe('session.confirmation_due')
    await staff(account.confirm, { body: { password: 'Atrium-demo-2026' } })
    expect((await handle(staff, id, 'approve')).status).toBe(200)
    expect(await statusOf(id)).toBe('finish')
  })
})

describe('a draft', () => {
  test('accepts incomplete data, is listed as a draft and deleted by its owner', async () => {
    const { data } = await apply({ kind: 'sick', days: 'x', secret: 1 }, { submit: false })
    expect(data).toMatchObject({ status: 'draft', data: { kind: 'sick', days: 'x' } })
    expect(data.data).not.toHaveProperty('secret')
    const drafts = async () =>
      (await student(tasks.list, { query: { level: 'myDraft' } })).data.list.map(({ id }) => id)
    expect(await drafts()).toContain(data.id)
    const foreign = await teacher(applications.remove, { params: { id: data.id } })
    expect(foreign.error).toBe('application.not_found')
    expect((await student(applications.remove, { params: { id: data.id } })).status).toBe(200)
    expect(await drafts()).not.toContain(data.id)
  })

  test.each([
    ['text in a table field', { items: 'x' }, { 'data.items': '类型不对' }],
    ['an object in a cell', { items: [{ what: { a: 1 } }] }, { 'data.items.0.what': '类型不对' }],
    ['an object in a text field', { subject: { a: 1 } }, { 'data.subject': '类型不对' }],
  ])('with %s is rejected with an error per field', async (_, data, fields) => {
    const answer = await apply(data, { who: teacher, code: 'expenses', submit: false })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid', fields })
  })

  test('of a changed form must be submitted with its new version and keeps what still fits', async () => {
    const form = structuredClone(forms.room) as NonNullable<typeof forms.room>
    const put = () => admin(applicationForms.put, { params: { code: 'changing' }, body: form })
    await put()
    const filled = { room: 'hall', day: '2026-12-01', time: '9:00', people: 3, purpose: '讲座' }
    const draft = await apply(filled, { code: 'changing', submit: false })
    const running = await submitted(filled, { code: 'changing' })
    delete (form.schema.properties as Record<string, unknown>).purpose
    form.schema.required = form.schema.required.filter((name) => name !== 'purpose')
    form.steps = [form.steps[1] as never]
    expect((await put()).data.version).toBe(2)
    const submit = (version: number) =>
      student(applications.update, {
        params: { id: draft.data.id },
        body: { version, data: filled, submit: true },
      })
    expect((await submit(1)).error).toBe('application.form_changed')
    const now = (await student(applications.read, { params: { id: draft.data.id } })).data
    expect(now).toMatchObject({ hasChanged: true, blank: { version: 2 }, data: { room: 'hall' } })
    expect(now.data).not.toHaveProperty('purpose')
    expect((await submit(2)).data.status).toBe('progress')
    // A running application keeps its version: the head still decides first.
    expect(await actionsOf(teacher, running)).toContain('approve')
    expect(await put()).toMatchObject({ data: { version: 2 } })
  })
})

describe('overdue and orphaned steps', () => {
  test('an overdue step is also assigned to the head above, once', async () => {
    const id = await submitted()
    await sql`update task_step set due_at = now() - interval '1 hour' where task_id = ${id}`.execute(
      app.platform.db,
    )
    const work = async () => {
      for (const broken of await listBroken(app.platform.db))
        await app.platform.db.transaction().execute((db) => repairApplication(db, broken))
    }
    await work()
    expect(await actionsOf(admin, id)).toContain('approve')
    expect(await actionsOf(teacher, id)).toContain('approve')
    await work()
    const { rows } = await sql`select from task_step where task_id = ${id}`.execute(app.platform.db)
    expect(rows).toHaveLength(2)
    await handle(admin, id, 'approve')
    expect(await statusOf(id)).toBe('finish')
  })

  test('a step of a disabled approver is reassigned', async () => {
    const { db } = app.platform
    const id = await submitted(leave({ days: 8 }))
    await handle(teacher, id, 'approve')
    await sql`update account set status = 'disabled' where username = 'staff'`.execute(db)
    expect(await listBroken(db)).toContain(id)
    await db.transaction().execute((db) => repairApplication(db, id))
    await sql`update account set status = 'active' where username = 'staff'`.execute(db)
    expect(await actionsOf(admin, id)).toContain('approve')
    expect(await listBroken(db)).not.toContain(id)
  })
})

test('only operators set the heads of organisations, within their scope', async () => {
  const put = (caller: Caller, organization: string, heads: string[]) =>
    caller(organizationHeads.put, { params: { organization }, body: { heads } })
  expect((await put(student, 'CS01', ['student'])).status).toBe(403)
  expect((await put(admin, 'CS01', ['nobody'])).fields).toEqual({ 'heads.0': '不存在' })
  expect((await put(admin, 'NONE', [])).fields).toEqual({ organization: '不存在' })
  expect((await put(admin, 'CS01', ['Teacher', 'staff'])).data.heads).toEqual(['staff', 'teacher'])
  const listed = async () => (await admin(organizationHeads.list, {})).data
  expect(await listed()).toContainEqual(
    expect.objectContaining({ organization: 'CS01', heads: ['staff', 'teacher'] }),
  )
  const { db, topics } = app.platform
  const { id } = await db
    .selectFrom('account')
    .select('id')
    .where('username', '=', 'teacher')
    .executeTakeFirstOrThrow()
  const computing = await db
    .selectFrom('organization')
    .select('id')
    .where('code', '=', 'CS01')
    .executeTakeFirstOrThrow()
  await insertGrants(db, id, ['identity'], computing.id)
  await topics.flushed()
  // A scoped operator only sees and changes their part.
  expect(
    (await teacher(organizationHeads.list, {})).data.map(({ organization }) => organization),
  ).toEqual(['CS01'])
  expect((await put(teacher, 'MA', ['teacher'])).fields).toEqual({ organization: '不存在' })
  expect((await put(teacher, 'CS01', ['staff'])).data.heads).toEqual(['staff'])
  await db.deleteFrom('operator_grant').where('account_id', '=', id).execute()
  await topics.flushed()
  await put(admin, 'CS01', [])
  expect((await listed()).map(({ organization }) => organization)).not.toContain('CS01')
})

test('operators can preview the approvers without creating an application', async () => {
  const answer = await admin(applicationForms.try, {
    params: { code: 'leave' },
    body: { username: 'student', data: leave({ days: 4 }) },
  })
  expect(answer.data).toEqual([
    { step: '院系审批', applies: true, approvers: ['teacher'] },
    { step: '教务处备案', applies: true, approvers: ['staff'] },
  ])
  const student = await app.as('student')
  expect((await student(applicationForms.list, {})).status).toBe(403)
})

test('a form stored without an English title keeps its version and its titles', async () => {
  const put = (fields: object) =>
    admin(applicationForms.put, { params: { code: 'old' }, body: fields as never })
  await put(forms.leave as object)
  // As an older version stored it.
  await sql`update application_form_version
    set definition = regexp_replace(definition::text, '"titleEn":"[^"]*",', '')::json
    where form_id = (select id from application_form where code = 'old')`.execute(app.platform.db)
  expect(
    (await admin(applicationForms.list, {})).data.find(({ code }) => code === 'old'),
  ).toMatchObject({ version: 1, titleEn: '' })
  const id = await submitted(leave(), { code: 'old' })
  expect(await read(teacher, id)).toMatchObject({
    title: '请假：病假 2 天（2026-12-01 起）',
    titleEn: '',
  })
  expect((await put({ ...forms.leave, titleEn: '' })).data.version).toBe(1)
  expect((await put({ ...forms.leave, title: '', titleEn: '' })).data.version).toBe(2)
  const untitled = await submitted(leave(), { code: 'old' })
  expect(await read(teacher, untitled)).toMatchObject({ title: '请假', titleEn: 'Leave' })
})
