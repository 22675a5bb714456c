import { scanLogin } from '@atrium/contract/identity/scan-login'
import { pendingSignIns } from '#domains/identity/identity/extensions.ts'
import type { Area } from '#platform/area.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { scanLoginHandlers } from './handlers.ts'
import { cancelScans, deleteOldScans } from './queries.ts'

export const scanLoginArea: Area = {
  name: 'scan-login',
  serve: (app, host) =>
    withCookies(app, async (scope) => serve(scope, host, scanLogin, scanLoginHandlers)),
  jobs: ({ db }) => [
    { name: 'scan-login-clear', cron: '40 * * * *', run: () => deleteOldScans(db) },
  ],
  extend: () => pendingSignIns.provide({ cancel: cancelScans }),
  personalData: {
    scan_login: {
      column: 'account_id',
      untold:
        'a sign-in on a computer under way, for two minutes; the sign-in itself is in the log',
      closing: 'delete',
    },
  },
}
