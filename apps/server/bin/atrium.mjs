#!/usr/bin/env node
// The operator's command line, under whatever Node the machine has: the project's own Node runs it.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(realpathSync(fileURLToPath(import.meta.url))), '../../..')
const node = path.join(
  root,
  process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/.bin/node',
)
const cli = path.join(root, 'apps/server/src/cli.ts')

if (!existsSync(node)) {
  console.error(`Atrium is not installed yet in ${root}. Run npm ci there, then try again.`)
  process.exitCode = 1
} else {
  const child = spawn(node, [cli, ...process.argv.slice(2)], {
    stdio: 'inherit',
    // As in the scripts: compiled modules are kept between starts.
    env: {
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
      ...process.env,
    },
  })
  // Ctrl-C reaches the child by the terminal; what is sent to this process alone is handed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
  })
}
