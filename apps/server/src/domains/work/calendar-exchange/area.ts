import { calendarExchange, scheduleIntegration } from '@atrium/contract/work/calendar-exchange'
import type { Area } from '#platform/area.ts'
import { withMultipart } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { fetchDueSources } from './fetch-source.ts'
import { calendarExchangeHandlers, scheduleIntegrationHandlers } from './handlers.ts'
import { calendarExchangePersonalData } from './personal-data.ts'

export const calendarExchangeArea: Area = {
  name: 'calendar-exchange',
  async serve(app, host) {
    serve(app, host, scheduleIntegration, scheduleIntegrationHandlers)
    await withMultipart(app, async (scope) => {
      serve(scope, host, calendarExchange, calendarExchangeHandlers)
    })
  },
  jobs: (platform) => [
    {
      name: 'calendar-sources',
      cron: '*/5 * * * *',
      run: () => fetchDueSources(platform),
    },
  ],
  personalData: calendarExchangePersonalData,
}
