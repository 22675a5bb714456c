import { Readable } from 'node:stream'
import { runCommand } from '../apps/server/src/cli/run-command.ts'

export type CommandRequest = { args: string[]; input: string; env: NodeJS.ProcessEnv }
export type CommandResult = { exitCode: number; output: string; errors: string }

// Runs commands one after the other: loading the program for each takes several times as long as most commands. Whether a
// command loads what it needs is left to the tests of the command line, which start a process each.
let previous = Promise.resolve()
process.on('message', (request: CommandRequest) => {
  previous = previous.then(async () => {
    process.send?.(await run(request))
  })
})
process.on('disconnect', () => process.exit())

async function run({ args, input, env }: CommandRequest): Promise<CommandResult> {
  const texts = { stdout: '', stderr: '' }
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name]
    process[name].write = ((text: string | Uint8Array, ...rest: unknown[]) => {
      texts[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    }) as typeof write
    return () => {
      process[name].write = write
    }
  })
  process.env = env
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true })
  try {
    await runCommand(args)
  } finally {
    for (const one of restore) one()
  }
  return { exitCode: Number(process.exitCode), output: texts.stdout, errors: texts.stderr }
}
