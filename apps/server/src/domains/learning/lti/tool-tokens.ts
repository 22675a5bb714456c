import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { markUsed } from './launch.ts'
import { findEnabledTool, type Tool } from './tools.ts'

const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'PS256']
/**
 * A tool's keys are cached for `cacheMs`. On an unknown key id and after a failure they are fetched again, at most every
 * `minRefetchMs`.
 */
const cacheMs = 10 * 60_000
const minRefetchMs = 30_000
/** Longer-lived tokens are refused: a token is for a single call. */
const maxLifeSeconds = 3600

/** `until`, `refetchAt`: in ms since the epoch */
type CachedKeys = { keys: Promise<JSONWebKeySet>; until: number; refetchAt: number }
const keysOf = defineState(() => new LRUCache<string, CachedKeys>({ max: 500 }))

/** The keys of a tool; concurrent callers share one request. */
function readKeys(platform: Platform, tool: Tool, refetch: boolean): Promise<JSONWebKeySet> {
  if (tool.jwks) return Promise.resolve(tool.jwks as unknown as JSONWebKeySet)
  const cache = keysOf(platform)
  const cached = cache.get(tool.jwks_url)
  if (cached && Date.now() < (refetch ? cached.refetchAt : cached.until)) return cached.keys
  const fetched = fetchKeys(platform, tool.jwks_url)
  // If a refetch fails, the keys known so far stay valid for the rest of their time.
  const known = refetch ? cached : undefined
  const entry: CachedKeys = {
    keys: known ? fetched.catch(() => known.keys) : fetched,
    until: Date.now() + cacheMs,
    refetchAt: Date.now() + minRefetchMs,
  }
  cache.set(tool.jwks_url, entry)
  fetched.catch(() => {
    entry.refetchAt = Date.now() + minRefetchMs
    entry.until = known?.until ?? entry.refetchAt
  })
  return entry.keys
}

async function fetchKeys(platform: Platform, address: string): Promise<JSONWebKeySet> {
  const { status, bytes } = await fetchExternal(address, {
    allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
    headers: { accept: 'application/json' },
    maxBytes: 200_000,
    seconds: 10,
  })
  const keys = JSON.parse(bytes.toString('utf8')) as JSONWebKeySet
  if (status !== 200 || !Array.isArray(keys.keys)) throw new Error('no keys')
  return keys
}

/** A token whose signature and claims are valid. `uniqueId` and `expires` (in s) identify it for `markTokenUsed`. */
export type ToolToken = { tool: Tool; claims: JWTPayload; uniqueId: string; expires: number }

/**
 * Verifies a token signed by a registered tool. Undefined if its audience, age or issuer is wrong. May fetch the tool's
 * keys for seconds, so do not call it in a transaction. Tokens are valid once: call `markTokenUsed` too.
 * @param audience accepted audiences
 */
export async function verifyToolToken(
  platform: Platform,
  token: string,
  audience: readonly string[],
): Promise<ToolToken | undefined> {
  try {
    const clientId = decodeJwt(token).iss
    const tool = clientId && (await findEnabledTool(platform.db, { clientId }))
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
    return { tool, claims: payload, uniqueId, expires }
  } catch (error) {
    platform.log.info({ reason: (error as Error).message }, 'a token of an LTI tool was refused')
    return undefined
  }
}

/** @returns whether this is the first use of the token */
export const markTokenUsed = (db: Db, { tool, uniqueId, expires }: ToolToken) =>
  markUsed(db, tool.id, uniqueId, expires + 120)
