import { sql } from 'kysely'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { findCredential, type Kind, upsertCredential } from './queries.ts'

type App = { id: string; secret: string }
type TicketCache = {
  ticket: string
  until: number
  pending: Promise<string> | undefined
  /** not to be asked again before, after it was unreachable */
  retryAt: number
}

/** Safety margin in seconds, so that a ticket does not expire on its way to a phone. */
const expiryMarginSeconds = 300
/** How long this node caches what it read from the table, in milliseconds. */
const cacheMs = 60_000
const retryDelayMs = 15_000

const cacheOf = defineState<TicketCache>(() => ({
  ticket: '',
  until: 0,
  pending: undefined,
  retryAt: 0,
}))

/**
 * The ticket for signing our pages. Shared by all nodes through the database; if it is missing, one caller requests it
 * from WeChat and the others wait.
 * @throws wechat.unavailable
 */
export async function getJsapiTicket(platform: Platform, app: App): Promise<string> {
  const cache = cacheOf(platform)
  const now = Date.now()
  if (cache.until > now) return cache.ticket
  if (cache.retryAt > now) fail('wechat.unavailable', { retryAfter: (cache.retryAt - now) / 1000 })
  cache.pending ??= platform.db
    .transaction()
    .execute((db) => sharedTicket(platform, db, app))
    .then((ticket) => {
      cache.ticket = ticket
      cache.until = Date.now() + cacheMs
      return ticket
    })
    .catch((error: Error) => {
      cache.retryAt = Date.now() + retryDelayMs
      // Addresses contain the token.
      const reason = error.message.replaceAll(/(access_token|secret)=[^&\s]+/g, '$1=(hidden)')
      platform.log.warn({ reason }, 'WeChat gave no ticket for its JS-SDK')
      return fail('wechat.unavailable', { retryAfter: retryDelayMs / 1000 })
    })
    .finally(() => {
      cache.pending = undefined
    })
  return cache.pending
}

async function sharedTicket(platform: Platform, db: Db, app: App): Promise<string> {
  await sql`select pg_advisory_xact_lock(7301, 3)`.execute(db)
  const stored = await readCredential(platform, db, app, 'jsapi_ticket')
  if (stored) return stored
  const token =
    (await readCredential(platform, db, app, 'access_token')) ??
    (await requestToken(platform, db, app, false))
  const answer = await requestTicket(platform, token)
  const { errcode } = answer
  // The token was revoked early. A forced refresh is allowed twenty times a day, so it is done once and only in this
  // case.
  const ticket = [40001, 40014, 42001].includes(errcode ?? 0)
    ? await requestTicket(platform, await requestToken(platform, db, app, true))
    : answer
  return storeCredential(platform, db, app, 'jsapi_ticket', ticket, ticket.ticket)
}

type Answer = {
  errcode?: number
  errmsg?: string
  expires_in?: number
  access_token?: string
  ticket?: string
}

/** @see https://developers.weixin.qq.com/doc/offiaccount/Basic_Information/getStableAccessToken.html */
async function requestToken(platform: Platform, db: Db, app: App, force: boolean) {
  const answer = await requestWechat(platform, '/cgi-bin/stable_token', {
    grant_type: 'client_credential',
    appid: app.id,
    secret: app.secret,
    force_refresh: force,
  })
  return storeCredential(platform, db, app, 'access_token', answer, answer.access_token)
}

const requestTicket = (platform: Platform, token: string) =>
  requestWechat(
    platform,
    `/cgi-bin/ticket/getticket?access_token=${encodeURIComponent(token)}&type=jsapi`,
  )

async function requestWechat(platform: Platform, path: string, body?: object): Promise<Answer> {
  const { ATRIUM_WECHAT_API, ATRIUM_OUTBOUND_ALLOW } = platform.env
  const { status, bytes } = await fetchExternal(new URL(path, ATRIUM_WECHAT_API).href, {
    allow: ATRIUM_OUTBOUND_ALLOW,
    seconds: 5,
    redirects: 0,
    maxBytes: 100_000,
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  if (status !== 200) throw new Error(`it answered with the status ${status}`)
  return JSON.parse(bytes.toString('utf8')) as Answer
}

/** Stores the value for slightly less than its lifetime. */
async function storeCredential(
  platform: Platform,
  db: Db,
  app: App,
  kind: Kind,
  { errcode, errmsg, expires_in }: Answer,
  value: string | undefined,
): Promise<string> {
  if (errcode || typeof value !== 'string' || value === '')
    throw new Error(`it refused with ${errcode ?? 'nothing'}: ${String(errmsg).slice(0, 200)}`)
  const seconds = Math.min(Number(expires_in) || 0, 86_400) - expiryMarginSeconds
  if (seconds > 0) await upsertCredential(db, app.id, kind, platform.secret.encrypt(value), seconds)
  return value
}

async function readCredential({ secret }: Platform, db: Db, { id }: App, kind: Kind) {
  const sealed = await findCredential(db, id, kind)
  return sealed === undefined ? undefined : secret.decrypt(sealed)
}
