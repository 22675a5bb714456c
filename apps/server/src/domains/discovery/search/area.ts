import { search } from '@atrium/contract/discovery/search'
import { searchFailures } from '@atrium/contract/discovery/search.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { indexAll } from './entry-index.ts'
import { searchFailureHandlers } from './failure-handlers.ts'
import { gatherFailures } from './failures.ts'
import { searchHandlers } from './handlers.ts'
import { people, personAnswer } from './people.ts'
import { searchPersonalData } from './personal-data.ts'
import { portalPages } from './portal-pages.ts'
import { deleteOldSearches } from './statistics.ts'

export const searchArea: Area = {
  name: 'search',
  serve(app, host) {
    serve(app, host, search, searchHandlers)
    serve(app, host, searchFailures, searchFailureHandlers)
  },
  jobs: (platform) => [
    { name: 'search-failures', cron: '25 * * * *', run: () => gatherFailures(platform) },
    { name: 'search-forget', cron: '20 4 * * *', run: () => deleteOldSearches(platform) },
  ],
  warmUp: indexAll,
  personalData: searchPersonalData,
  search: { entries: [portalPages], records: [people], answers: [personAnswer] },
}
