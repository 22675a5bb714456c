import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import type { Logger } from 'pino'
import { StartError } from '#platform/environment.ts'

/** How to start the server of a cluster. */
export type Command = {
  program: string
  arguments: string[]
  cluster: string
  /** path of its Unix socket */
  socket: string
  owner: { uid?: number; gid?: number }
}

/** Where to report an unexpected exit of PostgreSQL, and what to call when it cannot be restarted. */
export type Watch = { log: Logger; giveUp: (reason: string) => void }

export type Postmaster = { stop: () => Promise<void> }

/** Long, because after a crash PostgreSQL replays the WAL since the last checkpoint before it accepts connections. */
const startSeconds = 600
/** After a kill, child processes can linger for a moment, and PostgreSQL does not wait for them. */
const lingerSeconds = 45
const pauses = [0.2, 1, 2, 4, 8, 15] as const
/** Consecutive failed starts before giving up; a full disk does not count. */
const maxTries = 6
/** A server that ran this long was healthy: the count restarts. */
const wellSeconds = 60

type Process = { child: ChildProcess; ended: Promise<string>; words: () => string }
class NotStarted extends Error {}

/**
 * Runs PostgreSQL until it is stopped. With a watch, an unexpected exit leads to restarts after growing pauses: without
 * limit while the disk is full, otherwise up to `maxTries` times.
 * @throws StartError if the first start fails
 */
export async function runPostmaster(command: Command, watch?: Watch): Promise<Postmaster> {
  let stopping = false
  let running: Process | undefined
  let wakeUp = () => {}

  const begin = async () => {
    const begun = await startPatiently(
      command,
      (process) => {
        running = process
      },
      () => stopping,
    )
    // The child must not keep this process alive; `stop` waits for it.
    begun.child.unref()
    ;(begun.child.stderr as unknown as { unref?: () => void }).unref?.()
    return begun
  }

  async function keepRunning({ log, giveUp }: Watch, first: Process) {
    let current = first
    for (let tries = 0; ; ) {
      const since = Date.now()
      const how = await current.ended
      if (stopping) return
      if (Date.now() - since > wellSeconds * 1000) tries = 0
      log.error(
        { last: lastLine(current.words()) },
        `the embedded database ended by itself (${how}) and is started again`,
      )
      for (let begun: Process | undefined; !begun; ) {
        await new Promise<void>((resolve) => {
          wakeUp = resolve
          setTimeout(resolve, (pauses[tries] ?? pauses[5]) * 1000)
        })
        if (stopping) return
        tries += 1
        try {
          begun = await begin()
          current = begun
          log.warn('the embedded database runs again')
        } catch (error) {
          if (stopping) return
          const reason = (error as Error).message
          if (error instanceof NoRoom) tries = Math.min(tries, pauses.length)
          else if (!(error instanceof StartError) || tries >= maxTries) return giveUp(reason)
          log.error(`${reason} The next try is in ${pauses[tries] ?? pauses[5]} s.`)
        }
      }
    }
  }

  const first = await begin()
  const kept = watch && keepRunning(watch, first)
  return {
    async stop() {
      stopping = true
      wakeUp()
      const last = running
      if (last && isAlive(last.child)) {
        last.child.kill('SIGINT')
        last.child.ref()
      }
      await last?.ended
      await kept
    },
  }
}

class NoRoom extends StartError {}

async function startPatiently(
  command: Command,
  began: (process: Process) => void,
  stopping: () => boolean,
): Promise<Process> {
  for (const patience = Date.now() + lingerSeconds * 1000; ; await pause(250)) {
    const process = spawnPostgres(command)
    began(process)
    try {
      await becomesReady(process, command.socket)
      return process
    } catch (error) {
      if (!(error instanceof NotStarted)) throw error
      const words = process.words()
      if (!stopping() && Date.now() < patience && isLingering(words)) continue
      if (/No space left on device/.test(words))
        throw new NoRoom(
          `There is no room left where ${command.cluster} is, and the database needs some to start. Free some space; nothing is lost.`,
        )
      throw new StartError(
        `The embedded database in ${command.cluster} did not start: ${lastLine(words) || error.message}`,
      )
    }
  }
}

function spawnPostgres(command: Command): Process {
  const child = spawn(command.program, command.arguments, {
    ...command.owner,
    cwd: command.cluster,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Own process group: Ctrl-C reaches only us, and we stop PostgreSQL after the requests in flight.
    detached: true,
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    words = (words + chunk).slice(-4000)
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => {
      words += error.message
      resolve(error.message)
    })
  })
  return { child, ended, words: () => words }
}

const isAlive = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

async function becomesReady({ child, ended, words }: Process, socket: string) {
  const deadline = Date.now() + startSeconds * 1000
  while (!words().includes('ready to accept connections') || !(await acceptsConnections(socket))) {
    if (!isAlive(child)) throw new NotStarted(await ended)
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      throw new NotStarted(`it was not ready after ${startSeconds} s`)
    }
    await pause(20)
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const isLingering = (words: string) =>
  /lock file .* already exists|pre-existing shared memory block|is still in use/.test(words)

export const lastLine = (output: string) => output.trim().split('\n').at(-1) ?? ''

export const acceptsConnections = (socket: string) =>
  new Promise<boolean>((resolve) => {
    const connection = connect(socket)
    connection.once('connect', () => {
      connection.destroy()
      resolve(true)
    })
    connection.once('error', () => resolve(false))
  })
