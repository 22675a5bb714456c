import { delegationRules, delegations } from '@atrium/contract/work/delegations'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import {
  activateDelegations,
  delegationHandlers,
  delegationRuleHandlers,
  endExpired,
} from './delegations.ts'
import { delegationMessages } from './messages.ts'
import { delegationsPersonalData } from './personal-data.ts'

export const delegationsArea: Area = {
  name: 'delegations',
  serve(app, host) {
    serve(app, host, delegations, delegationHandlers)
    serve(app, host, delegationRules, delegationRuleHandlers)
  },
  jobs: ({ db }) => [
    {
      name: 'delegations-due',
      cron: '*/5 * * * *',
      run: () =>
        db.transaction().execute(async (db) => {
          await activateDelegations(db)
          await endExpired(db)
        }),
    },
  ],
  personalData: delegationsPersonalData,
  extend() {
    builtInApps.provide(delegationMessages.spec)
  },
}
