import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Asked = { q: string[]; source: string; target: string; format: string; api_key?: string }
type Behaviour = (response: ServerResponse, asked: Asked) => unknown

/** A small server for LibreTranslate's protocol that records its requests. */
export async function openTranslationServer(port = 0) {
  const asked: Asked[] = []
  let behaviour: Behaviour = marked
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.method !== 'POST' || request.url !== '/translate')
      return response.writeHead(404).end()
    const one = JSON.parse(text) as Asked
    asked.push(one)
    await behaviour(response, one)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${taken}`,
    allow: `127.0.0.1/32:${taken}`,
    asked,
    /** Sets its behaviour and clears the recorded requests. */
    does(next: Behaviour) {
      asked.length = 0
      behaviour = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const answers = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** "Translates" each text to a statement of its length, keeping the tags. */
export const marked: Behaviour = (response, { q, target }) =>
  answers(response, {
    translatedText: q.map((piece) =>
      piece.replaceAll(/[^<>]+(?=<|$)/g, (text) =>
        target === 'en' ? `Translated, ${text.length} letters. ` : `译文，${text.length} 个字。`,
      ),
    ),
  })
