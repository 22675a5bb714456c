import type { Db } from '../src/platform/database/db.ts'
import { addDays, at, dayOf } from './dates.ts'
import { messageApps, messagesAt } from './messages.ts'
import { type Ids, insert, numbered } from './rows.ts'
import { actionsEnglish, stepsEnglish } from './task-words-english.ts'
import { actionsOf, tasksAt } from './tasks.ts'
import { taskSourcesEnglish, tasksEnglish } from './tasks-english.ts'

const paragraph = (text: string) => text && `<p>${text}</p>`

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
  await insert(
    db,
    'message_kind',
    numbered(messageApps, ({ urgentKind }, id) => ({
      app_id: id,
      code: 'general',
      name: '通知',
      name_en: 'General',
      channels: ['push', 'mail', 'sms', 'wecom', 'wechat'],
      default_channels: ['push'],
      can_turn_off: !urgentKind,
      urgent: urgentKind ?? false,
    })),
  )
  const appIds = new Map(messageApps.map(({ code }, place) => [code, place + 1]))
  const list = messagesAt(today).sort((one, other) => one.sentAt.getTime() - other.sentAt.getTime())
  await insert(
    db,
    'message',
    numbered(list, ({ summaryEn, ...message }) => ({
      app_id: appIds.get(message.appCode),
      kind_id: appIds.get(message.appCode),
      title: message.title,
      title_en: message.asks?.titleEn ?? message.titleEn,
      summary: message.summary,
      summary_en: message.asks?.summaryEn ?? summaryEn,
      content_en: paragraph(message.asks?.summaryEn ?? summaryEn),
      urgent: message.asks?.urgent ?? false,
      actions: message.asks?.actions ?? [],
      choices: message.asks?.choices ?? [],
      asks_confirmation: message.asks?.confirmWithin !== undefined && !message.asks.choices,
      confirm_until: message.asks?.confirmWithin
        ? at(addDays(dayOf(message.sentAt), message.asks.confirmWithin), '23:59')
        : null,
      rules: message.identities?.map((target) => ({ effect: 'include', kind: 'identity', target })),
      content: message.content,
      sender: message.sender,
      sender_en: message.senderEn,
      url: message.url,
      sent_at: message.sentAt,
    })),
  )
  await insert(
    db,
    'message_delivery',
    list.flatMap((message, place) =>
      message.to.map(({ username, readAt, starred }) => ({
        account_id: accountIds.get(username.toLowerCase()),
        message_id: place + 1,
        app_id: appIds.get(message.appCode),
        sent_at: message.sentAt,
        delivered_at: message.sentAt,
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
      title_en: tasksEnglish[task.title]?.[0] ?? '',
      source: task.source,
      source_en: taskSourcesEnglish[task.source] ?? '',
      applicant_account_id: account(task.applicantUsername),
      applicant_name: task.applicant,
      status: task.status,
      draft: task.draft,
      urgent: task.urgent,
      note: task.note,
      note_en: tasksEnglish[task.title]?.[1] ?? '',
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
      name_en: stepsEnglish[step.name] ?? '',
      sent_by_account_id: account(step.sentBy),
      action: step.action,
      action_en: actionsEnglish[step.action]?.[0] ?? '',
      tone: actionsEnglish[step.action]?.[1] ?? null,
      comment: step.comment,
      actions: actionsOf(step),
      created_at: step.createdAt,
      due_at: step.dueAt ?? (list[step.taskId - 1]?.dueAt || null),
      done_at: step.doneAt,
      // The demo's messages contain the reminders already.
      reminded_at: today,
      overdue_at: today,
    })),
  )
}
