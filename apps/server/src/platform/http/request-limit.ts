import { createRequire } from 'node:module'
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Environment } from '#platform/environment.ts'
import { redisConnected, requestsRefused } from '#platform/metrics.ts'
import { callerNetwork } from './caller-network.ts'
import { type Host, tokenOf } from './serve.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests to this route are not counted: it is cheap, or has its own limit. */
    unlimited?: true
  }
}

type Store = FastifyRateLimitStore
type Constructor = new (
  continueExceeding: boolean,
  exponentialBackoff: boolean,
  ...more: unknown[]
) => Store
// The plugin's own stores, which its types do not export.
const require = createRequire(import.meta.url)
const LocalStore = require('@fastify/rate-limit/store/LocalStore.js') as Constructor
const RedisStore = require('@fastify/rate-limit/store/RedisStore.js') as Constructor

/** Maximum number of callers counted on one node; beyond it the least recently seen is forgotten. */
const maxCallers = 100_000

/**
 * Limits requests per minute: per session (`ATRIUM_RATE_LIMIT`), and per address for everything without a valid session
 * (`ATRIUM_RATE_LIMIT_ADDRESS`), which is higher because a campus shares addresses. Exempt routes are identified by the
 * matched route, not by the URL, which has many spellings.
 */
export async function limitRequests(
  app: FastifyInstance,
  env: Environment,
  log: Logger,
  host: Host,
) {
  const redis = env.REDIS_URL ? await openRedis(env.REDIS_URL, log) : undefined
  app.addHook('onClose', async () => void redis?.disconnect())
  const bySession = (key: string) => key.startsWith('session:')
  await app.register(rateLimit, {
    global: env.ATRIUM_RATE_LIMIT > 0,
    max: (_request: FastifyRequest, key: string) =>
      bySession(key) ? env.ATRIUM_RATE_LIMIT : env.ATRIUM_RATE_LIMIT_ADDRESS,
    timeWindow: 60_000,
    store: storeOf(redis),
    async keyGenerator(request) {
      const token = tokenOf(request)
      const session = token && (await host.platform?.guard.sessionOf(token))
      return session ? `session:${session}` : `address:${callerNetwork(request.ip)}`
    },
    allowList: (request) => request.routeOptions.config?.unlimited === true,
    onExceeded: (_request, key) =>
      requestsRefused.inc({ counted: bySession(key) ? 'session' : 'address' }),
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': true,
    },
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
  })
}

/** Exempts every route that `register` adds from the limits. */
export const unlimited = (
  app: FastifyInstance,
  register: (scope: FastifyInstance) => Promise<void>,
) =>
  app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, unlimited: true }
    })
    await register(scope)
  })

/** Opens the shared counters. Logs one warning when Redis goes away and one line when it is back. */
async function openRedis(url: string, log: Logger) {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    // Maximum time in ms that a request waits for its count.
    commandTimeout: 250,
  })
  let connected: boolean | undefined
  redis.on('ready', () => {
    if (connected === false) log.info('Redis is back: request limits count over all nodes again.')
    connected = true
    redisConnected.set(1)
  })
  const away = (err?: Error) => {
    if (connected !== false)
      log.warn(
        { err },
        'Redis (REDIS_URL) cannot be reached: until it is back, each node counts requests for itself.',
      )
    connected = false
    redisConnected.set(0)
  }
  redis.on('error', away)
  redis.on('close', () => {
    if (redis.status !== 'end') away()
  })
  return redis
}

/** Counts in Redis while it is available, otherwise on this node only. */
function storeOf(redis: Redis | undefined) {
  return class implements Store {
    private readonly local: Store = new LocalStore(false, false, maxCallers)
    private readonly shared: Store | undefined =
      redis && new RedisStore(false, false, redis, 'atrium-limit:')
    incr: Store['incr'] = (key, callback, timeWindow, max) => {
      const here = () => this.local.incr(key, callback, timeWindow, max)
      if (!this.shared || redis?.status !== 'ready') return here()
      this.shared.incr(
        key,
        (error, result) => (error || !result ? here() : callback(null, result)),
        timeWindow,
        max,
      )
    }
    child = () => this
  }
}
