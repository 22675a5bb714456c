import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const feedbackMessages = defineBuiltInApp({
  code: 'atrium-feedback',
  name: '意见反馈',
  nameEn: 'Feedback',
  icon: { glyph: 'chat', tone: 'orange' },
  position: 890,
  kinds: {
    answered: {
      name: '反馈有了答复',
      nameEn: 'Your feedback was answered',
      defaultChannels: ['push'],
    },
  },
})
