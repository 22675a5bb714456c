// `npm start`: from a fresh clone to the demo institution at http://localhost:8080. `npm run serve`: the same for a
// real institution, without the demo.
import { buildPortal } from './build.mjs'
import { planCampus } from './campus.mjs'
import { install, node, projectEnv, root } from './install.mjs'
import { run, stopAll, stopWith } from './run.mjs'

const isDemo = process.argv[2] !== 'serve' && (process.env.ATRIUM_DEMO ?? '1') === '1'

await install()
if (!(await buildPortal())) stopWith('The portal could not be built; the reason is above.')

const port = Number(process.env.PORT ?? 8080)
// If the address of the demo's systems is configured, they are run by somebody else.
const campus =
  isDemo && !process.env.ATRIUM_CAMPUS_URL && port > 0
    ? await planCampus(process.env.ATRIUM_PUBLIC_URL ?? `http://localhost:${port}`, port)
    : undefined
const server = run(node, ['apps/server/src/main.ts'], {
  cwd: root,
  env: { ...projectEnv, ...(isDemo && { ATRIUM_DEMO: '1' }), ...campus?.variables },
})
const campusRun =
  campus && run(...campus.command, { cwd: root, env: { ...projectEnv, ...campus.env } })
const { code } = await server
stopAll()
await campusRun
process.exitCode = code
