import { deleteExpired } from '#areas/identity/queries.ts'
import { listToExpand, writeOccurrences } from '#areas/schedule/queries.ts'
import { updateUseCounts } from '#areas/services/queries.ts'
import type { Job } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'

/** Every background job. */
export const jobs = ({ db }: Platform): Job[] => [
  { name: 'identity-clear', cron: '20 * * * *', run: () => deleteExpired(db) },
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
    },
  },
  { name: 'services-count-use', cron: '*/15 * * * *', run: () => updateUseCounts(db) },
]
