import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const calendarExchangePersonalData: PersonalData = {
  calendar_feed: {
    column: 'account_id',
    title: { zh: '日历地址', en: 'Addresses for calendar programs' },
    hide: ['id', 'account_id', 'calendar_id', 'token_hash'],
    closing: 'delete',
  },
  calendar_source: {
    column: 'account_id',
    title: { zh: '订阅的外部日历', en: 'Calendars read from other addresses' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name, 'host', s.host, 'fetched_at', s.fetched_at, 'succeeded_at', s.succeeded_at) as row
      from calendar_source s join calendar c on c.id = s.calendar_id where s.account_id = ${accountsOf(owner)}
      order by s.calendar_id`,
    closing: 'delete',
  },
}
