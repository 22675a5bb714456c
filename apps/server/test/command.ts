import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { testSecret } from './setup.ts'

/** Runs `npx atrium` as a separate process on this database and data folder. */
export function openCommand(url: string, dataDir: string) {
  function start(args: string[], variables: Record<string, string> = {}) {
    return spawn(process.execPath, [path.join(import.meta.dirname, '../src/cli.ts'), ...args], {
      env: {
        ...process.env,
        DATABASE_URL: url,
        ATRIUM_DATA_DIR: dataDir,
        ATRIUM_SECRET: testSecret,
        ATRIUM_DEMO: '',
        ...variables,
      },
      stdio: 'pipe',
    })
  }
  /** Waits for its end. @returns exit code and all output */
  async function atrium(args: string[], input = '', variables: Record<string, string> = {}) {
    const child = start(args, variables)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stdin.end(input)
    const [code] = (await once(child, 'close')) as [number]
    return { code, output }
  }
  return { start, atrium }
}
