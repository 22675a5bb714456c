import { createReadStream, stat } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPool, type Pool } from '../apps/server/src/platform/database/db.ts'

/**
 * Answers of the bare server to any request: bytes from memory, an open stream, a file, or the result of statements.
 */
export type Script =
  | { headers: Record<string, string>; body: string }
  | { headers: Record<string, string>; stream: string }
  | { headers: Record<string, string>; file: string }
  | { database: string; connections: number; statements: Statement[] }
export type Statement = { text: string; values: unknown[] }

/**
 * The baseline: node:http and nothing else. With statements, each is a named statement over a pool as large as
 * Atrium's, run in sequence; the last one's rows are returned as JSON. It checks no token.
 */
let answer: (response: ServerResponse) => void = (response) => response.end()
let pool: Pool | undefined

const server = createServer((_request, response) => answer(response))

function fromMemory(headers: Record<string, string>, body: Buffer) {
  const all = { ...headers, 'content-length': body.length }
  return (response: ServerResponse) => response.writeHead(200, all).end(body)
}

/** Sends this text and keeps the answer open. */
const fromStream = (headers: Record<string, string>, text: string) => (response: ServerResponse) =>
  response.writeHead(200, headers).write(text)

/** Opens and reads the file for each request, like a file server without a cache. */
const fromFile = (headers: Record<string, string>, file: string) => (response: ServerResponse) =>
  stat(file, (error, about) => {
    if (error) return response.writeHead(404).end()
    response.writeHead(200, { ...headers, 'content-length': about.size })
    createReadStream(file).pipe(response)
  })

function fromDatabase(database: Pool, statements: Statement[]) {
  const named = statements.map((statement, index) => ({ ...statement, name: `s${index}` }))
  return async (response: ServerResponse) => {
    let rows: unknown[] = []
    for (const statement of named) ({ rows } = await database.query(statement))
    const body = `{"code":0,"message":"","data":${JSON.stringify(rows)}}`
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      .end(body)
  }
}

process.on('message', async (script: Script) => {
  if ('body' in script) answer = fromMemory(script.headers, Buffer.from(script.body, 'base64'))
  else if ('stream' in script) answer = fromStream(script.headers, script.stream)
  else if ('file' in script) answer = fromFile(script.headers, script.file)
  else {
    // A new pool for each script: a connection would reuse a named statement of an earlier script.
    await pool?.end()
    pool = openPool(script.database, script.connections)
    answer = fromDatabase(pool, script.statements)
  }
  if (!server.listening)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.send?.({ port: (server.address() as AddressInfo).port })
})
process.on('disconnect', () => process.exit())
