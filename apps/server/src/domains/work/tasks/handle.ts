import type { TaskAction } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import { detailPage, taskMessages } from './messages.ts'
import { findTask } from './queries.ts'

export type Handling = {
  action: string
  comment: string
  form?: Record<string, string> | undefined
  /** the member's own id of it */
  key?: string | undefined
}

/**
 * Does what a member chose about a task: their step is done at once, the source is told right after. In a transaction.
 * @throws task.not_found, task.handled, task.action_unknown, request.invalid
 */
export async function handleTask(db: Db, accountId: string, taskId: string, handling: Handling) {
  const { action, comment, form = {}, key } = handling
  const step = await db
    .selectFrom('task_step')
    .innerJoin('task', 'task.id', 'task_step.task_id')
    .select(['task_step.id', 'task_step.step_key', 'task_step.actions', 'task.source_id'])
    .where('task_step.task_id', '=', taskId)
    .where('task_step.account_id', '=', accountId)
    .where('task_step.kind', '=', 'handle')
    .where('task_step.done_at', 'is', null)
    .orderBy('task_step.id')
    .limit(1)
    .forUpdate('task_step')
    .executeTakeFirst()
  // After the lock: a call with the same key may have come first.
  if (key && (await wasHandled(db, accountId, taskId, key))) return
  const chosen = (step?.actions as TaskAction[] | undefined)?.find(({ code }) => code === action)
  if (action === 'read' && !chosen) return markRead(db, accountId, taskId)
  if (!step) fail((await findTask(db, accountId, taskId)) ? 'task.handled' : 'task.not_found')
  if (!chosen) fail('task.action_unknown')
  const issues = issuesOf(chosen, comment, form)
  if (Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
  await db
    .updateTable('task_step')
    .set({ done_at: sql<string>`now()`, action: chosen.text, comment: comment.trim() })
    .where('id', '=', step.id)
    .execute()
  // What its source puts in next is looked at, even if nothing changed there.
  await db.updateTable('task').set({ source_digest: null }).where('id', '=', taskId).execute()
  await db
    .insertInto('task_outcome')
    .values({
      request_key: key ?? null,
      task_id: taskId,
      step_id: step.id,
      step_key: step.step_key,
      account_id: accountId,
      action,
      action_text: chosen.text,
      comment: comment.trim(),
      form: JSON.stringify(form),
      status: step.source_id === null ? 'accepted' : 'sending',
      ended_at: step.source_id === null ? sql<string>`now()` : null,
    })
    .execute()
  await announce(db, { kind: 'inbox', key: accountId })
  if (step.source_id !== null) await announce(db, { kind: 'task-outcome', key: '' })
}

async function wasHandled(db: Db, accountId: string, taskId: string, key: string) {
  const found = await db
    .selectFrom('task_outcome')
    .select('task_id')
    .where('account_id', '=', accountId)
    .where('request_key', '=', key)
    .executeTakeFirst()
  if (found && found.task_id !== taskId) fail('request.invalid', { fields: { key: 'twice' } })
  return found !== undefined
}

/** Copies of a task that a member has looked at. */
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

function issuesOf({ comment: wants, fields }: TaskAction, comment: string, form: object) {
  const issues: Record<string, IssueKind> = {}
  if (wants === 'required' && !comment.trim()) issues.comment = 'required'
  if (wants === 'none' && comment.trim()) issues.comment = 'undeclared'
  const given = new Map<string, string>(Object.entries(form))
  for (const { name, kind, required, choices } of fields) {
    const value = given.get(name)?.trim() ?? ''
    given.delete(name)
    if (!value) {
      if (required) issues[`form.${name}`] = 'required'
    } else if (kind === 'number' && !Number.isFinite(Number(value))) issues[`form.${name}`] = 'type'
    else if (kind === 'date' && !isDay(value)) issues[`form.${name}`] = 'format'
    else if (kind === 'choice' && !choices.some((choice) => choice.value === value))
      issues[`form.${name}`] = 'choice'
  }
  for (const name of given.keys()) issues[`form.${name}`] = 'undeclared'
  return issues
}

/** `2026-11-24`, and a day that there is. */
function isDay(text: string) {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** What the source answered. A refused action is to be done again, and the member reads why. In a transaction. */
export async function endOutcome(db: Db, id: string, answer: { refused?: string | undefined }) {
  const refused = answer.refused !== undefined
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
  if (!outcome || !refused) return
  await db
    .updateTable('task_step')
    .set({ done_at: null, action: '', comment: '' })
    .where('id', '=', outcome.step_id)
    .execute()
  const { title } = await db
    .selectFrom('task')
    .select('title')
    .where('id', '=', outcome.task_id)
    .executeTakeFirstOrThrow()
  await sendMessage(db, {
    kind: taskMessages.kinds.refused,
    to: { accounts: [outcome.account_id] },
    title: { zh: `“${outcome.action_text}”未被接收：${title}`, en: `Not accepted: ${title}` },
    summary: { zh: outcome.reason, en: outcome.reason },
    url: detailPage(outcome.task_id),
    source: { code: '#task-outcome', key: outcome.key },
  })
  await announce(db, { kind: 'inbox', key: outcome.account_id })
}
