import { del, get, Nullable, post, T, Time } from '../define.ts'

const JobId = T.String({ format: 'uuid', description: 'opaque id' })

const facts = {
  id: JobId,
  job: T.String({ description: 'name of the job' }),
  key: T.String({ description: 'what the job was for, if it exists for several things' }),
  tries: T.Integer(),
  error: T.String({ description: 'error of the last attempt' }),
  createdAt: Time,
  failedAt: Nullable(Time),
}

/** A background job that was abandoned after its last retry. */
export const FailedJob = T.Object(facts, { $id: 'FailedJob' })
export const FailedJobDetail = T.Object(
  { ...facts, stack: T.String({ description: 'stack trace of the error' }) },
  { $id: 'FailedJobDetail' },
)

const params = T.Object({ id: JobId })

export const failedJobs = {
  list: get('/console-api/v1/failed-jobs', {
    summary: 'List the 200 newest abandoned background jobs; kept for 7 days',
    access: 'operator',
    permission: 'system',
    reply: T.Array(FailedJob),
  }),
  detail: get('/console-api/v1/failed-jobs/{id}', {
    summary: 'Get an abandoned background job',
    access: 'operator',
    permission: 'system',
    params,
    reply: FailedJobDetail,
    errors: ['job.not_found'],
  }),
  retry: post('/console-api/v1/failed-jobs/{id}/retry', {
    summary: 'Retry an abandoned background job, within 30 seconds',
    access: 'operator',
    permission: 'system',
    params,
    reply: T.Null(),
    errors: ['job.not_found'],
  }),
  discard: del('/console-api/v1/failed-jobs/{id}', {
    summary: 'Delete an abandoned background job',
    access: 'operator',
    permission: 'system',
    params,
    reply: T.Null(),
    errors: ['job.not_found'],
  }),
}
