import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { identity } from '@atrium/contract/identity/identity'
import type { Script } from './baseline-server.ts'

/** The default caller. */
export const member = { username: 'student', password: 'Atrium-demo-2026' }

/** One request outside of any measurement; the bytes are unprocessed, compressed or not. */
export async function sendRequest(
  server: { port: number },
  url: string,
  headers: Record<string, string> = {},
  body?: object,
) {
  const clientRequest = request({
    port: server.port,
    host: '127.0.0.1',
    path: url,
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
  })
  clientRequest.end(body && JSON.stringify(body))
  const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage]
  const bytes = await buffer(answer)
  if (answer.statusCode !== 200)
    throw new Error(`${url} answered ${answer.statusCode}: ${bytes.toString()}`)
  return {
    type: answer.headers['content-type'] ?? '',
    encoding: answer.headers['content-encoding'],
    bytes,
  }
}

/** A server's exact answer, for a bare server to send from memory. */
export async function memoryScript(
  server: { port: number },
  url: string,
  headers: Record<string, string>,
) {
  const { type, encoding, bytes } = await sendRequest(server, url, headers)
  return {
    headers: { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
    body: bytes.toString('base64'),
  } satisfies Script
}

/** An id token of the demo's student, or of another demo member. */
export async function signIn(
  server: { port: number },
  username = member.username,
): Promise<string> {
  const { bytes } = await sendRequest(
    server,
    identity.passwordLogin.path,
    {},
    { ...member, username },
  )
  const { data } = JSON.parse(bytes.toString()) as { data: { idToken: string } }
  return data.idToken
}
