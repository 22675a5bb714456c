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
export type Running = {
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
export type Flow = { db: Db; one: Running; form: ApplicationFormFields; applicant: Applicant }

export async function flowOf(db: Db, one: Running): Promise<Flow> {
  const form = await getDefinition(db, one.formId, one.version)
  const applicant = one.accountId ? await findApplicant(db, one.accountId) : undefined
  return {
    db,
    one,
    form,
    // The applicant's account no longer exists, so their organisation is unknown.
    applicant: applicant ?? { accountId: '0', personId: '0', name: '', organizationPath: [] },
  }
}

/** The actions offered by a kind of step; `return` asks for a target only if there are earlier steps. */
function actionsOf({ form, one }: Flow, kind: StepKind): TaskAction[] {
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
  const before = form.steps.slice(0, one.stage)
  // Confirmation is required for decisions only.
  const proof = form.steps[one.stage]?.confirm ? { confirm: true } : {}
  return [
    action('approve', ['同意', 'Approve'], { tone: 'primary', ...proof }),
    action('refuse', ['不同意', 'Refuse'], { tone: 'danger', comment: 'required', ...proof }),
    action('return', ['退回', 'Send back'], {
      comment: 'required',
      ...proof,
      fields:
        before.length === 0
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
                  ...before.map(({ code, name, nameEn }) => ({
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

/** Assigns a step to people and notifies them. */
export async function open(
  flow: Flow,
  people: readonly Person[],
  { kind, name, backTo }: { kind: StepKind; name: string; backTo?: string },
) {
  const { db, one, form, applicant } = flow
  if (people.length === 0) return
  const hours = kind === 'decide' ? (form.steps[one.stage]?.hours ?? null) : null
  const steps = await db
    .insertInto('task_step')
    .values(
      people.map((person) => ({
        task_id: one.taskId,
        account_id: person.id,
        person_name: person.name,
        kind: 'handle',
        name,
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
        task_id: one.taskId,
        stage: one.stage,
        round: one.round,
        kind,
        back_to_account_id: backTo ?? null,
      })),
    )
    .execute()
  await syncDelegated(db, { tasks: [one.taskId] })
  const accounts = people.map(({ id }) => id)
  await announce(db, { kind: 'inbox', key: accounts.join(',') })
  const title = await titleOf(db, one.taskId)
  if (kind === 'revise' || kind === 'answer') return
  const words =
    kind === 'escalated'
      ? { zh: `审批超时，请处理：${title}`, en: `A decision is overdue: ${title}` }
      : kind === 'sign'
        ? { zh: `征求你的意见：${title}`, en: `Your opinion is asked for: ${title}` }
        : { zh: `等你审批：${title}`, en: `Waiting for your decision: ${title}` }
  await sendMessage(db, {
    kind: applicationMessages.kinds[kind === 'escalated' ? 'escalated' : 'asked'],
    to: { accounts },
    title: words,
    summary: {
      zh: `${applicant.name} · ${form.name}`,
      en: `${applicant.name} · ${form.nameEn || form.name}`,
    },
    url: detailPage(one.taskId),
  })
}

export async function titleOf(db: Db, taskId: string) {
  const { title } = await db
    .selectFrom('task')
    .select('title')
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  return title
}

/** The open application steps of a task. */
export async function listOpen(db: Db, taskId: string) {
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
export async function close(db: Db, steps: readonly { id: string; accountId: string | null }[]) {
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
export const closeAll = async ({ db, one }: Flow) => close(db, await listOpen(db, one.taskId))
