import type { PersonalData } from '#platform/personal-data.ts'

export const searchPersonalData: PersonalData = {
  search_history: {
    column: 'account_id',
    title: { zh: '搜索历史', en: 'Searches' },
    hide: ['account_id'],
    closing: 'delete',
  },
  search_setting: {
    column: 'account_id',
    title: { zh: '搜索设置', en: 'Search settings' },
    hide: ['account_id'],
    closing: 'delete',
  },
}
