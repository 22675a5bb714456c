import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const applicationMessages = defineBuiltInApp({
  code: 'atrium-applications',
  name: '申请审批',
  nameEn: 'Applications',
  icon: { glyph: 'edit', tone: 'blue' },
  position: 106,
  kinds: {
    asked: { name: '等我审批', nameEn: 'Waiting for my decision', defaultChannels: ['push'] },
    decided: {
      name: '我的申请有结果',
      nameEn: 'My application was decided',
      defaultChannels: ['push'],
    },
    returned: {
      name: '我的申请被退回或提问',
      nameEn: 'Questions about my application, or its return',
      defaultChannels: ['push'],
    },
    escalated: {
      name: '审批超时',
      nameEn: 'A decision is overdue',
      defaultChannels: ['push'],
    },
  },
})

export const detailPage = (id: string) => `/msgCenter/pages/task/applicationDetail?id=${id}`
export const editPage = (id: string) => `/msgCenter/pages/task/apply?id=${id}`
