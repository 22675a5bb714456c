import { sql } from 'kysely'
import type { Logger } from 'pino'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { inSavepoint } from '#platform/database/in-savepoint.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import type { Platform } from '#platform/platform.ts'
import { detailPage, todoMessages } from './messages.ts'

const batch = 200
/** Maximum delay: after a long downtime, nobody is reminded of what was due days ago. */
const maxLateHours = 24

/** Sends to-do reminders, on one node at a time. */
export function startReminders({ db, log, topics }: Platform): { stop: () => Promise<void> } {
  const queue = startDueQueue(log, {
    name: 'reminders of to-dos',
    batch,
    takeBatch: () => db.transaction().execute((db) => remind(db, log)),
    async secondsToNext() {
      const { seconds } = await db
        .selectFrom('todo_reminder')
        .select(
          sql<number | null>`extract(epoch from min(remind_at) - now())::float8`.as('seconds'),
        )
        .where('sent_at', 'is', null)
        .executeTakeFirstOrThrow()
      return seconds
    },
  })
  topics.on(({ kind }) => {
    if (kind === 'todo') queue.kick()
  })
  return queue
}

/**
 * Sends due reminders; members who have done their part are skipped. Call in a transaction.
 * @returns number of reminders that were due
 */
export async function remind(db: Db, log: Logger): Promise<number> {
  const { rows } = await sql<{
    todo_id: string
    minutes: number
    title: string
    note: string
    late: boolean
    accounts: string[]
  }>`
    with due as (
      update todo_reminder set sent_at = now() where (todo_id, minutes) in (
        select todo_id, minutes from todo_reminder where sent_at is null and remind_at <= now()
        order by remind_at limit ${batch} for update skip locked)
      returning todo_id, minutes, remind_at
    )
    select due.todo_id, due.minutes, todo.title, todo.note,
      due.remind_at < now() - make_interval(hours => ${maxLateHours}) as late,
      array(select account_id::text from todo_member where todo_member.todo_id = due.todo_id
        and done_at is null and finished_at is null order by account_id) as accounts
    from due join todo on todo.id = due.todo_id`.execute(db)
  for (const { todo_id, minutes, title, note, late, accounts } of rows)
    if (!late && accounts.length > 0)
      await inSavepoint(
        db,
        () =>
          sendMessage(db, {
            kind: todoMessages.kinds.reminder,
            to: { accounts },
            title: { zh: `待办提醒：${title}`, en: `To do: ${title}` },
            summary: { zh: note.slice(0, 200), en: note.slice(0, 200) },
            url: detailPage(todo_id),
            source: { code: '#todo-reminder', key: `${todo_id} ${minutes} ${Date.now()}` },
          }),
        (error) =>
          log.error({ err: error, todoId: todo_id }, 'a reminder of a to-do could not be sent'),
      )
  return rows.length
}
