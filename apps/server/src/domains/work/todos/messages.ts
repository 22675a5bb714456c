import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const todoMessages = defineBuiltInApp({
  code: 'atrium-todos',
  name: '个人待办',
  nameEn: 'To-dos',
  icon: { glyph: 'check', tone: 'green' },
  position: 110,
  kinds: {
    reminder: { name: '待办提醒', nameEn: 'Reminders', defaultChannels: ['push'] },
    given: {
      name: '他人交给你的待办',
      nameEn: 'To-dos from others',
      defaultChannels: ['push'],
    },
    progress: { name: '你交给他人的待办的进展', nameEn: 'Progress of to-dos you gave' },
  },
})

export const detailPage = (id: string) => `/msgCenter/pages/task/personalDetail?id=${id}`
