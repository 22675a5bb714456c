import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { onTestFinished, test } from 'vitest'
import { startJobs } from '#platform/jobs.ts'
import { openLog } from '#platform/log.ts'
import { queueOf } from '../../../../test/queue-of.ts'
import { until } from '../../../../test/server-process.ts'
import { testApp } from '../../../../test/test-app.ts'

// The queue notices after a minute, so this test has a file and with it a worker of its own.
test('a job of a killed node is restarted by another node', async () => {
  const { url } = await testApp()
  const file = path.join(import.meta.dirname, '../../../../test/hanging-job.ts')
  const node = spawn(process.execPath, [file, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void node.kill('SIGKILL'))
  const boss = await queueOf(url)
  await until(async () => boss.getQueue('test-hanging'))
  await boss.send('test-hanging', {})
  await once(node.stdout, 'data')
  node.kill('SIGKILL')
  await once(node, 'exit')

  const taken = Promise.withResolvers<void>()
  const running = startJobs(url, openLog('silent'), [
    { name: 'test-hanging', cron: '0 0 1 1 *', run: async () => taken.resolve() },
  ])
  onTestFinished(running.stop)
  await taken.promise
}, 180_000)
