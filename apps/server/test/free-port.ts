import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of the loopback address that nothing listens on, and that the system gives nobody by itself meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!free) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
