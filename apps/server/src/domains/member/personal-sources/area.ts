import { personalIntegration, personalSources } from '@atrium/contract/member/personal-sources'
import { personalSourceSettings } from '@atrium/contract/member/personal-sources.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { personalSourceHandlers } from './handlers.ts'
import { personalIntegrationHandlers } from './integration-handlers.ts'
import { personalSourcesPersonalData } from './personal-data.ts'
import { personalSourcesSearch } from './search-source.ts'
import { personalSourceSettingHandlers } from './source-handlers.ts'

export const personalSourcesArea: Area = {
  name: 'personal-sources',
  serve(app, host) {
    serve(app, host, personalSources, personalSourceHandlers)
    serve(app, host, personalIntegration, personalIntegrationHandlers)
    serve(app, host, personalSourceSettings, personalSourceSettingHandlers)
  },
  personalData: personalSourcesPersonalData,
  search: personalSourcesSearch,
}
