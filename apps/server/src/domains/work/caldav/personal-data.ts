import type { PersonalData } from '#platform/personal-data.ts'

export const caldavPersonalData: PersonalData = {
  caldav_password: {
    column: 'account_id',
    title: { zh: '日历专用密码', en: 'App passwords for calendars' },
    hide: ['id', 'account_id', 'selector', 'password_hash'],
    closing: 'delete',
  },
}
