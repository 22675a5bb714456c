// `npm run look [-- <area> …]`: photographs every screen of these areas onto contact sheets under look/.
import { findBrowser } from './browser.mjs'
import { buildPortal } from './build.mjs'
import { install, node, projectEnv, root } from './install.mjs'
import { run, stopWith } from './run.mjs'

await install()
const browser = await findBrowser()
if (!browser) process.exit(1)
if (!(await buildPortal())) stopWith('The portal could not be built; the reason is above.')
const { code } = await run(node, ['e2e/look.ts', ...process.argv.slice(2)], {
  cwd: root,
  env: { ...projectEnv, ...browser },
})
process.exitCode = code
