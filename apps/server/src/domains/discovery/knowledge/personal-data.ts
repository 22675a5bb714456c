import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const knowledgePersonalData: PersonalData = {
  knowledge_question: {
    column: 'owner_account_id',
    title: { zh: '由你复核的问答', en: 'Answers you review' },
    rows: (owner) => sql`
      select jsonb_build_object('question', question, 'review_on', review_on) as row
      from knowledge_question where owner_account_id = ${accountsOf(owner)} order by id`,
    closing: {
      anonymise: (owner) => sql`
        update knowledge_question set owner_account_id = null where owner_account_id = ${accountsOf(owner)}`,
    },
  },
}
