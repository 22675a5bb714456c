import { assistant } from '@atrium/contract/discovery/assistant'
import { assistantConsole } from '@atrium/contract/discovery/assistant.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { assistantConsoleHandlers, assistantHandlers } from './handlers.ts'
import { assistantPersonalData } from './personal-data.ts'
import { deleteOldUse } from './queries.ts'

export const assistantArea: Area = {
  name: 'assistant',
  serve(app, host) {
    serve(app, host, assistant, assistantHandlers)
    serve(app, host, assistantConsole, assistantConsoleHandlers)
  },
  jobs: ({ db }) => [
    { name: 'assistant-forget', cron: '55 19 * * *', run: () => deleteOldUse(db) },
  ],
  personalData: assistantPersonalData,
}
