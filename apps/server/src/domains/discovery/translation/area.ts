import { translation } from '@atrium/contract/discovery/translation'
import { translationConsole } from '@atrium/contract/discovery/translation.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { translationConsoleHandlers, translationHandlers } from './handlers.ts'
import { translationPersonalData } from './personal-data.ts'
import { deleteOldTranslations } from './queries.ts'

export const translationArea: Area = {
  name: 'translation',
  serve(app, host) {
    serve(app, host, translation, translationHandlers)
    serve(app, host, translationConsole, translationConsoleHandlers)
  },
  jobs: ({ db }) => [
    { name: 'translation-forget', cron: '50 19 * * *', run: () => deleteOldTranslations(db) },
  ],
  personalData: translationPersonalData,
}
