import type { PersonalData } from '#platform/personal-data.ts'

export const correctionsPersonalData: PersonalData = {
  correction: {
    column: 'account_id',
    also: ['decided_by_account_id'],
    title: { zh: '资料更正申请', en: 'Corrections you requested' },
    hide: ['account_id', 'decided_by_account_id'],
    closing: 'delete',
  },
}
