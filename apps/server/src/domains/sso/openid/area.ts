import { openid } from '@atrium/contract/sso/openid'
import { logoutMessageFactories } from '#domains/sso/registry/logout-worker.ts'
import type { Area } from '#platform/area.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { deleteExpiredEntries } from './adapter.ts'
import { openidHandlers } from './handlers.ts'
import { authenticateIntegration } from './integrations.ts'
import { logoutToken } from './logout-token.ts'
import { serveOpenId } from './mount.ts'
import { openidPersonalData } from './personal-data.ts'

export const openidArea: Area = {
  name: 'openid',
  async serve(app, host) {
    host.authenticateIntegration = authenticateIntegration
    await withCookies(app, async (scope) => {
      serve(scope, host, openid, openidHandlers)
      serveOpenId(scope, host)
    })
  },
  jobs: ({ db }) => [
    { name: 'openid-clear', cron: '55 * * * *', run: () => deleteExpiredEntries(db) },
  ],
  personalData: openidPersonalData,
  extend() {
    logoutMessageFactories.provide({ protocol: 'oidc', make: logoutToken })
  },
}
