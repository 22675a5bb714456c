import type { PersonalData } from '#platform/personal-data.ts'

export const eCardPersonalData: PersonalData = {
  pay_code: {
    column: 'account_id',
    untold: 'what codes of ten minutes are made from says nothing of the person',
    closing: 'delete',
  },
  pay_code_use: {
    column: 'account_id',
    title: { zh: '付款码与身份码的使用记录', en: 'Where your codes were read' },
    hide: ['id', 'account_id'],
    closing: 'delete',
  },
}
