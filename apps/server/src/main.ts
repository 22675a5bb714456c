import type { AddressInfo } from 'node:net'
import { logoutRequest } from '#areas/central-login/logout-request.ts'
import { startOffice } from '#areas/files/office.ts'
import { writeReadings } from '#areas/news/reads.ts'
import { logoutToken } from '#areas/openid/logout-token.ts'
import { startLogouts } from '#areas/registry/logout-worker.ts'
import { readEnvironment, StartError } from '#platform/environment.ts'
import { startJobs } from '#platform/jobs.ts'
import { openLog } from '#platform/log.ts'
import { startOutbox } from '#platform/outbox-worker.ts'
import { openPlatform } from '#platform/platform.ts'
import type { Host } from '#platform/serve.ts'
import { buildApp } from './app.ts'
import { openConfiguredDatabase } from './database.ts'
import { prepareDemo } from './demo.ts'
import { jobs } from './jobs.ts'

/** configuration → listen → database → platform → ready. It listens first, so that a busy port is known before anything is made. */
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
  const port = () => (app.server.address() as AddressInfo | null)?.port ?? env.PORT

  const closing: (() => Promise<unknown>)[] = []
  let stopping = false
  async function stop(code: number) {
    if (stopping) return
    stopping = true
    host.platform = undefined
    // A stop that hangs is ended; what was acknowledged is already in the database.
    setTimeout(() => process.exit(1), 20_000).unref()
    await app.close()
    for (const close of closing.reverse())
      await close().catch((error) => log.error({ err: error }, 'not closed cleanly'))
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))

  try {
    const { url, embedded } = await openConfiguredDatabase(env, log)
    if (embedded) closing.push(embedded.stop)
    const platform = await openPlatform(env, log, url, port)
    closing.push(platform.close)
    closing.push(() => writeReadings(platform))
    const demo = await prepareDemo(platform)
    if (stopping) return
    host.platform = platform
    log.info(`Atrium is ready at ${platform.origin()}`)
    if (demo) for (const line of demo) console.log(line)
    if (env.ATRIUM_JOBS === 'on') {
      const running = startJobs(url, log, jobs(platform))
      // Registered before it runs: a stop that comes now waits for it, and the database outlives it.
      closing.push(async () => (await running).stop())
      closing.push(startOutbox(platform).stop)
      closing.push(startOffice(platform).stop)
      const sayLogout = {
        cas: logoutRequest,
        oidc: (key: string, code: string) => logoutToken(platform, key, code),
      }
      closing.push(startLogouts(platform, sayLogout).stop)
      await running
    }
  } catch (error) {
    // What fails because it is being stopped is not worth a word.
    if (stopping) return
    say(error)
    await stop(1)
  }
}

function say(error: unknown) {
  console.error(error instanceof StartError ? `Atrium did not start.\n${error.message}` : error)
}

start().catch((error) => {
  say(error)
  process.exit(1)
})
