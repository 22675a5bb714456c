import type { failedJobs } from '@atrium/contract/shell/failed-jobs.operator'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { discardFailedJob, listFailedJobs, retryFailedJob } from './queries.ts'

export const failedJobHandlers: Handlers<typeof failedJobs> = {
  list: async ({ db }) => (await listFailedJobs(db)).map(({ stack: _, ...row }) => row),

  async detail({ db, params: { id } }) {
    const [row] = await listFailedJobs(db, id)
    return row ?? fail('job.not_found')
  },

  async retry({ db, params: { id } }) {
    const again = await db.transaction().execute((db) => retryFailedJob(db, id))
    return again ? null : fail('job.not_found')
  },

  async discard({ db, params: { id } }) {
    const gone = await db.transaction().execute((db) => discardFailedJob(db, id))
    return gone ? null : fail('job.not_found')
  },
}
