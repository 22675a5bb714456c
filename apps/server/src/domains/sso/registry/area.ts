import { registry } from '@atrium/contract/sso/registry'
import { sessionListeners } from '#domains/identity/identity/extensions.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { registryHandlers } from './console-handlers.ts'
import { startLogouts } from './logout-worker.ts'
import {
  deleteOldSessionUses,
  moveSessionUses,
  queueLogouts,
  queueLogoutsOfEnded,
} from './single-logout.ts'

export const registryArea: Area = {
  name: 'registry',
  serve(app, host) {
    serve(app, host, registry, registryHandlers)
  },
  jobs: ({ db }) => [
    {
      name: 'registry-clear',
      cron: '45 * * * *',
      async run() {
        await queueLogoutsOfEnded(db)
        await deleteOldSessionUses(db)
      },
    },
  ],
  extend() {
    sessionListeners.provide({ ended: queueLogouts, moved: moveSessionUses })
  },
  workers: (platform) => [startLogouts(platform)],
}
