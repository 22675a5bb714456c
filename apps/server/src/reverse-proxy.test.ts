import { readFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { files } from '@atrium/contract/content/files'
import { config } from '@atrium/contract/shell/config'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../test/free-port.ts'
import { hasNginx, startNginx } from '../test/nginx.ts'
import { openNode, type TestApp, testApp } from '../test/test-app.ts'

/** The documented nginx configuration, with addresses of this machine instead of the example's. */
function documentedBlocks(ports: { http: number; https: number; nodes: number[] }) {
  const guide = readFileSync(path.join(import.meta.dirname, '../../../docs/operate.md'), 'utf8')
  const [, blocks = ''] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? []
  const replacements: [string, string][] = [
    ['10.0.0.11:8080', `127.0.0.1:${ports.nodes[0]}`],
    ['10.0.0.12:8080', `127.0.0.1:${ports.nodes[1]}`],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`],
    ['/etc/ssl/m.example.edu.pem', 'certificate.pem'],
    ['/etc/ssl/m.example.edu.key', 'key.pem'],
  ]
  return replacements.reduce((result, [example, ours]) => {
    if (!result.includes(example)) throw new Error(`docs/operate.md no longer names ${example}`)
    return result.replaceAll(example, ours)
  }, blocks)
}

describe.skipIf(!hasNginx)('the nginx configuration of docs/operate.md', () => {
  type Node = Awaited<ReturnType<typeof openNode>>
  let atrium: TestApp
  let nginx: Awaited<ReturnType<typeof startNginx>>
  let ports: { http: number; https: number; nodes: number[] }
  const nodes: Node[] = []
  /** which node answered, and the client address it saw */
  const seen: { node: number; ip: string }[] = []

  beforeAll(async () => {
    atrium = await testApp()
    for (const index of [0, 1]) {
      const node = await openNode(atrium.url, { ATRIUM_TRUST_PROXY: '127.0.0.1' })
      node.app.addHook('onRequest', async ({ ip }) => void seen.push({ node: index, ip }))
      await node.app.listen({ host: '127.0.0.1', port: 0 })
      nodes.push(node)
    }
    ports = {
      http: await freePort(),
      https: await freePort(),
      nodes: nodes.map(({ app }) => (app.server.address() as AddressInfo).port),
    }
    nginx = await startNginx(documentedBlocks(ports))
  })
  afterAll(async () => {
    await nginx?.stop()
    for (const { app, platform } of nodes) {
      await app.close()
      await platform.close()
    }
  })

  function ask(
    url: string,
    options: {
      method?: string
      headers?: Record<string, string>
      body?: Buffer
      localAddress?: string
    } = {},
  ) {
    return new Promise<{ status: number; body: string }>((resolve, reject) => {
      const request = https.request(
        { host: '127.0.0.1', port: ports.https, path: url, rejectUnauthorized: false, ...options },
        (response) =>
          text(response).then(
            (body) => resolve({ status: response.statusCode ?? 0, body }),
            reject,
          ),
      )
      request.on('error', reject)
      request.end(options.body)
    })
  }

  test('redirects http to https', async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/pages/tab/my/my?a=1`, {
      redirect: 'manual',
    })
    expect(answer.status).toBe(301)
    expect(answer.headers.get('location')).toBe('https://m.example.edu/pages/tab/my/my?a=1')
  })

  test('forwards the client address and ignores a forged one', async () => {
    seen.length = 0
    const forged = { 'x-forwarded-for': '203.0.113.9' }
    // Any address but the proxy's own.
    const answer = await ask(config.system.path, { headers: forged, localAddress: '127.0.0.2' })
    expect(answer).toMatchObject({ status: 200 })
    expect(seen).toEqual([{ node: expect.any(Number), ip: '127.0.0.2' }])
  })

  test('blocks the metrics', async () => {
    expect(await ask('/metrics')).toMatchObject({ status: 403 })
  })

  test('accepts uploads above the default limit of nginx and sends them to one node', async () => {
    const token = await atrium.tokenOf('student')
    const body = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'),
      Buffer.alloc(3_000_000, 'text '),
      Buffer.from('\r\n--b--\r\n'),
    ])
    const headers = {
      'x-id-token': token,
      'x-device-info': 'a-device',
      'content-type': 'multipart/form-data; boundary=b',
    }
    seen.length = 0
    for (let times = 0; times < 4; times++)
      expect(await ask(files.upload.path, { method: 'POST', headers, body })).toMatchObject({
        status: 200,
      })
    expect(new Set(seen.map(({ node }) => node)).size).toBe(1)
  })

  test('uses the other node while one is not ready or down', async () => {
    const askOften = async () => {
      for (let times = 0; times < 6; times++)
        expect(await ask(config.system.path)).toMatchObject({ status: 200 })
    }
    const [first, second] = nodes as [Node, Node]
    const { platform } = first.host
    first.host.platform = undefined
    await askOften()
    second.host.platform = undefined
    const away = await ask(config.system.path)
    expect(away.status).toBe(503)
    // Our own response with Retry-After, not an nginx page.
    expect(JSON.parse(away.body)).toMatchObject({ error: 'server.unavailable' })
    first.host.platform = platform
    await second.app.close()
    await askOften()
  })
})
