import { del, get, Nullable, post, T, Time } from '../define.ts'

const JobId = T.String({ format: 'uuid', description: 'opaque key' })

const facts = {
  id: JobId,
  job: T.String({ description: 'its name' }),
  key: T.String({ description: 'what it was done for, where it is done for several things' }),
  tries: T.Integer(),
  error: T.String({ description: 'why the last try went wrong' }),
  createdAt: Time,
  failedAt: Nullable(Time),
}

/** A background job that was abandoned after its last retry. */
export const FailedJob = T.Object(facts, { $id: 'FailedJob' })
export const FailedJobDetail = T.Object(
  { ...facts, stack: T.String({ description: 'where in the code it went wrong' }) },
  { $id: 'FailedJobDetail' },
)

const params = T.Object({ id: JobId })

export const failedJobs = {
  list: get('/console-api/v1/failed-jobs', {
    summary: 'Background jobs that were given up, the newest 200 first; kept for 7 days',
    access: 'operator',
    permission: 'system',
    reply: T.Array(FailedJob),
  }),
  detail: get('/console-api/v1/failed-jobs/{id}', {
    summary: 'A background job that was given up',
    access: 'operator',
    permission: 'system',
    params,
    reply: FailedJobDetail,
    errors: ['job.not_found'],
  }),
  retry: post('/console-api/v1/failed-jobs/{id}/retry', {
    summary: 'Try it once more, within half a minute',
    access: 'operator',
    permission: 'system',
    params,
    reply: T.Null(),
    errors: ['job.not_found'],
  }),
  discard: del('/console-api/v1/failed-jobs/{id}', {
    summary: 'Leave it at that',
    access: 'operator',
    permission: 'system',
    params,
    reply: T.Null(),
    errors: ['job.not_found'],
  }),
}
