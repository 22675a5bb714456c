import type { TaskAction } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { requireConfirmation } from '#domains/identity/identity/confirmation.ts'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { announceInboxes, closeDelegated, isEffective, syncDelegated } from './delegated-steps.ts'
import { taskEngines } from './engines.ts'
import { checkFiles, type FilesByField, insertFiles } from './handled-files.ts'
import { detailPage, taskMessages } from './messages.ts'
import { findTask } from './queries.ts'

export type HandleRequest = {
  action: string
  comment: string
  form?: Record<string, string> | undefined
  files?: FilesByField | undefined
  /** the client's id of the call, to detect repeats */
  key?: string | undefined
}

/**
 * Handles a task as the member chose: their step is completed immediately, the source is notified right after. Call in
 * a transaction.
 * @throws task.not_found, task.handled, task.action_unknown, request.invalid, session.confirmation_due, file.held
 */
export async function handleTask(db: Db, viewer: Member, taskId: string, request: HandleRequest) {
  const { accountId } = viewer
  const { action, comment, form = {}, files = {}, key } = request
  // Serialises concurrent handling of the task.
  await db.selectFrom('task').select('id').where('id', '=', taskId).forUpdate().execute()
  const step = await db
    .selectFrom('task_step')
    .innerJoin('task', 'task.id', 'task_step.task_id')
    .leftJoin('task_step as original', 'original.id', 'task_step.for_step_id')
    .select([
      'task_step.id',
      'task_step.for_step_id',
      'task_step.actions',
      'original.done_at as original_done_at',
      'original.account_id as owner_id',
      sql<string | null>`coalesce(original.step_key, task_step.step_key)`.as('step_key'),
      'task.source_id',
      'task.engine',
      'task.status',
    ])
    .where('task_step.task_id', '=', taskId)
    .where('task_step.account_id', '=', accountId)
    .where('task_step.kind', '=', 'handle')
    .where('task_step.done_at', 'is', null)
    .where(isEffective('task_step'))
    .orderBy('task_step.id')
    .limit(1)
    .forUpdate('task_step')
    .executeTakeFirst()
  // Checked after the lock, because a call with the same key may have come first.
  if (key && (await wasHandled(db, accountId, taskId, key))) return
  const actions = step?.actions as TaskAction[] | undefined
  // A suspended task offers no actions.
  const chosen =
    step?.status === 'progress' ? actions?.find(({ code }) => code === action) : undefined
  if (action === 'read' && !chosen) return markRead(db, accountId, taskId)
  // The step's owner may have just handled it.
  if (!step || step.original_done_at)
    fail((await findTask(db, accountId, taskId)) ? 'task.handled' : 'task.not_found')
  if (!chosen) fail('task.action_unknown')
  const issues = findIssues(chosen, comment, form)
  if (Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
  await checkPeople(db, accountId, chosen, form)
  const attached = await checkFiles(db, viewer, chosen, files)
  if (chosen.confirm) await requireConfirmation(db, viewer)
  const taken = {
    action: chosen.text,
    action_en: chosen.textEn,
    tone: chosen.tone,
    comment: comment.trim(),
  }
  await db
    .updateTable('task_step')
    .set({ done_at: sql<string>`now()`, ...taken })
    .where('id', '=', step.id)
    .execute()
  const stepId = step.for_step_id ?? step.id
  if (step.for_step_id) await completeForOwner(db, accountId, step.for_step_id, taken)
  await closeDelegated(db, stepId)
  // Discard the digest, so that the next put from the source is processed even if unchanged.
  await db.updateTable('task').set({ source_digest: null }).where('id', '=', taskId).execute()
  const outcome = await db
    .insertInto('task_outcome')
    .values({
      request_key: key ?? null,
      task_id: taskId,
      step_id: stepId,
      step_key: step.step_key,
      account_id: accountId,
      action,
      action_text: chosen.text,
      comment: comment.trim(),
      form: JSON.stringify(form),
      status: step.source_id === null ? 'accepted' : 'sending',
      ended_at: step.source_id === null ? sql<string>`now()` : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertFiles(db, outcome.id, attached)
  const engine = taskEngines.all().find(({ code }) => code === step.engine)
  await engine?.handled(db, {
    taskId,
    stepId,
    accountId,
    ownerId: step.owner_id ?? accountId,
    action,
    comment: comment.trim(),
    form,
  })
  await announce(db, { kind: 'inbox', key: accountId })
  if (step.source_id !== null) await announce(db, { kind: 'task-outcome', key: '' })
}

/** Values of a step that is open again. */
export const undoneStep = {
  done_at: null,
  action: '',
  action_en: '',
  tone: null,
  comment: '',
  acted_by_account_id: null,
  acted_by_name: '',
} as const

/** Completes the original step on behalf of its owner. */
async function completeForOwner(
  db: Db,
  accountId: string,
  stepId: string,
  taken: { action: string; action_en: string; tone: TaskAction['tone']; comment: string },
) {
  const { rows } = await sql<{ account_id: string | null }>`
    update task_step set done_at = now(), action = ${taken.action}, action_en = ${taken.action_en}, tone = ${taken.tone},
      comment = ${taken.comment}, acted_by_account_id = ${accountId},
      acted_by_name = (select name from person join account on account.person_id = person.id where account.id = ${accountId})
    where id = ${stepId} returning account_id`.execute(db)
  await announceInboxes(
    db,
    rows.flatMap(({ account_id }) => account_id ?? []),
  )
}

/**
 * Asks for confirmation once for a whole batch.
 * @throws session.confirmation_due if any of the tasks requires it
 */
export async function confirmBatch(
  db: Db,
  viewer: Member,
  taskIds: readonly string[],
  action: string,
) {
  const actionFilter = JSON.stringify([{ code: action, confirm: true }])
  const { rows } = await sql`
    select from task_step where account_id = ${viewer.accountId} and task_id = any(${taskIds as string[]}::bigint[])
      and kind = 'handle' and done_at is null and actions @> ${actionFilter}::jsonb limit 1`.execute(
    db,
  )
  if (rows.length > 0) await requireConfirmation(db, viewer)
}

async function wasHandled(db: Db, accountId: string, taskId: string, key: string) {
  const existing = await db
    .selectFrom('task_outcome')
    .select('task_id')
    .where('account_id', '=', accountId)
    .where('request_key', '=', key)
    .executeTakeFirst()
  if (existing && existing.task_id !== taskId) fail('request.invalid', { fields: { key: 'twice' } })
  return existing !== undefined
}

/** Marks the member's copies of a task as read. */
async function markRead(db: Db, accountId: string, taskId: string) {
  const { numUpdatedRows } = await db
    .updateTable('task_step')
    .set({ done_at: sql<string>`now()` })
    .where('task_id', '=', taskId)
    .where('account_id', '=', accountId)
    .where('kind', '=', 'circulate')
    .where('done_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n && !(await findTask(db, accountId, taskId))) fail('task.not_found')
}

function findIssues({ comment: commentRule, fields }: TaskAction, comment: string, form: object) {
  const issues: Record<string, IssueKind> = {}
  if (commentRule === 'required' && !comment.trim()) issues.comment = 'required'
  if (commentRule === 'none' && comment.trim()) issues.comment = 'undeclared'
  const unchecked = new Map<string, string>(Object.entries(form))
  for (const { name, kind, required, choices } of fields) {
    if (kind === 'files') continue
    const value = unchecked.get(name)?.trim() ?? ''
    unchecked.delete(name)
    if (!value) {
      if (required) issues[`form.${name}`] = 'required'
    } else if (kind === 'number' && !Number.isFinite(Number(value))) issues[`form.${name}`] = 'type'
    else if (kind === 'date' && !isDay(value)) issues[`form.${name}`] = 'format'
    else if (kind === 'choice' && !choices.some((choice) => choice.value === value))
      issues[`form.${name}`] = 'choice'
  }
  for (const name of unchecked.keys()) issues[`form.${name}`] = 'undeclared'
  return issues
}

/** @throws request.invalid for somebody without an open account, and for the member themselves */
async function checkPeople(
  db: Db,
  accountId: string,
  { fields }: TaskAction,
  form: Record<string, string>,
) {
  for (const { name, kind } of fields) {
    const username = form[name]?.trim().toLowerCase()
    if (kind !== 'person' || !username) continue
    const found = await db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .where('status', '<>', 'disabled')
      .executeTakeFirst()
    if (!found) fail('request.invalid', { fields: { [`form.${name}`]: 'unknown' } })
    if (found.id === accountId) fail('request.invalid', { fields: { [`form.${name}`]: 'choice' } })
  }
}

/** Whether it is an existing day such as `2026-11-24`. */
function isDay(text: string) {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/**
 * Stores the source's answer. If it refused the action, the step is reopened, unless the task has ended, and the member
 * is told the reason. Call in a transaction.
 */
export async function endOutcome(db: Db, id: string, answer: { refused?: string | undefined }) {
  const refused = answer.refused !== undefined
  // Locked before the outcome, as in `handleTask`; the task cannot end before the step is reopened.
  const task = await db
    .selectFrom('task')
    .innerJoin('task_outcome', 'task_outcome.task_id', 'task.id')
    .select(['task.title', 'task.status'])
    .where('task_outcome.id', '=', id)
    .forUpdate('task')
    .executeTakeFirst()
  const outcome = await db
    .updateTable('task_outcome')
    .set({
      status: refused ? 'refused' : 'accepted',
      reason: answer.refused ?? '',
      ended_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .returning(['task_id', 'step_id', 'account_id', 'action_text', 'reason', 'key'])
    .executeTakeFirst()
  if (!task || !outcome || !refused) return
  if (task.status === 'progress' || task.status === 'hang') {
    await db.updateTable('task_step').set(undoneStep).where('id', '=', outcome.step_id).execute()
    await syncDelegated(db, { tasks: [outcome.task_id] })
  }
  await sendMessage(db, {
    kind: taskMessages.kinds.refused,
    to: { accounts: [outcome.account_id] },
    title: {
      zh: `“${outcome.action_text}”未被接收：${task.title}`,
      en: `Not accepted: ${task.title}`,
    },
    summary: { zh: outcome.reason, en: outcome.reason },
    url: detailPage(outcome.task_id),
    source: { code: '#task-outcome', key: outcome.key },
  })
  await announce(db, { kind: 'inbox', key: outcome.account_id })
}
