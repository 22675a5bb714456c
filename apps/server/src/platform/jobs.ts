import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** A background job: `run` is told nothing but when to run, reads what is due and does it in batches. */
export type Job = {
  name: string
  /** five cron fields, in UTC */
  cron: string
  run: () => Promise<void>
}

export type Jobs = { stop: () => Promise<void> }

/** Runs each job on its schedule, on one node at a time. */
export async function startJobs(url: string, log: Logger, jobs: readonly Job[]): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: url, max: 2, application_name: 'atrium-jobs' })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error and goes on'))
  await boss.start()
  for (const job of jobs) {
    await boss.createQueue(job.name)
    await boss.schedule(job.name, job.cron)
    await boss.work(job.name, { pollingIntervalSeconds: 30 }, async () => {
      const started = performance.now()
      await job.run()
      log.info({ job: job.name, ms: Math.round(performance.now() - started) }, 'job done')
    })
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 10_000 }) }
}
