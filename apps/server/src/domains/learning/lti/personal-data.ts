import type { PersonalData } from '#platform/personal-data.ts'

export const ltiPersonalData: PersonalData = {
  lti_launch: {
    column: 'account_id',
    untold: 'on the way to a tool, for minutes',
    closing: 'delete',
  },
}
