import { taskIntegration } from '@atrium/contract/work/task-integration'
import { taskSources } from '@atrium/contract/work/task-sources.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { compareDueSources } from './compare.ts'
import { taskIntegrationHandlers } from './handlers.ts'
import { startOutcomeDelivery } from './outcome-delivery.ts'
import { taskSourceHandlers } from './source-handlers.ts'

export const taskIntegrationArea: Area = {
  name: 'task-integration',
  serve(app, host) {
    serve(app, host, taskIntegration, taskIntegrationHandlers)
    serve(app, host, taskSources, taskSourceHandlers)
  },
  jobs: (platform) => [
    {
      name: 'task-sources-compare',
      cron: '* * * * *',
      run: () => compareDueSources(platform),
    },
  ],
  workers: (platform) => [startOutcomeDelivery(platform)],
}
