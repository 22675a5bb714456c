import type { PersonalData } from '#platform/personal-data.ts'

export const translationPersonalData: PersonalData = {
  translation_use: {
    column: 'account_id',
    title: { zh: '机器翻译的使用量', en: 'Use of machine translation' },
    hide: ['account_id'],
    closing: 'delete',
  },
}
