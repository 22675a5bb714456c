import type { FormData } from '@atrium/contract/work/applications'
import type { ApplicationFormFields } from '@atrium/contract/work/applications.operator'
import type { TaskAction } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import { syncDelegated } from '#domains/work/tasks/delegated-steps.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { type Applicant, findApplicant, type Person } from './approvers.ts'
import { getDefinition } from './forms.ts'
import { applicationMessages, detailPage } from './messages.ts'

export type StepKind = 'decide' | 'escalated' | 'sign' | 'answer' | 'revise'
export type RunningApplication = {
  taskId: string
  formId: string
  version: number
  accountId: string | null
  data: FormData
  status: string
  stage: number
  round: number
}

/** Everything needed to run an application; its form definition never changes while it runs. */
export type Flow = {
  db: Db
  application: RunningApplication
  form: ApplicationFormFields
  applicant: Applicant
}

export async function loadFlow(db: Db, application: RunningApplication): Promise<Flow> {
  const form = await getDefinition(db, application.formId, application.version)
  const applicant = application.accountId
    ? await findApplicant(db, application.accountId)
    : undefined
  return {
    db,
    application,
    form,
    // The applicant's account no longer exists, so their organisation is unknown.
    applicant: applicant ?? { accountId: '0', personId: '0', name: '', organizationPath: [] },
  }
}

/** The actions offered by a kind of step; `return` asks for a target only if there are earlier steps. */
function actionsOf({ form, application }: Flow, kind: StepKind): TaskAction[] {
  const action = (
    code: string,
    [text, textEn]: [string, string],
    more: Partial<TaskAction> = {},
  ): TaskAction => ({ code, text, textEn, tone: 'plain', comment: 'optional', fields: [], ...more })
  const person = { name: 'person', label: '办理人', labelEn: 'Person', kind: 'person' as const }
  const fields = [{ ...person, required: true, choices: [] }]
  if (kind === 'revise') return []
  if (kind === 'answer')
    return [action('answer', ['答复', 'Answer'], { tone: 'primary', comment: 'required' })]
  if (kind === 'sign')
    return [
      action('agree', ['同意', 'Agree'], { tone: 'primary' }),
      action('disagree', ['不同意', 'Disagree'], { comment: 'required' }),
    ]
  const earlierSteps = form.steps.slice(0, application.stage)
  // Confirmation is required for decisions only.
  const confirmation = form.steps[application.stage]?.confirm ? { confirm: true } : {}
  return [
    action('approve', ['同意', 'Approve'], { tone: 'primary', ...confirmation }),
    action('refuse', ['不同意', 'Refuse'], {
      tone: 'danger',
      comment: 'required',
      ...confirmation,
    }),
    action('return', ['退回', 'Send back'], {
      comment: 'required',
      ...confirmation,
      fields:
        earlierSteps.length === 0
          ? []
          : [
              {
                name: 'to',
                label: '退回到',
                labelEn: 'To',
                kind: 'choice',
                required: true,
                choices: [
                  { value: applicantCode, text: '申请人', textEn: 'The applicant' },
                  ...earlierSteps.map(({ code, name, nameEn }) => ({
                    value: code,
                    text: name,
                    textEn: nameEn,
                  })),
                ],
              },
            ],
    }),
    action('ask', ['提问', 'Ask back'], { comment: 'required' }),
    action('hand-on', ['转办', 'Hand on'], { fields }),
    action('add-signer', ['加签', 'Ask for an opinion'], { fields }),
    action('circulate', ['传阅', 'Circulate'], { comment: 'none', fields }),
  ]
}
/** Cannot collide with step codes, which are lower-case letters, digits and dashes. */
const applicantCode = 'APPLICANT'

type StepNames = { name: string; nameEn: string }

/** Assigns a step to people and notifies them. */
export async function openSteps(
  flow: Flow,
  people: readonly Person[],
  { kind, name, nameEn, backTo }: StepNames & { kind: StepKind; backTo?: string },
) {
  const { db, application, form, applicant } = flow
  if (people.length === 0) return
  const hours = kind === 'decide' ? (form.steps[application.stage]?.hours ?? null) : null
  const steps = await db
    .insertInto('task_step')
    .values(
      people.map((person) => ({
        task_id: application.taskId,
        account_id: person.id,
        person_name: person.name,
        kind: 'handle',
        name,
        name_en: nameEn,
        actions: JSON.stringify(actionsOf(flow, kind)),
        due_at: hours === null ? null : sql<string>`now() + make_interval(hours => ${hours})`,
      })),
    )
    .returning('id')
    .execute()
  await db
    .insertInto('application_step')
    .values(
      steps.map(({ id }) => ({
        step_id: id,
        task_id: application.taskId,
        stage: application.stage,
        round: application.round,
        kind,
        back_to_account_id: backTo ?? null,
      })),
    )
    .execute()
  await syncDelegated(db, { tasks: [application.taskId] })
  const accounts = people.map(({ id }) => id)
  await announce(db, { kind: 'inbox', key: accounts.join(',') })
  const title = await getTaskTitle(db, application.taskId)
  if (kind === 'revise' || kind === 'answer') return
  const messageTitle =
    kind === 'escalated'
      ? { zh: `审批超时，请处理：${title.zh}`, en: `A decision is overdue: ${title.en}` }
      : kind === 'sign'
        ? { zh: `征求你的意见：${title.zh}`, en: `Your opinion is requested: ${title.en}` }
        : { zh: `等你审批：${title.zh}`, en: `Waiting for your decision: ${title.en}` }
  await sendMessage(db, {
    kind: applicationMessages.kinds[kind === 'escalated' ? 'escalated' : 'asked'],
    to: { accounts },
    title: messageTitle,
    summary: {
      zh: `${applicant.name} · ${form.name}`,
      en: `${applicant.name} · ${form.nameEn || form.name}`,
    },
    url: detailPage(application.taskId),
  })
}

/** The title of a task in both languages. */
export async function getTaskTitle(db: Db, taskId: string) {
  const { title, title_en } = await db
    .selectFrom('task')
    .select(['title', 'title_en'])
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  return { zh: title, en: title_en || title }
}

/** The open application steps of a task. */
export async function listOpenSteps(db: Db, taskId: string) {
  const { rows } = await sql<{
    id: string
    accountId: string | null
    kind: StepKind
    late: boolean
  }>`
    select step.id, step.account_id as "accountId", part.kind,
      coalesce(step.due_at < now(), false) as late
    from task_step step join application_step part on part.step_id = step.id
    where step.task_id = ${taskId} and step.done_at is null and step.kind = 'handle'`.execute(db)
  return rows
}

/** Deletes open steps that no longer need a decision. */
export async function closeSteps(
  db: Db,
  steps: readonly { id: string; accountId: string | null }[],
) {
  if (steps.length === 0) return
  await db
    .deleteFrom('task_step')
    .where(
      'id',
      'in',
      steps.map(({ id }) => id),
    )
    .execute()
  const accounts = steps.flatMap(({ accountId }) => accountId ?? [])
  if (accounts.length > 0) await announce(db, { kind: 'inbox', key: accounts.join(',') })
}
export const closeOpenSteps = async ({ db, application }: Flow) =>
  closeSteps(db, await listOpenSteps(db, application.taskId))
