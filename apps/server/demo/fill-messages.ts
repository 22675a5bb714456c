import type { Db } from '../src/platform/database/db.ts'
import { messageApps, messagesAt } from './messages.ts'
import { type Ids, insert, numbered } from './rows.ts'
import { tasksAt } from './tasks.ts'

export async function fillMessages(db: Db, today: Date, accountIds: Ids) {
  await insert(
    db,
    'message_app',
    numbered(messageApps, ({ code, name, nameEn, glyph, tone }, position) => ({
      code,
      name,
      name_en: nameEn,
      glyph,
      tone,
      position,
    })),
  )
  const appIds = new Map(messageApps.map(({ code }, at) => [code, at + 1]))
  const list = messagesAt(today).sort((one, other) => one.sentAt.getTime() - other.sentAt.getTime())
  await insert(
    db,
    'message',
    numbered(list, (message) => ({
      app_id: appIds.get(message.appCode),
      title: message.title,
      summary: message.summary,
      content: message.content,
      sender: message.sender,
      url: message.url,
      sent_at: message.sentAt,
    })),
  )
  await insert(
    db,
    'message_delivery',
    list.flatMap((message, at) =>
      message.to.map(({ username, readAt, starred }) => ({
        account_id: accountIds.get(username.toLowerCase()),
        message_id: at + 1,
        app_id: appIds.get(message.appCode),
        sent_at: message.sentAt,
        read_at: readAt,
        starred,
      })),
    ),
  )
}

export async function fillTasks(db: Db, today: Date, accountIds: Ids) {
  const list = tasksAt(today)
  const account = (username: string | undefined) =>
    username ? (accountIds.get(username.toLowerCase()) ?? null) : null
  await insert(
    db,
    'task',
    numbered(list, (task) => ({
      title: task.title,
      source: task.source,
      applicant_account_id: account(task.applicantUsername),
      applicant_name: task.applicant,
      status: task.status,
      draft: task.draft,
      urgent: task.urgent,
      note: task.note,
      form: task.form,
      url: task.url,
      created_at: task.createdAt,
      due_at: task.dueAt,
    })),
  )
  const steps = list.flatMap((task, at) => task.steps.map((step) => ({ ...step, taskId: at + 1 })))
  await insert(
    db,
    'task_step',
    numbered(steps, (step) => ({
      task_id: step.taskId,
      account_id: account(step.username),
      person_name: step.person,
      kind: step.kind,
      name: step.name,
      sent_by_account_id: account(step.sentBy),
      action: step.action,
      comment: step.comment,
      created_at: step.createdAt,
      due_at: step.dueAt,
      done_at: step.doneAt,
    })),
  )
}
