import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { centralCookie, readCookie } from '#domains/identity/browsers/cookies.ts'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import type { AuthMethod } from '#domains/identity/identity/sign-in.ts'
import { defineState } from '#platform/area-state.ts'
import type { Platform } from '#platform/platform.ts'
import { findCentralSession } from './queries.ts'

/** A central login session, identified by its cookie. */
export type CentralSession = NonNullable<Awaited<ReturnType<typeof findCentralSession>>> & {
  way: AuthMethod
}

/** Maximum cache time; reading the session again also marks it as in use. */
const rememberedFor = 5 * 60_000

type Memory = {
  known: LRUCache<string, CentralSession>
  /** Incremented with every invalidation: a value read before that may be stale. */
  forgotten: number
  directoryStamp: number
}
const begunOf = defineState(begin)

/** The active session of the request's cookie, from the cache unless this node receives no invalidations. */
export async function currentSession(
  platform: Platform,
  request: FastifyRequest,
): Promise<CentralSession | undefined> {
  const secret = readCookie(platform, request, centralCookie)
  if (!secret) return undefined
  const memory = memoryOf(platform)
  const key = hashSecret(secret)
  const remembered = platform.topics.connected() ? memory.known.get(key) : undefined
  if (remembered && Date.parse(remembered.expiresAt) > Date.now()) return remembered
  const before = memory.forgotten
  const found = await findCentralSession(platform.db, key)
  if (!found) return undefined
  const session = { ...found, way: found.way as AuthMethod }
  // Invalidated during the read: use it for this request only.
  if (memory.forgotten === before) memory.known.set(key, session)
  return session
}

function memoryOf(platform: Platform): Memory {
  const memory = begunOf(platform)
  // An import may have changed the member.
  const stamp = platform.topics.stamp(['directory'])
  if (stamp !== memory.directoryStamp) {
    memory.forgotten += 1
    memory.known.clear()
    memory.directoryStamp = stamp
  }
  return memory
}

function begin(platform: Platform): Memory {
  const memory: Memory = {
    known: new LRUCache({ max: 10_000, ttl: rememberedFor }),
    forgotten: 0,
    directoryStamp: -1,
  }
  const forget = (which: (session: CentralSession) => boolean) => {
    memory.forgotten += 1
    for (const [key, session] of memory.known.entries())
      if (which(session)) memory.known.delete(key)
  }
  platform.guard.onForget((sessionId) => forget(({ id }) => id === sessionId))
  platform.topics.on(({ kind, key }) => {
    if (kind === 'session') forget(({ id }) => id === key)
    if (kind === 'account') forget(({ accountId }) => accountId === key)
  })
  return memory
}
