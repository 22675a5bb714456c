import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const deskMessages = defineBuiltInApp({
  code: 'atrium-desk',
  name: '人工客服',
  nameEn: 'Service desk',
  icon: { glyph: 'chat', tone: 'teal' },
  position: 875,
  kinds: {
    answer: {
      name: '人工客服的回复',
      nameEn: 'Answers from the service desk',
      defaultChannels: ['push'],
    },
    waiting: {
      name: '有人等待人工服务',
      nameEn: 'Somebody is waiting at your desk',
      defaultChannels: ['push'],
    },
  },
})
