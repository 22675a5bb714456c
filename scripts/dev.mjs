// `npm run dev`: the server, restarted on file changes, and the portal with hot reload. Both end together.
import path from 'node:path'
import { planCampus } from './campus.mjs'
import { install, node, projectEnv, root } from './install.mjs'
import { run, stopAll } from './run.mjs'

const port = process.env.PORT ?? '8080'
/** The portal's address in the browser, so the central login must redirect here as well. */
const portalPort = process.env.ATRIUM_DEV_PORT ?? '5173'

const vite = path.join(root, 'node_modules/vite/bin/vite.js')

await install()
const campus = await planCampus(`http://localhost:${portalPort}`, Number(port))
const server = run(node, ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], {
  cwd: root,
  env: {
    ATRIUM_DEMO: '1',
    // A restart after a change must not wait.
    ATRIUM_DRAIN_S: '0',
    ATRIUM_PUBLIC_URL: `http://localhost:${portalPort}`,
    ...campus.variables,
    ...projectEnv,
    PORT: port,
  },
  prefix: 'server |',
})
const portal = run(node, [vite, '--port', portalPort, '--strictPort'], {
  cwd: path.join(root, 'apps/portal'),
  env: { ...projectEnv, ATRIUM_DEV_SERVER: `http://localhost:${port}` },
  prefix: 'portal |',
})
const campusRun = run(...campus.command, {
  cwd: root,
  env: { ...projectEnv, ...campus.env },
  prefix: 'campus |',
})
await Promise.race([server, portal])
stopAll()
await Promise.all([server, portal, campusRun])
