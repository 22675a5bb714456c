import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

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

const run = (args: string[], input: string, env: Record<string, string>) =>
  new Promise<string>((resolve, reject) => {
    const command = execFile(
      process.execPath,
      ['apps/server/src/cli.ts', ...args],
      {
        cwd: root,
        env: {
          ...process.env,
          ATRIUM_DEMO: '1',
          ATRIUM_DATA_DIR: process.env.ATRIUM_E2E_DATA_DIR,
          ...env,
        },
      },
      (error, stdout, stderr) =>
        error ? reject(new Error(`${args.join(' ')}: ${stdout}${stderr}`)) : resolve(stdout),
    )
    command.stdin?.end(input)
  })
