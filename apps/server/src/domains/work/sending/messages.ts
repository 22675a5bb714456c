import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const sendingMessages = defineBuiltInApp({
  code: 'atrium-sending',
  name: '通知',
  nameEn: 'Notices',
  icon: { glyph: 'speaker', tone: 'blue' },
  position: 100,
  kinds: {
    notice: {
      name: '部门与同事发来的通知',
      nameEn: 'Notices from departments and colleagues',
      defaultChannels: ['push'],
    },
    event: { name: '活动通知', nameEn: 'Events', defaultChannels: ['push'] },
    urgent: {
      name: '紧急通知',
      nameEn: 'Urgent notices',
      defaultChannels: ['push', 'sms'],
      canTurnOff: false,
      urgent: true,
    },
    personal: { name: '成员来信', nameEn: 'Messages from members', defaultChannels: ['push'] },
    approval: {
      name: '消息发送审批',
      nameEn: 'Approval of messages',
      channels: ['push', 'mail', 'wecom'],
      defaultChannels: ['push'],
    },
  },
})
