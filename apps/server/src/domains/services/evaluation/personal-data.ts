import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const evaluationPersonalData: PersonalData = {
  evaluation: {
    column: 'account_id',
    title: { zh: '服务评价', en: 'Ratings of services' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'stars', e.stars, 'comment', e.comment, 'reply', e.reply,
        'hidden_reason', e.hidden_reason, 'updated_at', e.updated_at, 'photos', (select count(*) from evaluation_photo p where p.evaluation_id = e.id)) as row
      from evaluation e join service s on s.id = e.service_id
      where e.account_id = ${accountsOf(owner)} order by e.updated_at desc`,
    closing: 'delete',
  },
  evaluation_upload: {
    column: 'account_id',
    untold: 'files of the ratings above, and of none for a day',
    // The evaluations are deleted; a job deletes the photos they used.
    closing: {
      anonymise: (owner) =>
        sql`update evaluation_upload set account_id = null where account_id = ${accountsOf(owner)}`,
    },
  },
}
