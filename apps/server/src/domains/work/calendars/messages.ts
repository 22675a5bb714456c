import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const calendarMessages = defineBuiltInApp({
  code: 'atrium-calendars',
  name: '日历',
  nameEn: 'Calendars',
  icon: { glyph: 'calendar', tone: 'violet' },
  position: 125,
  kinds: { shared: { name: '有人与你共享日历', nameEn: 'Calendars shared with you' } },
})
