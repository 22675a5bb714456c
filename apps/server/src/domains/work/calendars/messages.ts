import { defineOwnApp } from '#domains/work/messages/own-apps.ts'

export const calendarMessages = defineOwnApp({
  code: 'atrium-calendars',
  name: '日历',
  nameEn: 'Calendars',
  icon: { glyph: 'calendar', tone: 'violet' },
  position: 125,
  kinds: { shared: { name: '有人与你共享日历', nameEn: 'Calendars shared with you' } },
})
