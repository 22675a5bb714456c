import type { PersonalData } from '#platform/personal-data.ts'

export const assistantPersonalData: PersonalData = {
  assistant_consent: {
    column: 'account_id',
    title: { zh: 'AI 助手的授权', en: 'Consent to the AI assistant' },
    hide: ['account_id'],
    closing: 'delete',
  },
  assistant_use: {
    column: 'account_id',
    title: { zh: 'AI 助手的使用量', en: 'Use of the AI assistant' },
    hide: ['account_id'],
    closing: 'delete',
  },
}
