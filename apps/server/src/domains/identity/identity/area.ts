import { identity, signInSteps } from '@atrium/contract/identity/identity'
import type { Area } from '#platform/area.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { identityHandlers } from './handlers.ts'
import { identityPersonalData } from './personal-data.ts'
import { deleteExpired } from './queries.ts'
import { signInStepHandlers } from './step-handlers.ts'

export const identityArea: Area = {
  name: 'identity',
  async serve(app, host) {
    await withCookies(app, async (scope) => {
      serve(scope, host, identity, identityHandlers)
      serve(scope, host, signInSteps, signInStepHandlers)
    })
  },
  jobs: ({ db }) => [{ name: 'identity-clear', cron: '20 * * * *', run: () => deleteExpired(db) }],
  personalData: identityPersonalData,
}
