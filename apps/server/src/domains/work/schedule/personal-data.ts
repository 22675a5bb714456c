import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const schedulePersonalData: PersonalData = {
  calendar: {
    column: 'owner_account_id',
    title: { zh: '我的日程', en: 'Own calendars' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name, 'title', e.title, 'location', e.location,
        'latitude', e.latitude, 'longitude', e.longitude, 'description', e.description,
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
  event: {
    column: 'account_id',
    title: { zh: '我在他人日历中创建的日程', en: 'Events I created in calendars of others' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name, 'title', e.title, 'starts_local', e.starts_local, 'repeats', e.rrule) as row
      from event e join calendar c on c.id = e.calendar_id
      where e.account_id = ${accountsOf(owner)} and c.owner_account_id is distinct from e.account_id order by e.starts_local`,
    closing: {
      anonymise: (owner) =>
        sql`update event set account_id = null where account_id = ${accountsOf(owner)}`,
    },
  },
  calendar_share: {
    column: 'account_id',
    title: { zh: '他人与我共享的日历', en: 'Calendars shared with me' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name, 'access', s.access) as row
      from calendar_share s join calendar c on c.id = s.calendar_id where s.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
  calendar_member: {
    column: 'account_id',
    title: { zh: '我的课程', en: 'Courses I attend or teach' },
    rows: (owner) => sql`
      select jsonb_build_object('course', c.name, 'role', m.role) as row
      from calendar_member m join calendar c on c.id = m.calendar_id where m.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
  calendar_hidden: {
    column: 'account_id',
    title: { zh: '隐藏的日历', en: 'Hidden calendars' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name) as row
      from calendar_hidden h join calendar c on c.id = h.calendar_id where h.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
  calendar_position: {
    column: 'account_id',
    title: { zh: '日历的顺序', en: 'Order of calendars' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name, 'position', p.position) as row
      from calendar_position p join calendar c on c.id = p.calendar_id where p.account_id = ${accountsOf(owner)}
      order by p.position`,
    closing: 'delete',
  },
  schedule_setting: {
    column: 'account_id',
    title: { zh: '日程设置', en: 'Schedule settings' },
    rows: (owner) => sql`
      select jsonb_build_object('reminders', reminders, 'all_day_reminders', all_day_reminders, 'show_busy', show_busy) as row
      from schedule_setting where account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
  event_participant: {
    column: 'account_id',
    title: { zh: '受邀的日程', en: 'Events I was invited to' },
    rows: (owner) => sql`
      select jsonb_build_object('title', e.title, 'starts_local', e.starts_local, 'answer', p.answer, 'comment', p.comment) as row
      from event_participant p join event e on e.id = p.event_id where p.account_id = ${accountsOf(owner)}
      order by e.starts_local`,
    closing: 'delete',
  },
  event_reminder: {
    column: 'account_id',
    title: { zh: '日程提醒', en: 'Reminders of events' },
    rows: (owner) => sql`
      select jsonb_build_object('title', e.title, 'minutes', r.minutes, 'next_at', r.next_at) as row
      from event_reminder r join event e on e.id = r.event_id where r.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
}
