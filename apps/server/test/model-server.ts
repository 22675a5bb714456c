import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Asked = {
  headers: IncomingMessage['headers']
  body: Record<string, unknown> & { messages: { role: string; content: string }[] }
}
type Behaviour = (response: ServerResponse, asked: Asked) => unknown

/** A small server for the OpenAI-compatible chat protocol that records its requests. */
export async function openModelServer() {
  const asked: Asked[] = []
  let behaviour: Behaviour = words('')
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { headers: request.headers, body: JSON.parse(text) }
    asked.push(one)
    if (request.url !== '/v1/chat/completions') return response.writeHead(404).end()
    await behaviour(response, one)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/v1`,
    allow: `127.0.0.1/32:${port}`,
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

const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })
const piece = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

/** Streams this text a few letters at a time, as models do. */
export function words(text: string, { ends = true, tokens = 120 } = {}): Behaviour {
  return async (response) => {
    begin(response)
    for (const part of text.match(/[\s\S]{1,4}/g) ?? []) {
      response.write(piece(part))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    if (!ends) return response.destroy()
    response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    )
    response.write(`data: ${JSON.stringify({ choices: [], usage: { total_tokens: tokens } })}\n\n`)
    response.end('data: [DONE]\n\n')
  }
}

/** Answers with this status and body, without streaming. */
export const plainly =
  (status: number, type: string, body: string): Behaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

/** Sends these events and ends. */
export const events =
  (...list: string[]): Behaviour =>
  (response) => {
    begin(response)
    response.end(list.map((data) => `data: ${data}\n\n`).join(''))
  }

/** Accepts the request and never answers. */
export const silence: Behaviour = () => {}
