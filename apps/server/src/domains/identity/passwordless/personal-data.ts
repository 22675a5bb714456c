import type { PersonalData } from '#platform/personal-data.ts'

export const passwordlessPersonalData: PersonalData = {
  contact_code: {
    column: 'person_id',
    untold: 'codes on their way, as hashes, for ten minutes',
    closing: 'delete',
  },
  code_request: {
    column: 'person_id',
    untold: 'when a code was asked for, for a day, so that nobody is flooded',
    closing: 'delete',
  },
}
