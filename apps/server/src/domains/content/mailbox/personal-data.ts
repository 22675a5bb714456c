import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const mailboxPersonalData: PersonalData = {
  letter: {
    column: 'account_id',
    also: ['answerer_account_id'],
    title: { zh: '给部门的来信', en: 'Letters to departments' },
    rows: (owner) => sql`
      select jsonb_build_object('mailbox', m.name, 'title', l.title, 'content', l.content, 'answer', l.answer,
        'published', l.published_at is not null, 'created_at', l.created_at) as row
      from letter l join mailbox m on m.id = l.mailbox_id where l.account_id = ${accountsOf(owner)} order by l.id`,
    closing: 'delete',
  },
}
