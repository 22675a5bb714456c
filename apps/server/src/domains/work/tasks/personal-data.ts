import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const tasksPersonalData: PersonalData = {
  task: {
    column: 'applicant_account_id',
    title: { zh: '我发起的事项', en: 'Tasks begun' },
    hide: ['id', 'applicant_account_id', 'url'],
    closing: { keep: 'a task is a record of the institution’s business' },
  },
  task_step: {
    column: 'account_id',
    also: ['sent_by_account_id', 'acted_by_account_id'],
    title: { zh: '我处理的事项', en: 'Tasks handled' },
    rows: (owner) => sql`
      select jsonb_build_object('title', t.title, 'name', s.name, 'action', s.action, 'comment', s.comment,
        'created_at', s.created_at, 'done_at', s.done_at) as row
      from task_step s join task t on t.id = s.task_id where s.account_id = ${accountsOf(owner)} order by s.id`,
    closing: { keep: 'who decided what is part of the institution’s business' },
  },
  task_outcome: {
    column: 'account_id',
    title: { zh: '我办理时填写的内容', en: 'What was filled in when handling tasks' },
    hide: [
      'id',
      'key',
      'request_key',
      'task_id',
      'step_id',
      'step_key',
      'account_id',
      'failures',
      'due_at',
    ],
    closing: { keep: 'who decided what is part of the institution’s business' },
  },
  task_count: {
    column: 'account_id',
    untold: 'how many the tasks above are',
    closing: 'delete',
  },
  task_group: {
    column: 'account_id',
    title: { zh: '我的事项分组', en: 'Groups of tasks' },
    hide: ['id', 'account_id'],
    closing: 'delete',
  },
  task_in_group: {
    column: 'account_id',
    untold: 'which tasks the groups above hold',
    closing: 'delete',
  },
  task_setting: {
    column: 'account_id',
    title: { zh: '待办提醒设置', en: 'Reminders of tasks' },
    hide: ['account_id'],
    closing: 'delete',
  },
  task_phrases: {
    column: 'account_id',
    title: { zh: '我的办理常用语', en: 'Your phrases for handling tasks' },
    hide: ['account_id'],
    closing: 'delete',
  },
}
