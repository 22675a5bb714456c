import type { PersonalData } from '#platform/personal-data.ts'

export const personalSourcesPersonalData: PersonalData = {
  personal_card: {
    column: 'account_id',
    title: { zh: '一卡通、借阅、邮箱、科研等', en: 'Card, library, mailbox, research' },
    hide: ['account_id'],
    closing: 'delete',
  },
}
