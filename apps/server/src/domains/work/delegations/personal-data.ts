import type { PersonalData } from '#platform/personal-data.ts'

export const delegationsPersonalData: PersonalData = {
  task_delegation: {
    column: 'account_id',
    title: { zh: '我的待办委托', en: 'Tasks delegated to others' },
    hide: ['id', 'account_id', 'starts_at', 'ends_at', 'state'],
    closing: 'delete',
  },
  task_delegate: {
    column: 'account_id',
    title: { zh: '委托给我的待办', en: 'Tasks delegated to me' },
    hide: ['delegation_id', 'account_id'],
    closing: 'delete',
  },
}
