import { failedJobs } from '@atrium/contract/shell/failed-jobs.operator'
import type { Area } from '#platform/area.ts'
import { writeCheckpoint } from '#platform/audit.ts'
import { deleteOldMessages } from '#platform/delivery/outbox-worker.ts'
import { serve } from '#platform/http/serve.ts'
import { maintainSigningKeys } from '#platform/signing-keys.ts'
import { failedJobHandlers } from './handlers.ts'

export const failedJobsArea: Area = {
  name: 'failed-jobs',
  serve(app, host) {
    serve(app, host, failedJobs, failedJobHandlers)
  },
  jobs: (platform) => {
    const { db } = platform
    return [
      {
        name: 'outbox-clear',
        cron: '30 3 * * *',
        run: async () => void (await deleteOldMessages(db)),
      },
      {
        name: 'keys-tend',
        cron: '5 18 * * *',
        run: () => maintainSigningKeys(db, platform.secret),
      },
      { name: 'audit-checkpoint', cron: '50 * * * *', run: () => writeCheckpoint(platform) },
    ]
  },
}
