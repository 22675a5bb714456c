import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { isOutage, logRecoverable } from '#platform/database/outage.ts'
import { loggedError } from './log.ts'
import { jobsDone, jobsFailed } from './metrics.ts'

/** A background job. `run` takes no arguments: it finds out what is due and processes it in batches. */
export type Job = {
  name: string
  /** five cron fields, in UTC */
  cron: string
  run: () => Promise<void>
}

/** A job with one schedule per item; operators change the schedules while the server runs. */
export type ScheduledJob = {
  name: string
  /** the items and when to run for each: five cron fields, in UTC */
  schedules: () => Promise<readonly { key: string; cron: string }[]>
  run: (key: string) => Promise<void>
}

/** Interval at which changed schedules are picked up. */
const scheduleSeconds = 60
/** Longer than any job takes: a job that times out would be started a second time. */
const maxSeconds = 6 * 3600

/** Time without a heartbeat after which a killed node's job restarts; with the intervals below within a minute. */
const heartbeatSeconds = 30
const lookSeconds = 10
const working = { pollingIntervalSeconds: 15 }
const retryLimit = 2
/** Interval at which failed jobs are counted. */
const failedSeconds = 30

export type Jobs = { stop: () => Promise<void> }

/**
 * Runs each job on its schedule, on one node at a time. Opens the queue in the background: while the database is
 * unavailable it retries after growing pauses, and the node keeps serving.
 */
export function startJobs(url: string, log: Logger, jobs: readonly (Job | ScheduledJob)[]): Jobs {
  let stopping = false
  let wakeUp = () => {}
  async function openUntilItWorks() {
    for (let pause = 1000; !stopping; pause = Math.min(pause * 2, 30_000)) {
      try {
        return await openQueue(url, log, jobs)
      } catch (error) {
        const next = `next try in ${pause / 1000} s`
        if (isOutage(error))
          log.warn(`the job queue waits for the database (${(error as Error).message}); ${next}`)
        else log.error({ err: error }, `the job queue cannot be opened; ${next}`)
        await new Promise<void>((resolve) => {
          wakeUp = resolve
          setTimeout(resolve, pause).unref()
        })
      }
    }
    return undefined
  }
  const opening = openUntilItWorks()
  return {
    // If the queue is still opening, `stop` waits for it; the database closes later.
    async stop() {
      stopping = true
      wakeUp()
      await (await opening)?.stop()
    },
  }
}

async function openQueue(url: string, log: Logger, jobs: readonly (Job | ScheduledJob)[]) {
  const boss = new PgBoss({
    connectionString: url,
    max: 2,
    application_name: 'atrium-jobs',
    superviseIntervalSeconds: lookSeconds,
    monitorIntervalSeconds: lookSeconds,
  })
  boss.on('error', (error) => logRecoverable(log, error, 'error in the job queue; it continues'))
  const timers: NodeJS.Timeout[] = []
  const stop = async () => {
    for (const timer of timers) clearInterval(timer)
    await boss.stop({ graceful: true, timeout: 10_000 })
  }
  try {
    await boss.start()
    for (const job of jobs) {
      await prepareQueue(boss, job.name)
      if ('schedules' in job) timers.push(await startScheduled(boss, log, job))
      else {
        await boss.schedule(job.name, job.cron)
        await boss.work(job.name, working, () => perform(log, { job: job.name }, job.run))
      }
    }
    timers.push(watchFailed(boss, log))
    return { stop }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

/** An existing queue from an older version gets the same settings. */
async function prepareQueue(boss: PgBoss, name: string) {
  const settings = { expireInSeconds: maxSeconds, heartbeatSeconds, retryLimit }
  await boss.createQueue(name, settings)
  await boss.updateQueue(name, settings)
}

async function startScheduled(boss: PgBoss, log: Logger, job: ScheduledJob) {
  const { name } = job
  await boss.work<{ key: string }>(name, working, async (due) => {
    for (const { data } of due)
      await perform(log, { job: name, key: data.key }, () => job.run(data.key))
  })
  async function arrange() {
    const wanted = new Map((await job.schedules()).map(({ key, cron }) => [key, cron]))
    for (const { key, cron } of await boss.getSchedules(name)) {
      if (!wanted.has(key)) await boss.unschedule(name, key)
      else if (wanted.get(key) === cron) wanted.delete(key)
    }
    for (const [key, cron] of wanted) await boss.schedule(name, cron, { key }, { key })
  }
  const arranged = () =>
    arrange().catch((error) =>
      logRecoverable(log, error, 'schedules could not be read', { job: name }),
    )
  await arranged()
  return setInterval(arranged, scheduleSeconds * 1000).unref()
}

/** Runs a job once. Only the loggable part of an error is stored in the queue, because operators read it. */
async function perform(log: Logger, what: { job: string; key?: string }, run: () => Promise<void>) {
  const started = performance.now()
  try {
    await run()
  } catch (error) {
    jobsDone.inc({ job: what.job, result: 'failed' })
    log.error({ err: error, ...what }, 'a job failed')
    const { message, stack } = loggedError(error) as { message?: string; stack?: string }
    throw Object.assign(new Error(message ?? String(error)), { stack })
  }
  jobsDone.inc({ job: what.job, result: 'done' })
  log.info({ ...what, ms: Math.round(performance.now() - started) }, 'job done')
}

/** Counts failed jobs, including those whose node died before it could log the failure. */
function watchFailed(boss: PgBoss, log: Logger) {
  let known = 0
  const look = async () => {
    const { rows } = await boss
      .getDb()
      .executeSql("select count(*)::integer as failed from pgboss.job where state = 'failed'", [])
    const failed = (rows[0] as { failed: number }).failed
    jobsFailed.set(failed)
    if (failed > known)
      log.error(
        { failed },
        'background jobs failed permanently: see GET /console-api/v1/failed-jobs',
      )
    known = failed
  }
  const looked = () =>
    look().catch((error) => logRecoverable(log, error, 'failed jobs could not be counted'))
  void looked()
  return setInterval(looked, failedSeconds * 1000).unref()
}
