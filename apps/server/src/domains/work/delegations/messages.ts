import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const delegationMessages = defineBuiltInApp({
  code: 'atrium-delegations',
  name: '待办委托',
  nameEn: 'Delegation',
  icon: { glyph: 'people', tone: 'violet' },
  position: 107,
  kinds: {
    asked: { name: '他人委托我办理', nameEn: 'Tasks delegated to me', defaultChannels: ['push'] },
    over: { name: '我的委托结束', nameEn: 'My delegation has ended' },
  },
})

export const delegationPage = '/msgCenter/pages/task/delegations'
