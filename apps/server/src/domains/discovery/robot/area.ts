import { robot } from '@atrium/contract/discovery/robot'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { robotHandlers } from './handlers.ts'
import { robotPersonalData } from './personal-data.ts'
import { deleteOldDialogs } from './queries.ts'

export const robotArea: Area = {
  name: 'robot',
  serve: (app, host) => serve(app, host, robot, robotHandlers),
  jobs: ({ db }) => [
    { name: 'robot-forget', cron: '50 19 * * *', run: () => deleteOldDialogs(db) },
  ],
  personalData: robotPersonalData,
}
