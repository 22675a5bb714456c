// Installs the packages of the lock file. Plain JavaScript on any Node from 20: it runs before anything is installed.
import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, stopWith } from './run.mjs'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
/** The project's own Node; the system's Node only starts these scripts. */
export const node = path.join(
  root,
  process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/.bin/node',
)

/** Environment in which `node` and installed commands resolve to the project's own. */
export const projectEnv = {
  ...process.env,
  PATH: [path.dirname(node), path.join(root, 'node_modules/.bin'), process.env.PATH].join(
    path.delimiter,
  ),
  // Caches compiled modules between starts: compiling takes a third of the start-up time.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, 'node_modules/.cache/node'),
}

/** Runs npm only if node_modules differs from the lock file. */
export async function install() {
  if (Number.parseInt(process.versions.node, 10) < 20)
    stopWith(`Atrium needs Node 20 or newer to start; this is ${process.version}.`)
  if (await isInstalled()) return
  console.log('Installing packages (once, about a minute) …')
  const { code, missing } = await npmCi(root)
  if (missing)
    stopWith(
      'Atrium needs npm to install its packages, and no npm was found. Install npm, then try again.',
    )
  if (code !== 0)
    stopWith('npm could not install the packages; its error is above. Nothing was started.')
  if (!(await isInstalled()))
    stopWith('npm finished, but node_modules does not match package-lock.json. Try: npm ci')
}

/** Installs the packages of a folder's lock file into its node_modules. */
export function npmCi(folder) {
  // If npm started this script, the same npm; otherwise the one on PATH.
  const npmScript =
    /npm-cli\.[cm]?js$/.test(process.env.npm_execpath ?? '') && process.env.npm_execpath
  const [command, ...commandArgs] = npmScript ? [process.execPath, npmScript] : ['npm']
  // Explicit, because a user's npm settings or NODE_ENV could override them. Warnings concern the system's Node, which
  // runs none of these packages.
  const settings = [
    '--include=dev',
    '--include=optional',
    '--ignore-scripts=false',
    '--loglevel=error',
  ]
  return run(command, [...commandArgs, 'ci', ...settings], {
    cwd: folder,
    env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
  })
}

/** Compares npm's record of node_modules with a lock file: this checkout's, or that of another version. */
export async function isInstalled(lock = path.join(root, 'package-lock.json')) {
  const record = path.join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record) || !existsSync(node)) return false
  const [installed, required] = await Promise.all([readPackages(record), readPackages(lock)])
  return Object.entries(required)
    .filter(([place]) => place.includes('node_modules/'))
    .every(([place, { version, optional, devOptional }]) => {
      const found = installed[place]
      return found ? found.version === version : Boolean(optional ?? devOptional)
    })
}

async function readPackages(file) {
  return JSON.parse(await readFile(file, 'utf8')).packages
}

/** Whether a script was run directly rather than imported. */
export const isMain = (url) => realpathSync(process.argv[1] ?? '.') === fileURLToPath(url)
