import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { endpoints } from '@atrium/contract'
import type { Endpoint } from '@atrium/contract/define'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { readEnvironment } from '#platform/environment.ts'
import { buildChecks } from '#platform/http/input-checks.ts'
import { openLog } from '#platform/log.ts'
import { buildApp, checkOptions } from './app.ts'

const log = openLog('silent')
const env = readEnvironment({})
// Scaled-down timeouts.
const timeouts = { headers: 150, request: 300, silence: 20_000, check: 25 }

async function start() {
  const app = await buildApp(env, log, { platform: undefined }, timeouts)
  onTestFinished(() => app.close())
  /** Sent in parts: the test decides when the response ends. */
  const stream = new PassThrough()
  app.get('/stream', async (_request, reply) => reply.type('text/plain').send(stream))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { port, stream }
}

/** Sends an incomplete request and returns what was received when the connection closed. */
async function sendBeginning(port: number, beginning: string) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes
  })
  socket.write(beginning)
  await once(socket, 'close')
  return answer
}
const halfHeaders = 'GET /healthz HTTP/1.1\r\nHost: a\r\n'

// Compile before the tests are timed.
beforeAll(async () => {
  await (await buildApp(env, log, { platform: undefined })).close()
})

test('the request schemas of all endpoints compile', () => {
  const compile = buildChecks({}, { customOptions: checkOptions })
  const all = Object.values(endpoints).flatMap((table) => Object.values<Endpoint>(table))
  expect(all.length).toBeGreaterThan(100)
  for (const { path, params, query, body, bodyByParts } of all)
    for (const schema of [params, query, bodyByParts ? undefined : body])
      if (schema) expect(() => compile({ schema }), path).not.toThrow()
})

test('incomplete headers time out with 408', async () => {
  const { port } = await start()
  const answer = await sendBeginning(port, halfHeaders)
  expect(answer).toContain('408 Request Timeout')
})

test('an incomplete body times out with 408', async () => {
  const { port } = await start()
  const head =
    'POST /token/password/passwordLogin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n'
  expect(await sendBeginning(port, `${head}{`)).toContain('408 Request Timeout')
})

test('a response that takes longer than the request timeout is sent completely', async () => {
  const { port, stream } = await start()
  stream.write('begun ')
  const answer = await fetch(`http://127.0.0.1:${port}/stream`, {
    headers: { 'accept-encoding': 'identity' },
  })
  // Twice the request timeout.
  for (const _ of [1, 2, 3]) await sendBeginning(port, halfHeaders)
  stream.end('ended')
  expect(await answer.text()).toBe('begun ended')
})

test('the API reference loads nothing from other origins and works without https', async () => {
  const app = await buildApp(env, log, { platform: undefined })
  onTestFinished(() => app.close())
  const policy = `${(await app.inject('/docs/')).headers['content-security-policy']}`
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).not.toMatch(/https:|upgrade-insecure-requests|\.io|unsafe/)
})

test('metrics require the exact token', async () => {
  const guarded = readEnvironment({ ATRIUM_METRICS_TOKEN: 'a-token-of-a-collector' })
  const app = await buildApp(guarded, log, { platform: undefined })
  onTestFinished(() => app.close())
  const ask = async (authorization?: string) =>
    (await app.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } }))
      .statusCode
  expect(await ask('Bearer a-token-of-a-collector')).toBe(200)
  for (const wrong of [
    undefined,
    'Bearer ',
    'Bearer a-token-of-a-collecto',
    'Bearer a-token-of-a-collector2',
  ])
    expect(await ask(wrong)).toBe(403)
})
