import { sql } from 'kysely'
import { findCredential, upsertCredential } from '#domains/identity/wechat/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { askJson, type Shown, UntrustedAnswerError } from './external-identity.ts'
import { callbackOf } from './openid.ts'
import type { Begun } from './pending-login.ts'
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
const margin = 300

/**
 * WeCom's authorisation address; inside its app it is invisible to users.
 * @see https://developer.work.weixin.qq.com/document/path/91022
 */
export function wecomLoginAddress(platform: Platform, provider: Provider, begun: Begun): string {
  const { corpId = '', agentId = '' } = provider.settings
  const search = new URLSearchParams({
    appid: corpId,
    redirect_uri: callbackOf(platform, provider),
    response_type: 'code',
    scope: 'snsapi_base',
    state: begun.state,
    agentid: agentId,
  })
  return `https://open.weixin.qq.com/connect/oauth2/authorize?${search}#wechat_redirect`
}

/** Identifies the member by the callback's code. @throws OutboundError, UntrustedAnswerError */
export async function redeemWecomCode(
  platform: Platform,
  provider: Provider,
  code: unknown,
): Promise<Shown> {
  if (typeof code !== 'string' || !/^[\w-]{1,512}$/.test(code))
    throw new UntrustedAnswerError('what came is no code')
  const ask = (token: string) =>
    askWecom(platform, provider, '/cgi-bin/auth/getuserinfo', { access_token: token, code })
  let answer = await ask(await tokenOf(platform, provider))
  // The token was revoked early.
  if ([40014, 42001].includes(answer.errcode ?? 0))
    answer = await ask(await tokenOf(platform, provider, true))
  const { errcode = 0, errmsg } = answer
  if (errcode !== 0) {
    const said = `it refused with ${errcode}: ${String(errmsg).slice(0, 200)}`
    throw errcode === 40029 ? new UntrustedAnswerError(said) : new OutboundError(said)
  }
  // External users have only an openid.
  const userid = answer.userid ?? answer.UserId
  if (typeof userid !== 'string' || !userid || userid.length > 64)
    throw new UntrustedAnswerError('it is nobody of the corporation')
  // WeCom returns the userid as entered, but treats it as case-insensitive.
  const subject = userid.toLowerCase()
  return { subject, display: userid, username: provider.settings.matchUsername ? subject : '' }
}

const askingOf = definePart(() => new Map<string, Promise<string>>())

/**
 * The app's access token, shared by all nodes and stored encrypted; if it is missing, only one of the callers requests
 * it from WeCom.
 */
export function tokenOf(platform: Platform, provider: Provider, anew = false): Promise<string> {
  const underWay = askingOf(platform)
  const key = `${provider.id} ${anew}`
  const before = underWay.get(key)
  if (before) return before
  const token = platform.db
    .transaction()
    .execute((db) => sharedToken(platform, db, provider, anew))
    .finally(() => underWay.delete(key))
  underWay.set(key, token)
  return token
}

async function sharedToken(platform: Platform, db: Db, provider: Provider, anew: boolean) {
  const { corpId, agentId } = provider.settings
  const app = `${corpId}/${agentId}`
  await sql`select pg_advisory_xact_lock(7302, ${Number(provider.id)}::integer)`.execute(db)
  const sealed = anew ? undefined : await findCredential(db, app, 'access_token')
  const kept = sealed && platform.secret.decrypt(sealed)
  if (kept) return kept
  const { token, seconds } = await askToken(platform, provider)
  if (seconds > margin)
    await upsertCredential(
      db,
      app,
      'access_token',
      platform.secret.encrypt(token),
      Math.min(seconds, 86_400) - margin,
    )
  return token
}

export async function askToken(platform: Platform, provider: Provider) {
  const { errcode, errmsg, access_token, expires_in } = await askWecom(
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
export const askWecom = <T = Answer>(
  platform: Platform,
  { settings }: Provider,
  path: string,
  search: Record<string, string>,
  body?: object,
) =>
  askJson<T>(
    platform,
    `${new URL(path, settings.apiUrl || 'https://qyapi.weixin.qq.com').href}?${new URLSearchParams(search)}`,
    body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
