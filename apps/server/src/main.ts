import type { AddressInfo } from 'node:net'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { startOutbox } from '#platform/delivery/outbox-worker.ts'
import { readEnvironment, StartError } from '#platform/environment.ts'
import type { Host } from '#platform/http/serve.ts'
import { startJobs } from '#platform/jobs.ts'
import { openLog } from '#platform/log.ts'
import { followAllowFile } from '#platform/outbound/outbound-allow.ts'
import { openPlatform, type Platform } from '#platform/platform.ts'
import { recordNode } from '#platform/running-nodes.ts'
import { makeDataFolder } from '#platform/storage/data-folder.ts'
import { buildApp } from './app.ts'
import { openConfiguredDatabase, retryDuringOutage } from './database.ts'
import { prepareDemo } from './demo.ts'
import { areas, listJobs } from './domains.ts'

/** Exit code: the embedded database ended and cannot be restarted. */
const databaseLost = 3

/**
 * Configuration → listen → database → platform → ready. Listening first finds a port conflict before anything is made.
 */
async function start() {
  const env = readEnvironment(process.env)
  const log = openLog(env.ATRIUM_LOG_LEVEL)
  const host: Host = { platform: undefined }
  const app = await buildApp(env, log, host)
  await app.listen({ port: env.PORT, host: env.HOST }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new StartError(
        `Port ${env.PORT} is in use by another program. Stop that one, or choose another port with PORT.`,
      )
    if (error.code === 'EACCES')
      throw new StartError(
        `Port ${env.PORT} may not be used by this user. Choose one above 1023 with PORT.`,
      )
    throw new StartError(
      `Cannot listen on ${env.HOST}:${env.PORT}: ${error.message}. Check HOST and PORT.`,
    )
  })
  followAllowFile(env, process.env.ATRIUM_OUTBOUND_ALLOW, log)
  const port = () => (app.server.address() as AddressInfo | null)?.port ?? env.PORT

  const closing: (() => Promise<unknown>)[] = []
  let stopping = false
  async function stop(code: number) {
    if (stopping) return
    stopping = true
    host.draining = true
    // Force the exit if the stop hangs; everything acknowledged is already in the database.
    setTimeout(() => process.exit(code || 1), 20_000).unref()
    await app.close()
    host.platform = undefined
    for (const close of closing.reverse())
      await close().catch((error) => log.error({ err: error }, 'not closed cleanly'))
    process.exit(code)
  }
  /** Reports not ready first, so that load balancers, which poll /readyz, stop sending before the port closes. */
  async function drain() {
    // A service manager may signal the whole group and npm forwards signals: a second one must not speed up the stop.
    if (host.draining) return
    if (host.platform && env.ATRIUM_DRAIN_S > 0) {
      host.draining = true
      log.info(`stopping: no longer ready, still serving for ${env.ATRIUM_DRAIN_S} s`)
      await new Promise((resolve) => setTimeout(resolve, env.ATRIUM_DRAIN_S * 1000))
    }
    await stop(0)
  }
  process.on('SIGTERM', () => void drain())
  // Ctrl-C: somebody is waiting at a terminal.
  process.on('SIGINT', () => void stop(0))

  try {
    // Resized images, partial uploads and usually the secret are stored there, with any database.
    makeDataFolder(env.ATRIUM_DATA_DIR)
    const embedded = env.DATABASE_URL
      ? undefined
      : await startEmbeddedPostgres(env.ATRIUM_DATA_DIR, {
          log,
          giveUp(reason) {
            log.fatal(`the embedded database cannot be started again: ${reason}`)
            void stop(databaseLost)
          },
        })
    if (embedded) closing.push(embedded.stop)
    const url = await openConfiguredDatabase(env, log, embedded)
    const platform = await retryDuringOutage(log, () => openPlatform(env, log, url, port))
    closing.push(platform.close)
    closing.push(recordNode(platform, process.env).stop)
    const demo = await retryDuringOutage(log, () => prepareDemo(platform))
    if (stopping) return
    host.platform = platform
    log.info(`Atrium is ready at ${platform.origin()}`)
    if (demo) for (const line of demo) console.log(line)
    // Delayed so that the first requests after a start are not slowed down.
    setTimeout(() => void warmUp(platform), 1000).unref()
    if (env.ATRIUM_JOBS === 'on') {
      closing.push(startJobs(url, log, listJobs(platform)).stop)
      closing.push(startOutbox(platform).stop)
      for (const { workers } of areas)
        for (const worker of workers?.(platform) ?? []) closing.push(worker.stop)
    }
  } catch (error) {
    // Errors caused by the stop itself are ignored.
    if (stopping) return
    if (error instanceof StartError) say(error)
    else log.fatal({ err: error }, 'Atrium did not start')
    await stop(1)
  }
}

async function warmUp(platform: Platform) {
  for (const { name, warmUp } of areas)
    await warmUp?.(platform).catch((err) =>
      platform.log.debug({ err, area: name }, 'warm-up failed; the first request will take longer'),
    )
}

function say(error: unknown) {
  console.error(error instanceof StartError ? `Atrium did not start.\n${error.message}` : error)
}

start().catch((error) => {
  say(error)
  process.exit(1)
})
