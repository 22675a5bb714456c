import { schedule } from '@atrium/contract/work/schedule'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { deleteOldChanges } from './changes.ts'
import { scheduleHandlers } from './handlers.ts'
import { schedulePersonalData } from './personal-data.ts'
import { scheduleSearch } from './search-source.ts'
import { listToExpand, writeOccurrences } from './write-occurrences.ts'

export const scheduleArea: Area = {
  name: 'schedule',
  serve(app, host) {
    serve(app, host, schedule, scheduleHandlers)
  },
  jobs: ({ db }) => [
    {
      name: 'schedule-expand',
      cron: '40 18 * * *',
      async run() {
        const due = await listToExpand(db)
        await writeOccurrences(
          db,
          due.map((event) => event.id),
          new Date(),
        )
        await deleteOldChanges(db)
      },
    },
  ],
  personalData: schedulePersonalData,
  search: scheduleSearch,
}
