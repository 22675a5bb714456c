import type { PersonalData } from '#platform/personal-data.ts'

export const messageIntegrationPersonalData: PersonalData = {
  message_event: {
    column: 'account_id',
    untold: 'what the messages above say, on its way to their senders',
    closing: 'delete',
  },
}
