import { health, maintenance, serviceHealth } from '@atrium/contract/services/health'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { healthHandlers, maintenanceHandlers, serviceHealthHandlers } from './handlers.ts'
import { healthPersonalData } from './personal-data.ts'
import { probeServices } from './probe.ts'
import { deleteOldMaintenance, deleteOldReports } from './queries.ts'

export const healthArea: Area = {
  name: 'health',
  serve(app, host) {
    serve(app, host, health, healthHandlers)
    serve(app, host, serviceHealth, serviceHealthHandlers)
    serve(app, host, maintenance, maintenanceHandlers)
  },
  jobs: (platform) => {
    const { db } = platform
    return [
      { name: 'services-probe', cron: '* * * * *', run: () => probeServices(platform) },
      {
        name: 'services-health-clear',
        cron: '40 3 * * *',
        async run() {
          await deleteOldReports(db)
          await deleteOldMaintenance(db)
        },
      },
    ]
  },
  personalData: healthPersonalData,
}
