import { scan } from '@atrium/contract/shell/scan'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { scanHandlers } from './handlers.ts'

export const scanArea: Area = {
  name: 'scan',
  serve(app, host) {
    serve(app, host, scan, scanHandlers)
  },
}
