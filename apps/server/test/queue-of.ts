import { PgBoss } from 'pg-boss'
import { onTestFinished } from 'vitest'

/** The job queue of this database, to add jobs as their schedule does. Closed after the test. */
export async function queueOf(url: string) {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false })
  await boss.start()
  onTestFinished(() => boss.stop({ graceful: false }))
  return boss
}
