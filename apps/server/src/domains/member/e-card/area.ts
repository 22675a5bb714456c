import { eCard, payCodes } from '@atrium/contract/member/e-card'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { eCardHandlers, payCodeHandlers } from './handlers.ts'
import { eCardPersonalData } from './personal-data.ts'
import { deleteExpired } from './queries.ts'

export const eCardArea: Area = {
  name: 'e-card',
  serve(app, host) {
    serve(app, host, eCard, eCardHandlers)
    serve(app, host, payCodes, payCodeHandlers)
  },
  jobs: ({ db }) => [{ name: 'e-card-clear', cron: '35 * * * *', run: () => deleteExpired(db) }],
  personalData: eCardPersonalData,
}
