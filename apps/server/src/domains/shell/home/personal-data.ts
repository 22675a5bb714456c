import type { PersonalData } from '#platform/personal-data.ts'

export const homePersonalData: PersonalData = {
  home_arrangement: {
    column: 'account_id',
    title: { zh: '首页布局', en: 'Arrangement of home' },
    hide: ['account_id'],
    closing: 'delete',
  },
}
