import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findRunningPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import { freePort } from '../apps/server/test/free-port.ts'
import { makeVolatile } from '../apps/server/test/volatile-database.ts'

const root = path.dirname(import.meta.dirname)
const logFile = path.join(import.meta.dirname, 'results/server.log')

/**
 * Starts the real server with the demo institution, on a free port and in its own folder.
 * @param reaches further local ports the server may connect to
 * @param more further environment variables
 */
export async function startServer(
  reaches: readonly number[] = [],
  more: Readonly<Record<string, string>> = {},
) {
  // A short path, as it contains the database's socket; readable, because as root the database runs as another user.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-e2e-'))
  await chmod(folder, 0o711)
  // The data of a server that was filled and stopped: filling another takes as long as many tests. Copied with owners,
  // which the database requires.
  const filled = process.env.ATRIUM_E2E_FILLED
  // Additional settings may affect what a new server is filled with.
  if (filled && Object.keys(more).length === 0)
    await promisify(execFile)('cp', ['-a', filled, path.join(folder, 'data')])
  const port = await freePort()
  const sitePort = await freePort()
  const servicePort = await freePort()
  const probedPort = await freePort()
  const deskPort = await freePort()
  const tasksPort = await freePort()
  const inboxPort = await freePort()
  const offlineTasksPort = await freePort()
  const url = `http://localhost:${port}`
  await mkdir(path.dirname(logFile), { recursive: true })
  const log = createWriteStream(logFile)
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ATRIUM_DEMO: '1',
      ATRIUM_DATA_DIR: path.join(folder, 'data'),
      PORT: String(port),
      HOST: '127.0.0.1',
      ATRIUM_DRAIN_S: '0',
      // All tests share one address.
      ATRIUM_RATE_LIMIT: '0',
      // A small website, a service that receives logouts, one that goes down, one that receives tokens, three task
      // sources, and a port without a listener.
      ATRIUM_OUTBOUND_ALLOW: [
        sitePort,
        servicePort,
        probedPort,
        deskPort,
        tasksPort,
        inboxPort,
        offlineTasksPort,
        1,
        ...reaches,
      ]
        .map((one) => `127.0.0.1:${one}`)
        .join(','),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  server.stdout.pipe(log, { end: false })
  server.stderr.pipe(log, { end: false })
  const ended = new Promise((resolve) => server.once('exit', resolve))

  async function end() {
    server.kill('SIGTERM')
    await Promise.race([ended, wait(60_000).then(() => server.kill('SIGKILL'))])
    log.end()
  }
  const remove = () => rm(folder, { recursive: true, force: true })
  async function stop() {
    await end()
    await remove()
  }

  const deadline = Date.now() + 180_000
  while (!(await isReady(url))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`The server did not become ready:\n${await readFile(logFile, 'utf8')}`)
    }
    await wait(100)
  }
  const ports = {
    sitePort,
    servicePort,
    probedPort,
    deskPort,
    tasksPort,
    inboxPort,
    offlineTasksPort,
  }
  return { url, dataDir: path.join(folder, 'data'), ...ports, stop, end, remove }
}

/** Playwright's global setup: starts the server, publishes its address, and returns the function that stops it. */
export default async function setup() {
  const first = await startServer()
  // For the copies too.
  await makeVolatile(String(await findRunningPostgres(first.dataDir)))
  await first.end()
  process.env.ATRIUM_E2E_FILLED = first.dataDir
  const {
    url,
    dataDir,
    sitePort,
    servicePort,
    probedPort,
    deskPort,
    tasksPort,
    inboxPort,
    offlineTasksPort,
    stop,
  } = await startServer()
  process.env.ATRIUM_E2E_URL = url
  process.env.ATRIUM_E2E_DATA_DIR = dataDir
  process.env.ATRIUM_E2E_SITE_PORT = String(sitePort)
  process.env.ATRIUM_E2E_SERVICE_PORT = String(servicePort)
  process.env.ATRIUM_E2E_PROBED_PORT = String(probedPort)
  process.env.ATRIUM_E2E_DESK_PORT = String(deskPort)
  process.env.ATRIUM_E2E_INBOX_PORT = String(inboxPort)
  process.env.ATRIUM_E2E_OFFLINE_TASKS_PORT = String(offlineTasksPort)
  process.env.ATRIUM_E2E_TASKS_PORT = String(tasksPort)
  return async () => {
    await stop()
    await first.remove()
  }
}

async function isReady(url: string) {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined)
  return answer?.ok === true
}
