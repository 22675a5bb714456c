// Child processes of the scripts: each runs in its own process group, and no group outlives the script that started it.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const running = new Set()
let stopping = false

/**
 * Runs a command to its end and returns its exit code, its time in seconds and, with `output: 'capture'`, its output
 * instead of showing it. `prefix` is prepended to each line; after `timeoutSeconds` the command is stopped. `missing`:
 * the command does not exist.
 */
export async function run(command, args, options = {}) {
  const { cwd, env = process.env, output = 'inherit', prefix, timeoutSeconds = 0 } = options
  if (stopping) process.exit(130)
  const started = performance.now()
  const isInherited = output === 'inherit' && !prefix
  // Own group: Ctrl-C reaches only this script, which then stops the child once.
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: isInherited ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    timeout: timeoutSeconds * 1000,
  })
  running.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    if (prefix) createInterface(stream).on('line', (line) => console.log(`${prefix} ${line}`))
    else stream.setEncoding('utf8').on('data', (part) => (text += part))
  }
  const { code, missing } = await new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, missing: error.code === 'ENOENT' }))
    child.on('exit', async (exitCode) => {
      await endGroup(child)
      const result = { code: exitCode ?? 1, missing: false }
      if (isInherited || child.stdout.closed) resolve(result)
      else child.on('close', () => resolve(result))
    })
  })
  running.delete(child)
  if (stopping && running.size === 0) process.exit(code === 0 ? 0 : 130)
  return { code, missing, text, seconds: (performance.now() - started) / 1000 }
}

/** Signals all running children. */
export function stopAll(signal = 'SIGTERM') {
  for (const child of running) sendSignal(child, signal)
}

/** Ends the script with one sentence for the user. */
export function stopWith(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Processes that a child left behind get ten seconds to finish. */
async function endGroup(child) {
  if (!stopping) sendSignal(child, 'SIGTERM')
  for (let tries = 0; tries < 100 && sendSignal(child, 0); tries++) await sleep(100)
  sendSignal(child, 'SIGKILL')
}

/** @returns false if the group has already ended */
function sendSignal(child, signal) {
  if (child.pid === undefined) return false
  try {
    // A negative number addresses the whole group.
    return process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
  } catch {
    return false
  }
}

function stop(signal) {
  if (running.size === 0) process.exit(130)
  // The first signal lets children finish; the second one kills them.
  stopAll(stopping ? 'SIGKILL' : signal)
  stopping = true
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))

// Signalling npm ends npm and the shell between it and this script without reaching this script; a changed parent
// reveals that.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  // If the signal also arrived here, a second one would kill children that are finishing.
  if (!stopping) stop('SIGTERM')
}, 500)
if (process.env.npm_lifecycle_event) watch.unref()
else clearInterval(watch)

process.on('exit', () => stopAll('SIGKILL'))
