// `npm run check`: all static checks. One line per check, with the whole output of a failed one.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { install, isMain, projectEnv, root } from './install.mjs'
import { run } from './run.mjs'

const code = ['apps', 'packages', 'e2e', 'bench', 'scripts']

/** Runs every check and returns how many passed and failed. */
export async function runChecks() {
  // First, because the compiler and knip read the files it generates.
  const messages = await check('messages', 'node --run messages', 'apps/portal')
  const queue = [
    ['database types', 'node scripts/db-types.ts --check'],
    ['format and lint', 'biome check --error-on-warnings --max-diagnostics=100 --colors=off'],
    ...(await compilerProjects()).map((file) => [`types ${file}`, `tsc --project ${file}`]),
    ['imports', `depcruise --config .dependency-cruiser.cjs ${code.join(' ')}`],
    ['areas', 'node scripts/areas.ts'],
    ['styles', 'node scripts/styles.ts'],
    ['unused files, exports, packages', 'knip --no-progress --no-config-hints'],
    ['maps', 'node scripts/maps.ts --check'],
    ['tests that security.md names', 'node scripts/security.ts'],
    ['reason for each dependency', 'node scripts/libraries.ts'],
    ['lock file', 'node scripts/lock.mjs --check'],
  ]
  const results = [messages]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results.push(await check(...next))
  }
  await Promise.all([worker(), worker()])
  const failed = results.filter((ok) => !ok).length
  return { passed: results.length - failed, failed }
}

/** Every tsconfig file of the root and of the workspaces. */
async function compilerProjects() {
  const inside = ['apps', 'packages'].map(async (folder) =>
    (await readdir(path.join(root, folder))).map((name) => path.join(folder, name)),
  )
  const folders = ['.', ...(await Promise.all(inside)).flat(), 'e2e', 'bench']
  const files = folders.map(async (folder) =>
    (await readdir(path.join(root, folder)))
      .filter((name) => /^tsconfig(\.\w+)?\.json$/.test(name) && name !== 'tsconfig.base.json')
      .map((name) => path.join(folder, name)),
  )
  return (await Promise.all(files)).flat()
}

async function check(name, command, folder = '.') {
  const [program, ...args] = command.split(' ')
  const { code, text, seconds } = await run(program, args, {
    cwd: path.join(root, folder),
    env: projectEnv,
    output: 'capture',
  })
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`)
  if (code !== 0) console.log(text.trim().replaceAll(/^/gm, '       '))
  return code === 0
}

if (isMain(import.meta.url)) {
  await install()
  const { passed, failed } = await runChecks()
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
