// `npm start`: everything from a fresh clone to the demo institution at http://localhost:8080.
// `npm run serve`: the same for a real institution, without the demo.
import { buildPortal } from './build.mjs'
import { install, node, projectEnv, root } from './install.mjs'
import { run, stopWith } from './run.mjs'

const demo = process.argv[2] === 'serve' ? {} : { ATRIUM_DEMO: process.env.ATRIUM_DEMO ?? '1' }

await install()
if (!(await buildPortal())) stopWith('The portal could not be built; the reason is above.')
const { code } = await run(node, ['apps/server/src/main.ts'], {
  cwd: root,
  env: { ...projectEnv, ...demo },
})
process.exitCode = code
