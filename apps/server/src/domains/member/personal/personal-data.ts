import type { PersonalData } from '#platform/personal-data.ts'

export const personalPersonalData: PersonalData = {
  personal_card: {
    column: 'account_id',
    title: { zh: '一卡通、借阅与邮箱', en: 'Card, library, mailbox' },
    hide: ['account_id'],
    closing: 'delete',
  },
}
