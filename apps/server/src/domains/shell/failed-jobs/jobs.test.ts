import { PassThrough } from 'node:stream'
import { audit } from '@atrium/contract/identity/operators.operator'
import { failedJobs } from '@atrium/contract/shell/failed-jobs.operator'
import { expect, onTestFinished, test } from 'vitest'
import { startJobs } from '#platform/jobs.ts'
import { openLog } from '#platform/log.ts'
import { metrics } from '#platform/metrics.ts'
import { queueOf } from '../../../../test/queue-of.ts'
import { until } from '../../../../test/server-process.ts'
import { testApp } from '../../../../test/test-app.ts'

const never = '0 0 1 1 *'

test('operators see a failed job and can retry or discard it', async () => {
  const { as, visitor, url } = await testApp()
  const admin = await as('admin')
  expect((await admin(failedJobs.list)).data).toEqual([])
  expect((await visitor(failedJobs.list)).error).toBe('session.required')
  expect((await (await as('teacher'))(failedJobs.list)).error).toBe('session.forbidden')

  let works = false
  let done = 0
  const written = new PassThrough()
  let log = ''
  written.on('data', (chunk) => {
    log += chunk
  })
  const running = startJobs(url, openLog('error', written), [
    {
      name: 'test-failing',
      cron: never,
      async run() {
        if (!works)
          throw Object.assign(new Error('the scale is broken'), { detail: 'Zhang San, 42 kg' })
        done += 1
      },
    },
  ])
  onTestFinished(running.stop)
  const boss = await queueOf(url)
  await until(async () => boss.getQueue('test-failing'))
  for (let time = 0; time < 2; time++) await boss.send('test-failing', {}, { retryLimit: 0 })

  const list = await until(async () => {
    const { data } = await admin(failedJobs.list)
    return data.length === 2 && data
  })
  expect(list[0]).toMatchObject({
    job: 'test-failing',
    key: '',
    tries: 1,
    error: 'the scale is broken',
  })
  const [first, second] = list.map(({ id }) => id) as [string, string]
  const detail = await admin(failedJobs.detail, { params: { id: first } })
  expect(detail.data.stack).toContain('jobs.test.ts')
  expect(detail.raw).not.toContain('Zhang San')
  expect(log).toContain('a job failed')
  expect(log).not.toContain('Zhang San')
  expect(await metrics.metrics()).toContain(
    'atrium_jobs_total{job="test-failing",result="failed"} 2',
  )
  await until(async () => (await metrics.metrics()).includes('atrium_jobs_failed 2'))
  await until(() => log.includes('background jobs failed permanently'))

  const teacher = await as('teacher')
  for (const endpoint of [failedJobs.detail, failedJobs.retry, failedJobs.discard]) {
    expect((await teacher(endpoint, { params: { id: first } })).error).toBe('session.forbidden')
    const id = '00000000-0000-4000-8000-000000000000'
    expect((await admin(endpoint, { params: { id } })).error).toBe('job.not_found')
    expect((await admin(endpoint, { params: { id: '1' } })).error).toBe('request.invalid')
  }
  works = true
  expect((await admin(failedJobs.retry, { params: { id: first } })).status).toBe(200)
  expect((await admin(failedJobs.discard, { params: { id: second } })).status).toBe(200)
  await until(() => done === 1)
  expect((await admin(failedJobs.list)).data).toEqual([])
  expect((await admin(failedJobs.retry, { params: { id: first } })).error).toBe('job.not_found')
  const { list: entries } = (await admin(audit.list, { query: { action: 'failed-jobs' } })).data
  for (const [action, id] of [
    ['POST /console-api/v1/failed-jobs/{id}/retry', first],
    ['DELETE /console-api/v1/failed-jobs/{id}', second],
  ])
    expect(entries).toContainEqual(
      expect.objectContaining({ action, details: { params: { id } }, outcome: 'ok' }),
    )
}, 180_000)
