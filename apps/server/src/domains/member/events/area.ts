import { events } from '@atrium/contract/member/events'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { forwardEvents } from './forward.ts'
import { eventHandlers } from './handlers.ts'
import { dropOldPartitions, ensurePartitions } from './partitions.ts'
import { eventsPersonalData } from './personal-data.ts'

export const eventsArea: Area = {
  name: 'events',
  serve(app, host) {
    serve(app, host, events, eventHandlers)
  },
  jobs: (platform) => {
    const { db, env } = platform
    return [
      // Every minute, so that an outside collector gets the backlog soon after it is back.
      { name: 'events-forward', cron: '* * * * *', run: () => forwardEvents(platform) },
      {
        name: 'events-partitions',
        cron: '10 3 * * *',
        async run() {
          await ensurePartitions(db)
          await dropOldPartitions(db, env.ATRIUM_EVENT_MONTHS)
        },
      },
    ]
  },
  personalData: eventsPersonalData,
}
