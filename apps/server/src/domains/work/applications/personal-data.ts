import type { PersonalData } from '#platform/personal-data.ts'

export const applicationsPersonalData: PersonalData = {
  application: {
    column: 'account_id',
    title: { zh: '我的申请', en: 'My applications' },
    hide: ['task_id', 'form_id', 'account_id', 'key', 'stage', 'round'],
    closing: { keep: 'an application is a record of the institution’s business' },
  },
  application_step: {
    column: 'back_to_account_id',
    untold: 'who asked for an opinion or an answer; the steps stand among the tasks handled',
    closing: { keep: 'who decided what is part of the institution’s business' },
  },
}
