import type { PersonalData } from '#platform/personal-data.ts'

export const membersPersonalData: PersonalData = {
  organization_head: {
    column: 'account_id',
    title: { zh: '我负责的机构', en: 'Organisations I lead' },
    hide: ['account_id'],
    closing: 'delete',
  },
}
