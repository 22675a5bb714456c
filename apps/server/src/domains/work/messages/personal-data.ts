import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const messagesPersonalData: PersonalData = {
  message_delivery: {
    column: 'account_id',
    title: { zh: '消息', en: 'Messages' },
    rows: (owner) => sql`
      select jsonb_build_object('title', m.title, 'content', m.content, 'variables', d.variables, 'sender', m.sender, 'sent_at', d.sent_at,
        'read_at', d.read_at, 'starred', d.starred, 'confirmed_at', d.confirmed_at, 'answer', d.answer) as row
      from message_delivery d join message m on m.id = d.message_id
      where d.account_id = ${accountsOf(owner)} order by d.sent_at desc`,
    closing: 'delete',
  },
  message_box: {
    column: 'account_id',
    untold: 'counts of the messages above',
    closing: 'delete',
  },
}
