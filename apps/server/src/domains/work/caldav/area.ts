import { caldav } from '@atrium/contract/work/calendar-exchange'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { caldavHandlers } from './handlers.ts'
import { caldavPersonalData } from './personal-data.ts'
import { serveCaldav } from './routes.ts'

export const caldavArea: Area = {
  name: 'caldav',
  async serve(app, host) {
    serve(app, host, caldav, caldavHandlers)
    await serveCaldav(app, host)
  },
  personalData: caldavPersonalData,
}
