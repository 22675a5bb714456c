import { factorReset, factorSignIn, secondFactor } from '@atrium/contract/identity/second-factor'
import { signInSteps } from '#domains/identity/identity/extensions.ts'
import type { Area } from '#platform/area.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { factorResetHandlers } from './console-handlers.ts'
import { secondFactorHandlers } from './handlers.ts'
import { secondFactorPersonalData } from './personal-data.ts'
import { deleteExpiredChallenges, listFactors } from './queries.ts'
import { requiresFactor } from './required.ts'
import { factorSignInHandlers } from './sign-in-handlers.ts'

export const secondFactorArea: Area = {
  name: 'second-factor',
  async serve(app, host) {
    await withCookies(app, async (scope) => {
      serve(scope, host, factorSignIn, factorSignInHandlers)
    })
    serve(app, host, secondFactor, secondFactorHandlers)
    serve(app, host, factorReset, factorResetHandlers)
  },
  jobs: ({ db }) => [
    { name: 'second-factor-clear', cron: '25 * * * *', run: () => deleteExpiredChallenges(db) },
  ],
  personalData: secondFactorPersonalData,
  extend() {
    signInSteps.provide({
      async due(db, settings, { personId, identityTypeCode, strong }) {
        if (strong) return undefined
        if ((await listFactors(db, personId)).length > 0) return 'secondFactor'
        return requiresFactor(settings, identityTypeCode) ? 'enrolment' : undefined
      },
      describe: async (db, personId, due) =>
        due === 'secondFactor' ? { factors: await listFactors(db, personId) } : {},
    })
  },
}
