import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const correctionMessages = defineBuiltInApp({
  code: 'atrium-corrections',
  name: '资料更正',
  nameEn: 'Corrections',
  icon: { glyph: 'person', tone: 'violet' },
  position: 890,
  kinds: {
    answered: {
      name: '更正申请已答复',
      nameEn: 'Your request was answered',
      defaultChannels: ['push'],
    },
  },
})
