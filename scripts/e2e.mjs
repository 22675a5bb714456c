// `npm run e2e [-- Playwright's arguments]`: the browser tests against the real server.
import path from 'node:path'
import { findBrowser } from './browser.mjs'
import { buildPortal } from './build.mjs'
import { install, projectEnv, root } from './install.mjs'
import { run, stopWith } from './run.mjs'

await install()
const browser = await findBrowser()
if (!browser) process.exit(1)
if (!(await buildPortal())) stopWith('The portal could not be built; the reason is above.')
const { code } = await run('playwright', ['test', ...process.argv.slice(2)], {
  cwd: path.join(root, 'e2e'),
  env: { ...projectEnv, ...browser },
})
process.exitCode = code
