import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const schedulePersonalData: PersonalData = {
  calendar: {
    column: 'owner_account_id',
    title: { zh: '我的日程', en: 'Own calendars' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name, 'title', e.title, 'location', e.location, 'description', e.description,
        'starts_local', e.starts_local, 'minutes', e.minutes, 'time_zone', e.time_zone, 'repeats', e.rrule) as row
      from calendar c join event e on e.calendar_id = c.id
      where c.owner_account_id = ${accountsOf(owner)} order by e.starts_local`,
    closing: 'delete',
  },
  calendar_subscription: {
    column: 'account_id',
    title: { zh: '订阅的日历', en: 'Subscribed calendars' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name) as row
      from calendar_subscription s join calendar c on c.id = s.calendar_id where s.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
}
