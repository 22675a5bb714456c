import type { PersonalData } from '#platform/personal-data.ts'

export const sendingTemplatesPersonalData: PersonalData = {
  sending_template: {
    column: 'account_id',
    title: { zh: '消息模板', en: 'Message templates' },
    closing: 'delete',
  },
}
