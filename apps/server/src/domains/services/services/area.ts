import { services } from '@atrium/contract/services/services'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { serviceHandlers } from './handlers.ts'
import { servicesPersonalData } from './personal-data.ts'
import { updateUseCounts } from './queries.ts'
import { computeRankings } from './rankings.ts'
import { servicesSearch } from './search-source.ts'

export const servicesArea: Area = {
  name: 'services',
  serve(app, host) {
    serve(app, host, services, serviceHandlers)
  },
  jobs: ({ db }) => [
    { name: 'services-count-use', cron: '*/15 * * * *', run: () => updateUseCounts(db) },
    { name: 'services-rank', cron: '7,22,37,52 * * * *', run: () => computeRankings(db) },
  ],
  personalData: servicesPersonalData,
  search: servicesSearch,
}
