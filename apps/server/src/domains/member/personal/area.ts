import { personal } from '@atrium/contract/member/personal'
import type { Area } from '#platform/area.ts'
import { withMultipart } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { personalHandlers } from './handlers.ts'

export const personalArea: Area = {
  name: 'personal',
  async serve(app, host) {
    await withMultipart(app, async (scope) => {
      serve(scope, host, personal, personalHandlers)
    })
  },
}
