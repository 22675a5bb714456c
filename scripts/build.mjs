// Builds the portal if its sources have changed. `npm run build`, and part of every start.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { install, isMain, node, projectEnv, root } from './install.mjs'
import { run, stopWith } from './run.mjs'

const portal = path.join(root, 'apps/portal')
const dist = path.join(portal, 'dist')
// Vite empties the folder first, so a failed build leaves no stamp.
const stamp = path.join(dist, '.built-from')
const notSources = /^(node_modules|dist|paraglide|cache|README\.md|\..*|.*\.test\.tsx?)$/

/** Returns false if the build failed. */
export async function buildPortal() {
  const sources = await hashOf([
    portal,
    'packages/contract/src',
    'packages/rules/src',
    'package-lock.json',
  ])
  const built = existsSync(path.join(dist, 'index.html')) && existsSync(stamp)
  if (built && (await readFile(stamp, 'utf8')) === sources) return true
  console.log('Building the portal …')
  const build = { cwd: portal, env: projectEnv, output: 'capture' }
  const { code, text } = await run(node, ['build.ts'], build)
  console.log(code === 0 ? text.trim().split('\n').at(-1) : text)
  if (code === 0) await writeFile(stamp, sources)
  return code === 0
}

async function hashOf(places) {
  const hash = createHash('sha256')
  for (const place of places) {
    for (const file of await filesIn(path.resolve(root, place))) {
      hash.update(`${path.relative(root, file)}\0`).update(await readFile(file))
    }
  }
  return hash.digest('hex')
}

async function filesIn(place) {
  const entries = await readdir(place, { withFileTypes: true }).catch(() => undefined)
  if (!entries) return [place]
  const sources = entries.filter((entry) => !notSources.test(entry.name))
  const names = sources.map((entry) => path.join(place, entry.name)).sort()
  return (await Promise.all(names.map(filesIn))).flat()
}

if (isMain(import.meta.url)) {
  await install()
  if (!(await buildPortal())) stopWith('The portal could not be built; the reason is above.')
  console.log('The portal is built: apps/portal/dist')
}
