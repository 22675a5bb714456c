// `npm run dev`: the server, restarted when a file changes, and the portal with hot reload. Both end together.
import path from 'node:path'
import { install, node, projectEnv, root } from './install.mjs'
import { run, stopAll } from './run.mjs'

const port = process.env.PORT ?? '8080'

await install()
const server = run(node, ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], {
  cwd: root,
  env: { ...projectEnv, ATRIUM_DEMO: process.env.ATRIUM_DEMO ?? '1', PORT: port },
  prefix: 'server |',
})
const portal = run(node, [path.join(root, 'node_modules/vite/bin/vite.js')], {
  cwd: path.join(root, 'apps/portal'),
  env: { ...projectEnv, ATRIUM_DEV_SERVER: `http://localhost:${port}` },
  prefix: 'portal |',
})
await Promise.race([server, portal])
stopAll()
await Promise.all([server, portal])
