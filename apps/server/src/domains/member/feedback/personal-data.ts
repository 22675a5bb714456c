import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const feedbackPersonalData: PersonalData = {
  feedback: {
    column: 'account_id',
    title: { zh: '意见反馈', en: 'Feedback' },
    rows: (owner) => sql`
      select jsonb_build_object('kind', kind.name, 'service', service.name, 'content', f.content, 'place', f.place,
        'latitude', f.latitude, 'longitude', f.longitude,
        'contact', f.contact, 'state', f.state, 'score', f.score, 'score_comment', f.score_comment,
        'published', f.published_at is not null, 'created_at', f.created_at,
        'photos', (select count(*) from feedback_photo p where p.feedback_id = f.id),
        'lines', (select jsonb_agg(jsonb_build_object('author', l.author, 'text', l.text, 'created_at', l.created_at) order by l.id)
          from feedback_line l where l.feedback_id = f.id)) as row
      from feedback f left join feedback_kind kind on kind.id = f.kind_id left join service on service.id = f.service_id
      where f.account_id = ${accountsOf(owner)} order by f.id`,
    closing: 'delete',
  },
  feedback_line: {
    column: 'account_id',
    title: { zh: '你对反馈的答复', en: 'Feedback you answered' },
    rows: (owner) => sql`
      select jsonb_build_object('text', text, 'created_at', created_at) as row
      from feedback_line where account_id = ${accountsOf(owner)} order by id`,
    // The answer belongs to the department, whoever wrote it.
    closing: {
      anonymise: (owner) =>
        sql`update feedback_line set account_id = null where account_id = ${accountsOf(owner)}`,
    },
  },
  feedback_upload: {
    column: 'account_id',
    untold: 'files of the feedback above, and of none for a day',
    // The feedback is deleted; the job removes its uploads.
    closing: {
      anonymise: (owner) =>
        sql`update feedback_upload set account_id = null where account_id = ${accountsOf(owner)}`,
    },
  },
}
