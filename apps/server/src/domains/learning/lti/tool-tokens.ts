import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { markUsed } from './launch.ts'
import { findEnabledTool, type Tool } from './tools.ts'

const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'PS256']
/** A tool's keys are cached for `cacheMs`; on an unknown key id they are fetched again, at most every `minRefetchMs`. */
const cacheMs = 10 * 60_000
const minRefetchMs = 30_000
/** Longer-lived tokens are refused: a token is for a single call. */
const maxLifeSeconds = 3600

type CachedKeys = { keys: JSONWebKeySet; fetchedAt: number }
const keysOf = defineState(() => new LRUCache<string, CachedKeys>({ max: 500 }))

async function readKeys(platform: Platform, tool: Tool, refetch: boolean): Promise<JSONWebKeySet> {
  if (tool.jwks) return tool.jwks as unknown as JSONWebKeySet
  const cached = keysOf(platform).get(tool.jwks_url)
  if (cached && Date.now() - cached.fetchedAt < (refetch ? minRefetchMs : cacheMs))
    return cached.keys
  const answer = await fetchExternal(tool.jwks_url, {
    allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
    headers: { accept: 'application/json' },
    maxBytes: 200_000,
    seconds: 10,
  })
  const keys = JSON.parse(answer.bytes.toString('utf8')) as JSONWebKeySet
  if (answer.status !== 200 || !Array.isArray(keys.keys)) throw new Error('no keys')
  keysOf(platform).set(tool.jwks_url, { keys, fetchedAt: Date.now() })
  return keys
}

/**
 * Verifies a token signed by a registered tool, once. Undefined if its audience, age or issuer is wrong or it was used
 * before.
 * @param audience accepted audiences
 */
export async function verifyToolToken(
  platform: Platform,
  db: Db,
  token: string,
  audience: readonly string[],
): Promise<{ tool: Tool; claims: JWTPayload } | undefined> {
  try {
    const clientId = decodeJwt(token).iss
    const tool = clientId && (await findEnabledTool(db, { clientId }))
    if (!tool) return undefined
    const verifyWith = async (refetch: boolean) =>
      jwtVerify(token, createLocalJWKSet(await readKeys(platform, tool, refetch)), {
        issuer: tool.client_id,
        audience: [...audience],
        algorithms,
        requiredClaims: ['exp', 'iat'],
        maxTokenAge: maxLifeSeconds,
        clockTolerance: 60,
      })
    const { payload } = await verifyWith(false).catch((error: { code?: string }) => {
      if (error.code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error
      return verifyWith(true)
    })
    const uniqueId = payload.jti ?? payload.nonce
    const expires = payload.exp ?? 0
    if (typeof uniqueId !== 'string' || !uniqueId) return undefined
    if (expires - Date.now() / 1000 > maxLifeSeconds + 60) return undefined
    if (!(await markUsed(db, tool.id, uniqueId, expires + 120))) return undefined
    return { tool, claims: payload }
  } catch (error) {
    platform.log.info({ reason: (error as Error).message }, 'a token of an LTI tool was refused')
    return undefined
  }
}
