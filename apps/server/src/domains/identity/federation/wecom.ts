import { sql } from 'kysely'
import { findCredential, upsertCredential } from '#domains/identity/wechat/queries.ts'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import {
  type ExternalIdentity,
  requestProviderJson,
  UntrustedAnswerError,
} from './external-identity.ts'
import { callbackUrl } from './openid.ts'
import type { PendingLogin } from './pending-login.ts'
import type { Provider } from './queries.ts'

type Answer = {
  errcode?: number
  errmsg?: string
  access_token?: string
  expires_in?: number
  userid?: unknown
  UserId?: unknown
}

/** Safety margin in seconds, so that a token does not expire in transit. */
const expiryMarginSeconds = 300

/**
 * WeCom's authorisation address; inside its app it is invisible to users.
 * @see https://developer.work.weixin.qq.com/document/path/91022
 */
export function wecomLoginAddress(
  platform: Platform,
  provider: Provider,
  pending: PendingLogin,
): string {
  const { corpId = '', agentId = '' } = provider.settings
  const search = new URLSearchParams({
    appid: corpId,
    redirect_uri: callbackUrl(platform, provider),
    response_type: 'code',
    scope: 'snsapi_base',
    state: pending.state,
    agentid: agentId,
  })
  return `https://open.weixin.qq.com/connect/oauth2/authorize?${search}#wechat_redirect`
}

/** Identifies the member by the callback's code. @throws OutboundError, UntrustedAnswerError */
export async function redeemWecomCode(
  platform: Platform,
  provider: Provider,
  code: unknown,
): Promise<ExternalIdentity> {
  if (typeof code !== 'string' || !/^[\w-]{1,512}$/.test(code))
    throw new UntrustedAnswerError('the code parameter is not a code')
  const requestUser = (token: string) =>
    requestWecom(platform, provider, '/cgi-bin/auth/getuserinfo', { access_token: token, code })
  let answer = await requestUser(await tokenOf(platform, provider))
  // The token was revoked early.
  if ([40014, 42001].includes(answer.errcode ?? 0))
    answer = await requestUser(await tokenOf(platform, provider, true))
  const { errcode = 0, errmsg } = answer
  if (errcode !== 0) {
    const message = `it refused with ${errcode}: ${String(errmsg).slice(0, 200)}`
    throw errcode === 40029 ? new UntrustedAnswerError(message) : new OutboundError(message)
  }
  // External users have only an openid.
  const userid = answer.userid ?? answer.UserId
  if (typeof userid !== 'string' || !userid || userid.length > 64)
    throw new UntrustedAnswerError('the user is not in the corporation')
  // WeCom returns the userid as entered, but treats it as case-insensitive.
  const subject = userid.toLowerCase()
  return { subject, display: userid, username: provider.settings.matchUsername ? subject : '' }
}

const pendingTokensOf = defineState(() => new Map<string, Promise<string>>())

/**
 * The app's access token, shared by all nodes and stored encrypted; if it is missing, only one of the callers requests
 * it from WeCom.
 */
export function tokenOf(platform: Platform, provider: Provider, refresh = false): Promise<string> {
  const pendingTokens = pendingTokensOf(platform)
  const key = `${provider.id} ${refresh}`
  const running = pendingTokens.get(key)
  if (running) return running
  const token = platform.db
    .transaction()
    .execute((db) => sharedToken(platform, db, provider, refresh))
    .finally(() => pendingTokens.delete(key))
  pendingTokens.set(key, token)
  return token
}

async function sharedToken(platform: Platform, db: Db, provider: Provider, refresh: boolean) {
  const { corpId, agentId, apiUrl } = provider.settings
  // A token is only sent to the host that issued it.
  const app = [`${corpId}/${agentId}`, apiUrl].filter(Boolean).join(' ')
  await sql`select pg_advisory_xact_lock(7302, ${Number(provider.id)}::integer)`.execute(db)
  const sealed = refresh ? undefined : await findCredential(db, app, 'access_token')
  const stored = sealed && platform.secret.decrypt(sealed)
  if (stored) return stored
  const { token, seconds } = await requestToken(platform, provider)
  if (seconds > expiryMarginSeconds)
    await upsertCredential(
      db,
      app,
      'access_token',
      platform.secret.encrypt(token),
      Math.min(seconds, 86_400) - expiryMarginSeconds,
    )
  return token
}

export async function requestToken(platform: Platform, provider: Provider) {
  const { errcode, errmsg, access_token, expires_in } = await requestWecom(
    platform,
    provider,
    '/cgi-bin/gettoken',
    {
      corpid: provider.settings.corpId ?? '',
      corpsecret: platform.secret.decrypt(provider.sealedSecret ?? '') ?? '',
    },
  )
  if (errcode || typeof access_token !== 'string' || !access_token)
    throw new OutboundError(`it refused with ${errcode}: ${String(errmsg).slice(0, 200)}`)
  return { token: access_token, seconds: Number(expires_in) || 0 }
}

/** @param body posted as JSON; without one the request is a GET */
export const requestWecom = <T = Answer>(
  platform: Platform,
  { settings }: Provider,
  path: string,
  search: Record<string, string>,
  body?: object,
) =>
  requestProviderJson<T>(
    platform,
    `${new URL(path, settings.apiUrl || 'https://qyapi.weixin.qq.com').href}?${new URLSearchParams(search)}`,
    body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
