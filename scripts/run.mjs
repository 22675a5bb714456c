// Child processes of the scripts: each in a process group of its own, and no group outlives the script that started it.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const running = new Set()
let stopping = false

/**
 * Runs a command to its end. `output: 'keep'` collects what it prints, `prefix` puts a word before each line, otherwise it
 * prints directly. `missing` says that there is no such command.
 */
export function run(command, args, { cwd, env = process.env, output = 'show', prefix } = {}) {
  const started = performance.now()
  const stdio = output === 'keep' || prefix ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit']
  // A group of its own: Ctrl-C reaches only this script, which then asks the child to stop, once.
  const child = spawn(command, args, { cwd, env, stdio, detached: process.platform !== 'win32' })
  running.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    if (prefix) createInterface(stream).on('line', (line) => console.log(`${prefix} ${line}`))
    else stream.setEncoding('utf8').on('data', (part) => (text += part))
  }
  return new Promise((done) => {
    const end = (code, missing = false) => {
      running.delete(child)
      signal(child, 'SIGKILL')
      done({ code, missing, text, seconds: (performance.now() - started) / 1000 })
    }
    child.on('error', (error) => end(127, error.code === 'ENOENT'))
    child.on('close', (code) => end(code ?? 1))
  })
}

/** Asks everything that runs to stop. */
export function stopAll(name = 'SIGTERM') {
  for (const child of running) signal(child, name)
}

export function stopWith(sentence) {
  console.error(sentence)
  stopAll('SIGKILL')
  process.exit(1)
}

function signal(child, name) {
  if (child.pid === undefined) return
  try {
    // A negative number means the whole group.
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, name)
  } catch {
    // It has ended already.
  }
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    // The first time it may finish what it is doing; the second time it may not.
    stopAll(stopping ? 'SIGKILL' : 'SIGTERM')
    stopping = true
    if (running.size === 0) process.exit(130)
  })
}
process.on('exit', () => stopAll('SIGKILL'))
