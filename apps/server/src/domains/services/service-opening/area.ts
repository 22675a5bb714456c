import { serviceOpening } from '@atrium/contract/services/service-opening'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { serviceOpeningHandlers } from './handlers.ts'

export const serviceOpeningArea: Area = {
  name: 'service-opening',
  serve(app, host) {
    serve(app, host, serviceOpening, serviceOpeningHandlers)
  },
}
