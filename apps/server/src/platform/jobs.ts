import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** A background job: `run` is told nothing but when to run, reads what is due and does it in batches. */
export type Job = {
  name: string
  /** five cron fields, in UTC */
  cron: string
  run: () => Promise<void>
}

/** A job with as many schedules as there are things to do it for; they are set by operators while the server runs. */
export type ScheduledJob = {
  name: string
  /** what to do it for, and when: five cron fields, in UTC */
  schedules: () => Promise<readonly { key: string; cron: string }[]>
  run: (key: string) => Promise<void>
}

/** How soon a schedule that was changed holds. */
const scheduleSeconds = 60
/** Longer than any of these takes: one that is given up would be begun a second time. */
const longestSeconds = 6 * 3600

export type Jobs = { stop: () => Promise<void> }

/** Runs each job on its schedule, on one node at a time. */
export async function startJobs(
  url: string,
  log: Logger,
  jobs: readonly (Job | ScheduledJob)[],
): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: url, max: 2, application_name: 'atrium-jobs' })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error and goes on'))
  await boss.start()
  const timers: NodeJS.Timeout[] = []
  for (const job of jobs) {
    if ('schedules' in job) {
      timers.push(await startScheduled(boss, log, job))
      continue
    }
    await boss.createQueue(job.name)
    await boss.schedule(job.name, job.cron)
    await boss.work(job.name, { pollingIntervalSeconds: 30 }, async () => {
      const started = performance.now()
      await job.run()
      log.info({ job: job.name, ms: Math.round(performance.now() - started) }, 'job done')
    })
  }
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
      return boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

async function startScheduled(boss: PgBoss, log: Logger, job: ScheduledJob) {
  const { name } = job
  await boss.createQueue(name, { retryLimit: 0, expireInSeconds: longestSeconds })
  await boss.work<{ key: string }>(name, { pollingIntervalSeconds: 30 }, async (due) => {
    for (const { data } of due) await job.run(data.key)
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
    arrange().catch((error) => log.warn({ err: error, job: name }, 'schedules could not be read'))
  await arranged()
  return setInterval(arranged, scheduleSeconds * 1000).unref()
}
