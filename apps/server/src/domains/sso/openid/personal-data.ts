import type { PersonalData } from '#platform/personal-data.ts'

export const openidPersonalData: PersonalData = {
  openid_entry: {
    column: 'account_id',
    untold: 'codes and tokens of the sessions that are told; they end with them',
    closing: 'delete',
  },
}
