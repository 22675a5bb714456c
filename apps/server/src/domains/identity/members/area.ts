import { exports } from '@atrium/contract/identity/directory'
import { organizationHeads } from '@atrium/contract/identity/heads.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { exportHandlers } from './export-handlers.ts'
import { headHandlers } from './heads.ts'
import { startNameIndex } from './name-index.ts'
import { membersPersonalData } from './personal-data.ts'

export const membersArea: Area = {
  name: 'members',
  serve(app, host) {
    serve(app, host, exports, exportHandlers)
    serve(app, host, organizationHeads, headHandlers)
  },
  personalData: membersPersonalData,
  workers: (platform) => [startNameIndex(platform)],
}
