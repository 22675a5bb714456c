import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const robotPersonalData: PersonalData = {
  dialog: {
    column: 'account_id',
    title: {
      zh: '与机器人和服务台的对话',
      en: 'Conversations with the robot and the service desk',
    },
    rows: (owner) => sql`
      select jsonb_build_object('title', title, 'started_at', started_at, 'score', score, 'comment', score_comment,
        'lines', (select jsonb_agg(jsonb_build_object('author', author, 'text', text, 'at', created_at, 'helpful', helpful,
          'comment', comment) order by id) from dialog_line where dialog_id = dialog.id)) as row
      from dialog where account_id = ${accountsOf(owner)} order by id`,
    closing: 'delete',
  },
  dialog_line: {
    column: 'agent_account_id',
    title: { zh: '你在服务台的回复', en: 'Your answers at the service desk' },
    rows: (owner) => sql`
      select jsonb_build_object('text', text, 'at', created_at) as row
      from dialog_line where agent_account_id = ${accountsOf(owner)} order by id`,
    closing: {
      anonymise: (owner) => sql`
        update dialog_line set agent_account_id = null where agent_account_id = ${accountsOf(owner)}`,
    },
  },
}
