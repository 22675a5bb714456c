import { memberSessions, sessions } from '@atrium/contract/identity/sessions'
import { clearAuthenticationLog } from '#domains/identity/identity/authentication-log.ts'
import type { Area } from '#platform/area.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { memberSessionHandlers } from './console-handlers.ts'
import { sessionHandlers } from './handlers.ts'
import { deleteOldSessions } from './queries.ts'

export const sessionsArea: Area = {
  name: 'sessions',
  async serve(app, host) {
    await withCookies(app, async (scope) => {
      serve(scope, host, sessions, sessionHandlers)
    })
    serve(app, host, memberSessions, memberSessionHandlers)
  },
  jobs: (platform) => {
    const { db } = platform
    return [
      {
        name: 'sessions-clear',
        cron: '25 18 * * *',
        async run() {
          await deleteOldSessions(db)
          await clearAuthenticationLog(platform)
        },
      },
    ]
  },
}
