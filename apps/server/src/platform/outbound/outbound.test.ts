import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEnvironment } from '#platform/environment.ts'
import { fetchExternal, mayReach, type OutboundSettings, readOutboundAllow } from './outbound.ts'

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.0.1', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
])('%s is a public address: %s', (address, outside) => {
  expect(mayReach(address, 443, [])).toBe(outside)
})

test('networks are allowed by range and port', () => {
  const allowed = readOutboundAllow('10.20.0.0/16:443, 127.0.0.1:8080,[fd00::/8]:443')
  expect(mayReach('10.20.3.4', 443, allowed)).toBe(true)
  expect(mayReach('10.20.3.4', 80, allowed)).toBe(false)
  expect(mayReach('10.21.3.4', 443, allowed)).toBe(false)
  expect(mayReach('127.0.0.1', 8080, allowed)).toBe(true)
  expect(mayReach('fd12::1', 443, allowed)).toBe(true)
  for (const bad of [
    '10.0.0.0/33',
    '10.0.0.0/33:80',
    'fd00::/8',
    '[10.0.0.0/8',
    '10.0.0.0/8:',
    'fd00::/8:443',
    'host:80',
    '10.0.0.0/8:0',
  ]) {
    expect(() => readEnvironment({ ATRIUM_OUTBOUND_ALLOW: bad })).toThrow(
      'ATRIUM_OUTBOUND_ALLOW must be ranges, each with a port or for every port, comma-separated, such as 10.20.0.0/16:443,[fd00::/8]:443',
    )
  }
})

let server: http.Server
let port = 0
beforeAll(async () => {
  server = http.createServer((request, response) => {
    if (request.url === '/inside')
      return response.writeHead(302, { location: 'http://[::1]:1/' }).end()
    if (request.url === '/round') return response.writeHead(302, { location: '/round' }).end()
    if (request.url === '/bomb')
      return response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(9_000_000)))
    if (request.url === '/large') return response.end(Buffer.alloc(6_000_000))
    if (request.url === '/slow') return
    const there = /^\/to\/(\d+)\/(\w+)$/.exec(request.url ?? '')
    if (there) {
      const host = there[2] === 'other' ? 'localhost' : '127.0.0.1'
      return response.writeHead(Number(there[1]), { location: `http://${host}:${port}/echo` }).end()
    }
    if (request.url === '/echo') {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      return request.on('end', () => {
        const { method, headers } = request
        response.end(JSON.stringify({ method, headers, body }))
      })
    }
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const ask = (path: string, host = '127.0.0.1') =>
  fetchExternal(`http://${host}:${port}${path}`, { allow: `127.0.0.0/8:${port}`, seconds: 1 })

test('the response of an allowed address is read and decompressed', async () => {
  expect((await ask('/')).bytes.toString()).toBe('hello')
})

test('headersOnly does not read the body', async () => {
  const { status, bytes } = await fetchExternal(`http://127.0.0.1:${port}/large`, {
    allow: `127.0.0.0/8:${port}`,
    headersOnly: true,
  })
  expect(status).toBe(200)
  expect(bytes).toHaveLength(0)
})

describe('a redirect', () => {
  const send = async (path: string, settings: OutboundSettings) => {
    const { bytes } = await fetchExternal(`http://127.0.0.1:${port}${path}`, {
      allow: `127.0.0.0/8:${port},[::1/128]:${port}`,
      headers: { authorization: 'Bearer secret', 'x-key': 'secret', accept: 'text/plain' },
      ...settings,
    })
    return JSON.parse(bytes.toString())
  }
  const post = { method: 'POST', body: 'secret' } as const

  test('to the same origin keeps the headers, and method and body only with 307', async () => {
    const headers = { authorization: 'Bearer secret', 'x-key': 'secret' }
    expect(await send('/to/302/same', {})).toMatchObject({ method: 'GET', headers })
    expect(await send('/to/307/same', post)).toMatchObject({
      method: 'POST',
      body: 'secret',
      headers,
    })
    for (const status of [301, 302, 303])
      expect(await send(`/to/${status}/same`, post)).toMatchObject({ method: 'GET', body: '' })
  })

  test('to another origin drops sensitive headers and the body', async () => {
    const { headers } = await send('/to/302/other', {})
    expect(headers).toMatchObject({ accept: 'text/plain' })
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('x-key')
    expect(await send('/to/303/other', post)).toMatchObject({ method: 'GET', body: '' })
    await expect(send('/to/307/other', post)).rejects.toThrow(/enter the final address/)
  })
})

test('a network error has its code', async () => {
  const nobody = fetchExternal('http://127.0.0.1:1/', { allow: '127.0.0.0/8:1' })
  await expect(nobody).rejects.toMatchObject({ network: 'ECONNREFUSED' })
})

test.each([
  [
    'an internal address',
    () => fetchExternal(`http://127.0.0.1:${port}/`),
    /closed to outgoing requests.*ATRIUM_OUTBOUND_ALLOW/,
  ],
  [
    'a name that resolves to an internal address',
    () => fetchExternal(`http://localhost:${port}/`),
    /localhost:\d+ is .*inside the institution/,
  ],
  [
    'an internal address in hexadecimal',
    () => fetchExternal(`http://0x7f000001:${port}/`),
    /closed to outgoing requests/,
  ],
  ['a redirect to an internal address', () => ask('/inside'), /closed to outgoing requests/],
  ['a redirect loop', () => ask('/round'), /redirects more than 3 times/],
  ['a response that is too large', () => ask('/large'), /is larger than 5 MB/],
  ['a response that is too large when decompressed', () => ask('/bomb'), /is larger than 5 MB/],
  ['a timeout', () => ask('/slow'), /did not answer within 1 s/],
  ['another scheme', () => fetchExternal('file:///etc/passwd'), /not an http or https address/],
  [
    'an address with credentials',
    () => fetchExternal('http://a:b@example.edu/'),
    /contain a username or password/,
  ],
])('%s is rejected', async (_, run, sentence) => {
  await expect(run()).rejects.toThrow(sentence)
})
