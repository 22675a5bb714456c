import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const letterMessages = defineBuiltInApp({
  code: 'atrium-letters',
  name: '直通车',
  nameEn: 'Letters to departments',
  icon: { glyph: 'mail', tone: 'green' },
  position: 880,
  kinds: {
    answered: {
      name: '来信已答复',
      nameEn: 'Your letter was answered',
      defaultChannels: ['push'],
    },
  },
})
