import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './server.ts'

const root = path.dirname(import.meta.dirname)

/** The development server of the portal, which alone serves the components' gallery. */
export async function startGallery() {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const vite: ChildProcess = spawn(
    process.execPath,
    [path.join(root, 'node_modules/vite/bin/vite.js'), '--port', String(port), '--strictPort'],
    {
      cwd: path.join(root, 'apps/portal'),
      env: { ...process.env, ATRIUM_TEXTS_READY: '1' },
      stdio: 'ignore',
    },
  )
  const deadline = Date.now() + 60_000
  while (!(await answers(`${url}/gallery/`))) {
    if (vite.exitCode !== null || Date.now() > deadline) {
      vite.kill()
      throw new Error('The development server did not start.')
    }
    await wait(100)
  }
  return { url: `${url}/gallery/`, stop: () => void vite.kill() }
}

const answers = async (url: string) => (await fetch(url).catch(() => undefined))?.ok === true
