import { aggregation } from '@atrium/contract/services/aggregation'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { aggregationHandlers } from './handlers.ts'

export const aggregationArea: Area = {
  name: 'aggregation',
  serve(app, host) {
    serve(app, host, aggregation, aggregationHandlers)
  },
}
