import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const appointmentsPersonalData: PersonalData = {
  event_check_in: {
    column: 'account_id',
    title: { zh: '日程签到', en: 'Events I checked in at' },
    rows: (owner) => sql`
      select jsonb_build_object('event', e.title, 'of', c.original_local, 'at', c.at) as row
      from event_check_in c join event e on e.id = c.event_id
      where c.account_id = ${accountsOf(owner)} and c.at is not null order by c.at`,
    closing: 'delete',
  },
}
