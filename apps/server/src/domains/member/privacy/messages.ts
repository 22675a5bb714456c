import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const accountMessages = defineBuiltInApp({
  code: 'atrium-account',
  name: '账号与隐私',
  nameEn: 'Account and privacy',
  icon: { glyph: 'shield', tone: 'teal' },
  position: 900,
  kinds: {
    export: {
      name: '个人信息文件',
      nameEn: 'Your personal data file',
      defaultChannels: ['push'],
    },
    closing: {
      name: '账号注销',
      nameEn: 'Closing your account',
      defaultChannels: ['push'],
      canTurnOff: false,
    },
  },
})
