import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'

const program = '/usr/bin/redis-server'
/** Without it the tests of shared request limits are skipped; scripts/test-servers.mjs installs it if possible. */
export const hasRedis = existsSync(program)
if (!hasRedis)
  console.warn(
    'SKIPPED: the tests of shared request limits need redis-server (Debian: redis-server).',
  )

/** Starts a Redis without persistence on a free port; it can be killed and started again. */
export async function startRedis() {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  async function start() {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '']
    child = spawn(program, options, { stdio: 'ignore' })
    for (;;) {
      if (child.exitCode !== null) throw new Error('redis-server does not start')
      const client = new Redis(url, { lazyConnect: true, retryStrategy: null })
      client.on('error', () => {})
      const answer = await client.ping().catch(() => undefined)
      client.disconnect()
      if (answer) return
      await setTimeout(20)
    }
  }
  async function kill() {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await start()
  return { url, start, kill }
}
