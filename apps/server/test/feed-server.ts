import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

type Answer = (request: IncomingMessage, reply: ServerResponse) => void

/** A local site with feeds and pictures; the answer of each path can change. */
export async function feedServer() {
  const answers = new Map<string, Answer>()
  const asked: { path: string; headers: IncomingMessage['headers'] }[] = []
  let atOnce = 0
  let maxAtOnce = 0
  const server = createServer((request, reply) => {
    const path = request.url ?? '/'
    asked.push({ path, headers: request.headers })
    atOnce++
    maxAtOnce = Math.max(maxAtOnce, atOnce)
    reply.on('close', () => atOnce--)
    const answer = answers.get(path)
    if (answer) answer(request, reply)
    else reply.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    asked,
    maxAtOnce: () => maxAtOnce,
    address: (path: string) => `http://127.0.0.1:${port}${path}`,
    answer: (path: string, answer: Answer) => void answers.set(path, answer),
    /** Serves this body with these headers at this path. */
    hold: (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
      void answers.set(path, (_, reply) => reply.writeHead(200, headers).end(body)),
  }
}
