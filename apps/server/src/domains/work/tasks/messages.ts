import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const taskMessages = defineBuiltInApp({
  code: 'atrium-tasks',
  name: '事项办理',
  nameEn: 'Tasks',
  icon: { glyph: 'clipboard', tone: 'orange' },
  position: 105,
  kinds: {
    due: { name: '即将到期', nameEn: 'Due soon', defaultChannels: ['push'] },
    overdue: { name: '已逾期', nameEn: 'Overdue', defaultChannels: ['push'] },
    refused: {
      name: '办理未被接收',
      nameEn: 'Your action was not accepted',
      defaultChannels: ['push'],
      canTurnOff: false,
    },
  },
})

export const detailPage = (id: string) => `/msgCenter/pages/task/applicationDetail?id=${id}`
export const listPage = '/pages/msgCenterTab/newtask/newtask?isactive=1'
