import { pino } from 'pino'
import { startJobs } from '#platform/jobs.ts'

// A separate node whose job never ends; the test kills it.
const [url = ''] = process.argv.slice(2)
startJobs(url, pino({ level: 'silent' }), [
  {
    name: 'test-hanging',
    cron: '0 0 1 1 *',
    run() {
      console.log('begun')
      return new Promise<void>(() => setInterval(() => {}, 1000))
    },
  },
])
