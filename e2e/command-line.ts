import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CommandRequest, CommandResult } from './command-process.ts'

const root = path.dirname(import.meta.dirname)

/**
 * Runs the operator's command line on the running server's installation. Only one import runs on a database at a time,
 * so it waits while another test's import is running.
 * @returns its output @throws its output, if it failed
 */
export async function atrium(
  args: string[],
  input = '',
  env: Record<string, string> = {},
): Promise<string> {
  for (;;)
    try {
      return await run(args, input, env)
    } catch (error) {
      if (!(error as Error).message.includes('Another import is running')) throw error
      await wait(500)
    }
}

let program: ChildProcess | undefined
/** Requests are answered in order. */
const pending: ((result: CommandResult | Error) => void)[] = []

/** The process that runs this worker's commands. */
function startProgram() {
  const child = fork(path.join(import.meta.dirname, 'command-process.ts'), { cwd: root })
  child.on('message', (result: CommandResult) => pending.shift()?.(result))
  child.once('exit', (code) => {
    program = undefined
    for (const settle of pending.splice(0)) settle(new Error(`the command line exited: ${code}`))
  })
  return child
}

const run = (args: string[], input: string, env: Record<string, string>) =>
  new Promise<string>((resolve, reject) => {
    program ??= startProgram()
    pending.push((result) => {
      if (result instanceof Error) reject(result)
      else if (result.exitCode === 0) resolve(result.output)
      else reject(new Error(`${args.join(' ')}: ${result.output}${result.errors}`))
    })
    const request: CommandRequest = {
      args,
      input,
      env: {
        ...process.env,
        ATRIUM_DEMO: '1',
        ATRIUM_DATA_DIR: process.env.ATRIUM_E2E_DATA_DIR,
        ...env,
      },
    }
    // The result of a process that has just ended is its end.
    program.send(request, () => {})
  })
