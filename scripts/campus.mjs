// The systems of the demo institution (examples/campus), which run beside the portal.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import path from 'node:path'
import { node, root } from './install.mjs'

/**
 * The address and the command of the systems: on the port after the portal's, or a free one.
 * @param portal the address at which members open the portal
 */
export async function planCampus(portal, portalPort) {
  const port = (await isFree(portalPort + 1)) ? portalPort + 1 : await freePort()
  const origin = `http://localhost:${port}`
  const secret = randomBytes(32).toString('hex')
  return {
    /** environment of the portal */
    variables: { ATRIUM_CAMPUS_URL: origin, ATRIUM_CAMPUS_SECRET: secret },
    command: [node, ['examples/campus/main.ts']],
    env: {
      PORTAL: portal,
      ORIGIN: origin,
      PORT: String(port),
      CAMPUS_SECRET: secret,
      CAMPUS_FILE: path.join(
        path.resolve(root, process.env.ATRIUM_DATA_DIR ?? '.atrium'),
        'campus.json',
      ),
    },
  }
}

const listenOn = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const boundPort = server.address().port
      server.close(() => resolve(boundPort))
    })
  })
const isFree = (port) =>
  listenOn(port).then(
    () => true,
    () => false,
  )
const freePort = () => listenOn(0)
