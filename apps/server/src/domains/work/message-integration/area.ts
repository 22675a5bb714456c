import { messageIntegration } from '@atrium/contract/work/message-integration'
import { messageApps } from '@atrium/contract/work/message-integration.operator'
import type { Area } from '#platform/area.ts'
import { withMultipart } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { messageAppHandlers } from './app-handlers.ts'
import { deleteOldEvents, startCallbacks } from './callbacks.ts'
import { messageIntegrationHandlers } from './handlers.ts'
import { messageIntegrationPersonalData } from './personal-data.ts'

export const messageIntegrationArea: Area = {
  name: 'message-integration',
  async serve(app, host) {
    await withMultipart(app, async (scope) => {
      serve(scope, host, messageIntegration, messageIntegrationHandlers)
    })
    serve(app, host, messageApps, messageAppHandlers)
  },
  jobs: (platform) => [
    { name: 'message-callbacks-clear', cron: '50 3 * * *', run: () => deleteOldEvents(platform) },
  ],
  workers: (platform) => [startCallbacks(platform)],
  personalData: messageIntegrationPersonalData,
}
