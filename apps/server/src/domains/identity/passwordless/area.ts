import { outbox } from '@atrium/contract/identity/outbox.operator'
import { activation, forgotten, passwordless } from '@atrium/contract/identity/passwordless'
import type { Area } from '#platform/area.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { deleteOldCodes } from './codes.ts'
import { passwordlessHandlers } from './handlers.ts'
import { outboxHandlers } from './outbox-handlers.ts'
import { passwordlessPersonalData } from './personal-data.ts'
import { forgottenHandlers } from './recovery.ts'

export const passwordlessArea: Area = {
  name: 'passwordless',
  async serve(app, host) {
    await withCookies(app, async (scope) => {
      serve(scope, host, passwordless, passwordlessHandlers)
      serve(scope, host, forgotten, forgottenHandlers)
      serve(scope, host, activation, forgottenHandlers)
    })
    serve(app, host, outbox, outboxHandlers)
  },
  jobs: ({ db }) => [{ name: 'codes-clear', cron: '50 * * * *', run: () => deleteOldCodes(db) }],
  personalData: passwordlessPersonalData,
}
