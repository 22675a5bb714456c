import { workbench } from '@atrium/contract/content/workbench.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { workbenchHandlers } from './handlers.ts'

export const workbenchArea: Area = {
  name: 'workbench',
  serve: (app, host) => serve(app, host, workbench, workbenchHandlers),
}
