import { exports } from '@atrium/contract/identity/directory'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { exportHandlers } from './export-handlers.ts'
import { startNameIndex } from './name-index.ts'

export const membersArea: Area = {
  name: 'members',
  serve: (app, host) => serve(app, host, exports, exportHandlers),
  workers: (platform) => [startNameIndex(platform)],
}
