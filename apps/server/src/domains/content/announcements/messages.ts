import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const announcementMessages = defineBuiltInApp({
  code: 'atrium-announcements',
  name: '公告提醒',
  nameEn: 'Announcements',
  icon: { glyph: 'news', tone: 'orange' },
  position: 890,
  kinds: {
    reminder: {
      name: '待确认阅读的公告',
      nameEn: 'Announcements to confirm',
      defaultChannels: ['push'],
    },
  },
})
