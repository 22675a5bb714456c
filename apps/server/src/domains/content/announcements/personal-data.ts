import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const announcementsPersonalData: PersonalData = {
  announcement_confirmation: {
    column: 'account_id',
    title: { zh: '确认阅读的公告', en: 'Announcements confirmed' },
    rows: (owner) => sql`
      select jsonb_build_object('announcement', a.title, 'confirmed_at', c.confirmed_at) as row
      from announcement_confirmation c join article a on a.id = c.article_id
      where c.account_id = ${accountsOf(owner)} order by c.confirmed_at`,
    closing: 'delete',
  },
}
