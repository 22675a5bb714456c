import type { PersonalData } from '#platform/personal-data.ts'

export const accountPersonalData: PersonalData = {
  security_question: {
    column: 'person_id',
    untold: 'the questions stand in account security; of the answers there are hashes alone',
    closing: 'delete',
  },
}
