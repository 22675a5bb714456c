import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../apps/server/test/free-port.ts'

const root = path.dirname(import.meta.dirname)

export type Server = {
  pid: number
  port: number
  /** Milliseconds from the start of the process until it first reports ready. */
  readyAfter: number
  stop: () => Promise<void>
}

/** Starts the real server, as `npm start` does. */
export async function startAtrium(variables: Record<string, string>): Promise<Server> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // As in scripts/install.mjs, so that start-up matches an operator's.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
      HOST: '127.0.0.1',
      ATRIUM_DRAIN_S: '0',
      PORT: String(port),
      ATRIUM_LOG_LEVEL: 'error',
      ...variables,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = createStop(child)
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error('the server did not start; its reason is above')
    if (performance.now() - started > 300_000) {
      await stop()
      throw new Error('the server was not ready within five minutes')
    }
    await wait(5)
  }
  return { pid: child.pid as number, port, readyAfter: performance.now() - started, stop }
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  )

/** Starts a program of this folder, which answers each message with one message. */
export function startProgram(name: 'loader' | 'baseline-server' | 'hashing' | 'resizing') {
  const child = fork(path.join(import.meta.dirname, `${name}.ts`))
  let reply = Promise.withResolvers<unknown>()
  child.on('message', (answer) => reply.resolve(answer))
  child.on('exit', () => reply.resolve({ error: `${name} ended` }))
  return {
    pid: child.pid as number,
    stop: createStop(child),
    async request<Answer>(message: object): Promise<Answer> {
      reply = Promise.withResolvers()
      child.send(message)
      const answer = (await reply.promise) as Answer & { error?: string }
      if (answer.error) throw new Error(answer.error)
      return answer
    },
  }
}
export type Program = ReturnType<typeof startProgram>

const createStop = (child: ChildProcess) => async () => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

// ---- process data from the kernel ----

/** The kernel counts CPU time in hundredths of a second. */
const ticks = 100

/** Total CPU seconds of these processes, including all threads and ended children. */
export const cpuSeconds = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => {
    const times = statFields(pid)?.slice(11, 15).map(Number) ?? []
    return times.reduce((all, time) => all + time, sum * ticks) / ticks
  }, 0)

/** A process's descendants; with a name, only those running that program. */
export function descendants(pid: number, program?: string): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statFields(Number(name))?.[1])] as const)
  const found = [pid]
  for (const ancestor of found)
    found.push(...parents.filter(([, parent]) => parent === ancestor).map(([child]) => child))
  return found.slice(1).filter((child) => !program || programOf(child) === program)
}

/** Memory of these processes in MB; shared memory is counted once. */
export const memoryMb = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readProc(pid, 'smaps_rollup'))?.[1]
    return sum + Number(kilobytes ?? 0) / 1024
  }, 0)

/** The fields of /proc/<pid>/stat after the name, which may itself contain spaces. */
const statFields = (pid: number) => {
  const text = readProc(pid, 'stat')
  return text === '' ? undefined : text.split(') ').at(-1)?.split(' ')
}
const programOf = (pid: number) => readProc(pid, 'comm').trim()

function readProc(pid: number, file: string) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // the process has ended
  }
}
