import type { FormData } from '@atrium/contract/work/applications'
import type { ApprovalStep } from '@atrium/contract/work/applications.operator'
import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import { syncDelegated } from '#domains/work/tasks/delegated-steps.ts'
import type { HandledTask } from '#domains/work/tasks/engines.ts'
import { undoneStep } from '#domains/work/tasks/handle.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import { listNamed, type Person, resolveApprovers } from './approvers.ts'
import { matchesCondition } from './check-form.ts'
import { applicationMessages, detailPage, editPage } from './messages.ts'
import {
  closeOpenSteps,
  closeSteps,
  type Flow,
  getTaskTitle,
  listOpenSteps,
  loadFlow,
  openSteps,
  type RunningApplication,
  type StepKind,
} from './steps.ts'

export const engineCode = 'applications'

/** The application with its task locked, so that decisions are serialised. Call in a transaction. */
export async function lockApplication(
  db: Db,
  taskId: string,
): Promise<RunningApplication | undefined> {
  await db.selectFrom('task').select('id').where('id', '=', taskId).forUpdate().execute()
  const row = await db
    .selectFrom('application')
    .select([
      'task_id as taskId',
      'form_id as formId',
      'version',
      'account_id as accountId',
      'data',
      'status',
      'stage',
      'round',
    ])
    .where('task_id', '=', taskId)
    .executeTakeFirst()
  return row && { ...row, data: row.data as FormData }
}

/** Opens the first step of a submitted application. Call in a transaction, with the task locked. */
export async function startApplication(db: Db, application: RunningApplication) {
  await advance(await loadFlow(db, application), 0)
}

async function advance(flow: Flow, from: number) {
  const { form, application } = flow
  const stage = form.steps.findIndex(
    ({ when }, index) =>
      index >= from && when.every((condition) => matchesCondition(condition, application.data)),
  )
  if (stage < 0) return endApplication(flow, 'finish', '')
  await goTo(flow, stage)
}

async function goTo(flow: Flow, stage: number) {
  const { db, application, form } = flow
  application.stage = stage
  application.round++
  application.status = 'progress'
  await db
    .updateTable('application')
    .set({ stage, round: application.round, status: 'progress' })
    .where('task_id', '=', application.taskId)
    .execute()
  const step = form.steps[stage]
  if (step) await openStep(flow, step)
}

/** The name of a step for those who handle it, with what is asked of them if it is not the decision. */
function namesOf({ name, nameEn }: ApprovalStep, suffix?: { zh: string; en: string }) {
  if (!suffix) return { name, nameEn }
  return { name: `${name} · ${suffix.zh}`, nameEn: nameEn && `${nameEn} · ${suffix.en}` }
}

/** Assigns a step to its approvers, or to the form's managers if there are none. */
async function openStep(flow: Flow, step: ApprovalStep) {
  const { db, applicant, form, application } = flow
  const approvers = await resolveApprovers(db, applicant, step.approvers, application.data)
  const people = approvers.length > 0 ? approvers : await listNamed(db, applicant, form.managers)
  await openSteps(flow, people, { kind: 'decide', ...namesOf(step) })
}

/** Ends the application. Call in a transaction, with the task locked. */
async function endApplication(flow: Flow, status: 'finish' | 'break', comment: string) {
  const { db, application } = flow
  await closeOpenSteps(flow)
  await setStatus(db, application.taskId, status)
  const title = await getTaskTitle(db, application.taskId)
  await notifyApplicant(flow, 'decided', {
    title:
      status === 'finish'
        ? { zh: `申请已通过：${title.zh}`, en: `Approved: ${title.en}` }
        : { zh: `申请未通过：${title.zh}`, en: `Refused: ${title.en}` },
    comment,
  })
}

async function setStatus(db: Db, taskId: string, status: 'finish' | 'break') {
  await db.updateTable('application').set({ status }).where('task_id', '=', taskId).execute()
  await db.updateTable('task').set({ status }).where('id', '=', taskId).execute()
}

async function notifyApplicant(
  { db, application }: Flow,
  kind: 'decided' | 'returned',
  { title, comment, url }: { title: { zh: string; en: string }; comment: string; url?: string },
) {
  if (!application.accountId) return
  await sendMessage(db, {
    kind: applicationMessages.kinds[kind],
    to: { accounts: [application.accountId] },
    title,
    summary: { zh: comment, en: comment },
    url: url ?? detailPage(application.taskId),
  })
}

/** Withdrawal by the applicant. Call in a transaction, with the task locked. */
export async function withdrawApplication(db: Db, application: RunningApplication) {
  await closeSteps(db, await listOpenSteps(db, application.taskId))
  await setStatus(db, application.taskId, 'break')
}

/** Restarts at the first step after the applicant's changes. Call in a transaction, with the task locked. */
export async function resumeApplication(db: Db, application: RunningApplication) {
  const { rows } = await sql<{ account_id: string }>`
    update task_step set done_at = now(), action = '重新提交', action_en = 'Submitted again', tone = 'primary'
    where task_id = ${application.taskId} and done_at is null and id in (
      select step_id from application_step where task_id = ${application.taskId} and kind = 'revise')
    returning account_id`.execute(db)
  for (const { account_id } of rows) await announce(db, { kind: 'inbox', key: account_id })
  await startApplication(db, application)
}

/** Continues the flow after a step was handled. */
export async function onHandled(
  db: Db,
  { taskId, stepId, accountId, ownerId, action, comment, form: formValues }: HandledTask,
) {
  const application = await lockApplication(db, taskId)
  const stepRow = await db
    .selectFrom('application_step')
    .select(['kind', 'back_to_account_id as backTo'])
    .where('step_id', '=', stepId)
    .executeTakeFirst()
  if (!application || !stepRow) return fail('task.action_unknown')
  const flow = await loadFlow(db, application)
  const step = flow.form.steps[application.stage] ?? fail('task.action_unknown')
  const getNamedPerson = async () => {
    const [person] = await listNamed(db, flow.applicant, [formValues.person ?? ''])
    return person ?? fail('request.invalid', { fields: { 'form.person': 'choice' } })
  }
  switch (action) {
    case 'approve':
      return approve(flow, step, stepRow.kind as StepKind)
    case 'refuse':
      return endApplication(flow, 'break', comment)
    case 'return': {
      await closeOpenSteps(flow)
      const stage = flow.form.steps.findIndex(({ code }) => code === formValues.to)
      return stage >= 0 ? goTo(flow, stage) : returnToApplicant(flow, comment)
    }
    case 'hand-on':
      return openSteps(flow, [await getNamedPerson()], { kind: 'decide', ...namesOf(step) })
    case 'add-signer':
      return openSteps(flow, [await getNamedPerson()], {
        kind: 'sign',
        ...namesOf(step, { zh: '意见', en: 'opinion' }),
        backTo: ownerId,
      })
    case 'ask':
      return askApplicant(flow, comment, ownerId)
    case 'circulate': {
      const person = await getNamedPerson()
      await circulate(db, taskId, stepId, person, accountId)
      return
    }
    // An opinion or answer: the step returns to the person who asked for it.
    case 'agree':
    case 'disagree':
    case 'answer':
      return returnToAsker(flow, step, stepRow.backTo)
  }
}

async function approve(flow: Flow, step: ApprovalStep, kind: StepKind) {
  const undecided = await listOpenSteps(flow.db, flow.application.taskId)
  const isOver = ({ kind, late }: (typeof undecided)[number]) => kind === 'escalated' || late
  // One escalated decision replaces those of all late approvers.
  if (step.decide === 'all' && kind === 'escalated')
    await closeSteps(flow.db, undecided.filter(isOver))
  const remaining = kind === 'escalated' ? undecided.filter((step) => !isOver(step)) : undecided
  if (step.decide === 'all' && remaining.length > 0) return
  await closeOpenSteps(flow)
  await advance(flow, flow.application.stage + 1)
}

async function returnToApplicant(flow: Flow, comment: string) {
  const { db, application, applicant } = flow
  await db
    .updateTable('application')
    .set({ status: 'returned' })
    .where('task_id', '=', application.taskId)
    .execute()
  const person = { id: applicant.accountId, username: '', name: applicant.name }
  if (application.accountId)
    await openSteps(flow, [person], {
      kind: 'revise',
      name: '修改申请',
      nameEn: 'Change the application',
    })
  const title = await getTaskTitle(db, application.taskId)
  await notifyApplicant(flow, 'returned', {
    title: {
      zh: `申请被退回，请修改：${title.zh}`,
      en: `Please change your application: ${title.en}`,
    },
    comment,
    url: editPage(application.taskId),
  })
}

async function askApplicant(flow: Flow, comment: string, backTo: string) {
  const { db, application, applicant } = flow
  const person = { id: applicant.accountId, username: '', name: applicant.name }
  if (!application.accountId) fail('task.action_unknown')
  await openSteps(flow, [person], {
    kind: 'answer',
    name: '答复提问',
    nameEn: 'Answer the question',
    backTo,
  })
  const title = await getTaskTitle(db, application.taskId)
  await notifyApplicant(flow, 'returned', {
    title: { zh: `审批人有问题：${title.zh}`, en: `A question about: ${title.en}` },
    comment,
  })
}

async function returnToAsker(flow: Flow, step: ApprovalStep, accountId: string | null) {
  const { db, applicant } = flow
  const asker = accountId
    ? await db
        .selectFrom('account')
        .innerJoin('person', 'person.id', 'account.person_id')
        .select(['account.id', 'account.username', 'person.name'])
        .where('account.id', '=', accountId)
        .where('account.status', '<>', 'disabled')
        .executeTakeFirst()
    : undefined
  if (!asker) return openStep(flow, step)
  if (asker.id !== applicant.accountId)
    await openSteps(flow, [asker], { kind: 'decide', ...namesOf(step) })
}

/** Sends a copy to somebody; the sender keeps the step open. */
async function circulate(db: Db, taskId: string, stepId: string, person: Person, by: string) {
  await db
    .insertInto('task_step')
    .values({
      task_id: taskId,
      account_id: person.id,
      person_name: person.name,
      kind: 'circulate',
      sent_by_account_id: by,
    })
    .execute()
  await db.updateTable('task_step').set(undoneStep).where('id', '=', stepId).execute()
  await syncDelegated(db, { tasks: [taskId] })
  await announce(db, { kind: 'inbox', key: person.id })
}

/**
 * Repairs the current step of an application: escalates late steps, reassigns those of closed accounts and those
 * without anybody. Use one transaction per application.
 */
export async function repairApplication(db: Db, taskId: string) {
  const application = await lockApplication(db, taskId)
  if (application?.status !== 'progress') return
  const flow = await loadFlow(db, application)
  const step = flow.form.steps[application.stage]
  if (!step) return
  await reassignClosedAccounts(flow, step)
  await escalate(flow, step)
}

async function reassignClosedAccounts(flow: Flow, step: ApprovalStep) {
  const { db, application } = flow
  const { rows } = await sql<{ id: string; accountId: string | null }>`
    select step.id, step.account_id as "accountId" from task_step step
    join application_step part on part.step_id = step.id left join account on account.id = step.account_id
    where step.task_id = ${application.taskId} and step.done_at is null and (account.id is null or account.status = 'disabled')`.execute(
    db,
  )
  await closeSteps(db, rows)
  if ((await listOpenSteps(db, application.taskId)).length === 0) await openStep(flow, step)
}

async function escalate(flow: Flow, step: ApprovalStep) {
  const { db, application, applicant } = flow
  const { rows } = await sql`
    update application_step part set escalated_at = now() from task_step step
    where step.id = part.step_id and part.task_id = ${application.taskId} and part.escalated_at is null
      and part.kind = 'decide' and step.done_at is null and step.due_at < now() returning part.step_id`.execute(
    db,
  )
  if (rows.length === 0 || step.escalateTo.length === 0) return
  const assigned = new Set(
    (await listOpenSteps(db, application.taskId)).map(({ accountId }) => accountId),
  )
  const people = await resolveApprovers(db, applicant, step.escalateTo, application.data)
  await openSteps(
    flow,
    people.filter(({ id }) => !assigned.has(id)),
    { kind: 'escalated', ...namesOf(step, { zh: '超时', en: 'overdue' }) },
  )
}

/** Applications that need `repairApplication`. */
export async function listBroken(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select application.task_id as id from application
    where application.status = 'progress' and (
      not exists (select from task_step step where step.task_id = application.task_id and step.done_at is null and step.kind = 'handle')
      or exists (select from application_step part join task_step step on step.id = part.step_id
        left join account on account.id = step.account_id
        where part.task_id = application.task_id and step.done_at is null
          and (account.id is null or account.status = 'disabled'
            or part.escalated_at is null and part.kind = 'decide' and step.due_at < now())))
    order by application.task_id limit 500`.execute(db)
  return rows.map(({ id }) => id)
}
