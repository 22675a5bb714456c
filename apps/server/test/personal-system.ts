import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type AskedSystem = {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}
type Answer = (asked: AskedSystem, reply: ServerResponse) => unknown

/** A system of the institution with personal data: configurable answers by path, and recorded requests. */
export async function openPersonalSystem() {
  const answers = new Map<string, Answer>()
  const asked: AskedSystem[] = []
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const url = new URL(request.url ?? '/', 'http://system.example')
    const one = { method: request.method ?? '', url, headers: request.headers, body }
    asked.push(one)
    const answer = answers.get(url.pathname)
    if (answer) await answer(one, reply)
    else reply.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    allow: `127.0.0.1/32:${port}`,
    asked,
    answers,
    /** Sets the JSON answer of a path. */
    hold(path: string, body: (asked: AskedSystem) => unknown, status = 200) {
      answers.set(path, (one, reply) =>
        reply
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(body(one))),
      )
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
