import { remindBefore } from '@atrium/contract/work/task-settings'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { inSavepoint } from '#platform/database/in-savepoint.ts'
import type { Platform } from '#platform/platform.ts'
import { isEffective } from './delegated-steps.ts'
import { detailPage, listPage, taskMessages } from './messages.ts'
import { defaultReminders } from './settings.ts'

const batchSize = 1000
/** Maximum delay: after a long downtime, nobody is reminded of what was due days ago. */
const maxLateHours = 24
/** Maximum titles in one message. */
const maxTitles = 20

type DueStep = {
  step_id: string
  account_id: string
  task_id: string
  title: string
  source: string
}

/** Reminds members of to-dos that are due soon or overdue, with one message per member and kind. */
export async function sendDueReminders({ db, log }: Pick<Platform, 'db' | 'log'>) {
  for (const kind of ['due', 'overdue'] as const)
    for (let count = batchSize; count === batchSize; )
      count = await db.transaction().execute((db) => remind(db, kind, log))
}

/** @returns number of to-dos */
async function remind(db: Db, kind: 'due' | 'overdue', log: Logger): Promise<number> {
  const maxBeforeMinutes = Math.max(...remindBefore)
  const isDue =
    kind === 'due'
      ? sql`step.reminded_at is null and step.due_at > now() and step.due_at <= now() + make_interval(mins => ${maxBeforeMinutes})
          and step.due_at <= now() + make_interval(mins => coalesce(setting.before_minutes, ${defaultReminders.beforeMinutes}::integer))`
      : sql`step.overdue_at is null and step.due_at <= now() and step.due_at > now() - make_interval(hours => ${maxLateHours})
          and coalesce(setting.overdue, ${defaultReminders.overdue}::boolean)`
  const { rows } = await sql<DueStep>`
    with due as (
      select step.id from task_step step
      join task on task.id = step.task_id
      left join task_setting setting on setting.account_id = step.account_id
      where step.kind = 'handle' and step.done_at is null and step.account_id is not null and task.status = 'progress'
        and (step.snoozed_until is null or step.snoozed_until <= now()) and ${isDue} and ${isEffective('step')}
      order by step.due_at limit ${batchSize} for update of step skip locked
    ), marked as (
      update task_step set ${kind === 'due' ? sql`reminded_at` : sql`overdue_at`} = now()
      from due where task_step.id = due.id
      returning task_step.id as step_id, task_step.account_id, task_step.task_id, task_step.due_at
    )
    select marked.step_id, marked.account_id, marked.task_id, task.title, task.source
    from marked join task on task.id = marked.task_id order by marked.due_at, marked.step_id`.execute(
    db,
  )
  for (const [accountId, list] of Map.groupBy(rows, ({ account_id }) => account_id))
    await inSavepoint(
      db,
      () => notifyMember(db, kind, accountId, list),
      (error) => log.error({ err: error, accountId }, 'a reminder of tasks could not be sent'),
    )
  return rows.length
}

async function notifyMember(
  db: Db,
  kind: 'due' | 'overdue',
  accountId: string,
  list: readonly DueStep[],
) {
  const [first] = list
  if (!first) return
  const isSingle = list.length === 1
  const title =
    kind === 'due'
      ? isSingle
        ? { zh: `待办即将到期：${first.title}`, en: `Due soon: ${first.title}` }
        : { zh: `${list.length} 项待办即将到期`, en: `${list.length} tasks are due soon` }
      : isSingle
        ? { zh: `待办已逾期：${first.title}`, en: `Overdue: ${first.title}` }
        : { zh: `${list.length} 项待办已逾期`, en: `${list.length} tasks are overdue` }
  const names = list.slice(0, maxTitles).map(({ title }) => title)
  await sendMessage(db, {
    kind: taskMessages.kinds[kind],
    to: { accounts: [accountId] },
    title,
    summary: isSingle
      ? { zh: first.source, en: first.source }
      : { zh: names.join('；').slice(0, 300), en: names.join('; ').slice(0, 300) },
    url: isSingle ? detailPage(first.task_id) : listPage,
    source: { code: '#task-due', key: `${kind} ${first.step_id} ${Date.now()}` },
  })
}
