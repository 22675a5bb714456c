import type { PersonalData } from '#platform/personal-data.ts'

export const todosPersonalData: PersonalData = {
  todo: {
    column: 'account_id',
    title: { zh: '个人待办', en: 'To-dos' },
    hide: ['id', 'account_id', 'key', 'next_id', 'repeat_day', 'version'],
    closing: 'delete',
  },
  todo_member: {
    column: 'account_id',
    title: { zh: '待办的参与', en: 'To-dos of others' },
    hide: ['account_id', 'position'],
    closing: 'delete',
  },
}
