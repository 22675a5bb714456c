import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const appointmentMessages = defineBuiltInApp({
  code: 'atrium-schedule',
  name: '日程',
  nameEn: 'Schedule',
  icon: { glyph: 'calendar', tone: 'blue' },
  position: 120,
  kinds: {
    reminder: { name: '日程提醒', nameEn: 'Reminders', defaultChannels: ['push'] },
    invited: { name: '日程邀请', nameEn: 'Invitations', defaultChannels: ['push'] },
    changed: {
      name: '日程变更与取消',
      nameEn: 'Changes and cancellations',
      defaultChannels: ['push'],
    },
    answered: { name: '参与人的答复', nameEn: 'Answers to your invitations' },
  },
})

export const detailPage = (id: string, startsAt?: string) =>
  `/pages/shedul/shedulDetail?id=${id}${startsAt ? `&startsAt=${encodeURIComponent(startsAt)}` : ''}`
