import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../apps/server/test/free-port.ts'

const root = path.dirname(import.meta.dirname)
const built = path.join(import.meta.dirname, 'results/gallery')

/** Builds and serves the gallery of the portal's components. */
export async function startGallery() {
  const [code] = await once(vite('build', '--emptyOutDir'), 'exit')
  if (code !== 0) throw new Error('The gallery could not be built.')
  const port = await freePort()
  const url = `http://localhost:${port}/gallery/`
  const server = vite('preview', '--port', String(port), '--strictPort')
  while (!(await isServing(url))) {
    if (server.exitCode !== null) throw new Error('The gallery could not be served.')
    await wait(100)
  }
  return { url, stop: () => void server.kill() }
}

function vite(command: string, ...more: string[]): ChildProcess {
  const program = path.join(root, 'node_modules/vite/bin/vite.js')
  const args = ['--config', 'gallery/vite.config.ts', '--outDir', built, ...more]
  return spawn(process.execPath, [program, command, ...args], {
    cwd: path.join(root, 'apps/portal'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const isServing = async (url: string) => (await fetch(url).catch(() => undefined))?.ok === true
