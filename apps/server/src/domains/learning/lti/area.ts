import { lti, ltiConsole } from '@atrium/contract/learning/lti'
import type { Area } from '#platform/area.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { ltiConsoleHandlers, ltiHandlers } from './handlers.ts'
import { deleteOld } from './launch.ts'
import { ltiPersonalData } from './personal-data.ts'
import { serveProtocol } from './protocol.ts'

export const ltiArea: Area = {
  name: 'lti',
  async serve(app, host) {
    serve(app, host, ltiConsole, ltiConsoleHandlers)
    await withCookies(app, (scope) => serve(scope, host, lti, ltiHandlers))
    await serveProtocol(app, host)
  },
  jobs: ({ db }) => [{ name: 'lti-clear', cron: '25 * * * *', run: () => deleteOld(db) }],
  personalData: ltiPersonalData,
}
