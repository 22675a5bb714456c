import { randomInt } from 'node:crypto'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { metrics } from '#platform/metrics.ts'
import { hasRedis, startRedis } from '../../../test/redis.ts'
import { openNode, type TestApp, testApp } from '../../../test/test-app.ts'

let atrium: TestApp
beforeAll(async () => {
  atrium = await testApp()
})

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
})

/** A node with empty counters. */
async function freshNode(variables: Record<string, string>, log?: Parameters<typeof openNode>[2]) {
  const { app, platform } = await openNode(atrium.url, variables, log)
  cleanUp.push(async () => {
    await app.close()
    await platform.close()
  })
  // A fresh address, because tests may share a Redis.
  const remoteAddress = `2001:db8:${randomInt(0x10000).toString(16)}:${randomInt(0x10000).toString(16)}::1`
  const inject = (options: InjectOptions) => app.inject({ remoteAddress, ...options })
  /** @returns the statuses of this many sequential requests to home */
  async function call(times: number, token?: string, url = home.read.path) {
    const statuses: number[] = []
    for (let count = 0; count < times; count++) {
      const headers = token ? { 'x-id-token': token } : {}
      statuses.push((await inject({ url, headers })).statusCode)
    }
    return statuses
  }
  return { inject, call }
}

describe('the request limit', () => {
  test('returns 429 with Retry-After and does not apply to the health check', async () => {
    const { inject, call } = await freshNode({
      ATRIUM_RATE_LIMIT: '9',
      ATRIUM_RATE_LIMIT_ADDRESS: '3',
    })
    expect(await call(3)).toEqual([200, 200, 200])
    const refused = await inject({ url: home.read.path })
    expect(refused.json()).toMatchObject({
      code: 429,
      error: 'request.too_many',
      requestId: expect.any(String),
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await inject({ url: '/healthz' })).statusCode).toBe(200)
  })

  test('counts members with the same address separately, also on a new node', async () => {
    const { call } = await freshNode({ ATRIUM_RATE_LIMIT: '2', ATRIUM_RATE_LIMIT_ADDRESS: '1' })
    for (const username of ['student', 'teacher', 'staff'])
      expect(await call(3, await atrium.tokenOf(username)), username).toEqual([200, 200, 429])
  })

  test('counts requests with invalid tokens by address', async () => {
    const { call } = await freshNode({ ATRIUM_RATE_LIMIT: '9', ATRIUM_RATE_LIMIT_ADDRESS: '2' })
    const token = await atrium.tokenOf('student')
    const [head, , signature] = token.split('.')
    const forged = (claims: object) =>
      `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
    expect(await call(1, 'no-token')).toEqual([401])
    expect(await call(1, forged({ jti: crypto.randomUUID() }))).toEqual([401])
    expect(await call(1, forged({ jti: crypto.randomUUID() }))).toEqual([429])
    // A member at the same address is not affected.
    expect(await call(1, token)).toEqual([200])
  })

  test.each([
    ['a percent-encoded path', 'GET', home.read.path.replace('p', '%70')],
    ['an unknown API path', 'POST', '/portal-api/nothing'],
    ['the return from the central login', 'POST', '/page/index/index'],
  ] as const)('counts %s', async (_, method, url) => {
    const { inject } = await freshNode({ ATRIUM_RATE_LIMIT: '9', ATRIUM_RATE_LIMIT_ADDRESS: '1' })
    const first = await inject({ method, url })
    expect(first.statusCode).not.toBe(429)
    expect((await inject({ method, url })).statusCode).toBe(429)
    expect((await inject({ url: config.system.path })).statusCode).toBe(429)
  })
})

describe.skipIf(!hasRedis)('the request limit with Redis', () => {
  test('is shared by nodes; while Redis is down each node counts alone and warns once', async () => {
    const redis = await startRedis()
    cleanUp.push(redis.kill)
    const lines: { level: number; msg: string }[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const variables = {
      ATRIUM_RATE_LIMIT: '99',
      ATRIUM_RATE_LIMIT_ADDRESS: '3',
      REDIS_URL: redis.url,
    }
    const connected = async () =>
      (await metrics.getSingleMetric('atrium_redis_connected')?.get())?.values[0]?.value
    const first = await freshNode(variables, log)
    const second = await freshNode(variables)
    await vi.waitFor(async () => expect(await connected()).toBe(1), 30_000)
    // Both are connected once a request to each has been counted there.
    await vi.waitFor(async () => {
      await first.call(1)
      await second.call(1)
      expect(await first.call(1)).toEqual([429])
      expect(await second.call(1)).toEqual([429])
    }, 30_000)

    // A node may have logged that its first connection took long.
    lines.length = 0
    await redis.kill()
    await vi.waitFor(async () => expect(await connected()).toBe(0), 30_000)
    // The node's own counters are still empty.
    expect(await first.call(4)).toEqual([200, 200, 200, 429])
    expect(await first.call(1)).toEqual([429])
    const warnings = lines.filter(({ level, msg }) => level === 40 && msg.includes('Redis'))
    expect(warnings).toHaveLength(1)

    await redis.start()
    await vi.waitFor(async () => expect(await connected()).toBe(1), 30_000)
    await vi.waitFor(
      () => expect(lines.filter(({ msg }) => msg.startsWith('Redis is back'))).toHaveLength(1),
      30_000,
    )
    expect(await first.call(1)).toEqual([200])
  })
})
