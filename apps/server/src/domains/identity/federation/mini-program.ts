import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
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

/** Results of wx.login and wx.getUserInfo, sent by the mini-program. */
export type MiniProgramProof = {
  code: string
  rawData?: string | undefined
  signature?: string | undefined
  encryptedData?: string | undefined
  iv?: string | undefined
}

type Answer = { openid?: unknown; session_key?: unknown; errcode?: number; errmsg?: string }

/** Code of another app, used code, or user blocked by WeChat; any other error code is a server problem. */
const refusals = [40029, 40163, 40226]

const wechatApi = ({ settings }: Pick<Provider, 'settings'>) =>
  settings.apiUrl || 'https://api.weixin.qq.com'

/**
 * Identifies a mini-program user. Only the code, redeemed at WeChat, is proof; the other data must match it. The
 * session key is used here and never stored.
 * @see https://developers.weixin.qq.com/miniprogram/dev/OpenApiDoc/user-login/code2Session.html
 */
export async function identifyMiniProgramUser(
  platform: Platform,
  provider: Provider,
  proof: MiniProgramProof,
): Promise<ExternalIdentity> {
  const { openid, sessionKey } = await redeem(platform, provider, proof.code)
  if (proof.rawData !== undefined || proof.signature !== undefined) {
    if (!isSigned(proof.rawData ?? '', sessionKey, proof.signature ?? ''))
      throw new UntrustedAnswerError('the signature of rawData is wrong')
  }
  if (proof.encryptedData !== undefined || proof.iv !== undefined) {
    const data = decrypt(proof.encryptedData ?? '', sessionKey, proof.iv ?? '')
    checkWatermark(data, provider.settings.appId ?? '', openid, Date.now())
  }
  return { subject: openid, display: nickname(proof.rawData), username: '' }
}

/** Redeems a mini-program code at WeChat; an invalid code shows whether WeChat knows the app. */
export const code2Session = (platform: Platform, provider: Provider, code: string) =>
  requestProviderJson<Answer>(
    platform,
    `${new URL('/sns/jscode2session', wechatApi(provider)).href}?${new URLSearchParams({
      appid: provider.settings.appId ?? '',
      secret: platform.secret.decrypt(provider.sealedSecret ?? '') ?? '',
      js_code: code,
      grant_type: 'authorization_code',
    })}`,
  )

async function redeem(platform: Platform, provider: Provider, code: string) {
  const { openid, session_key, errcode = 0, errmsg } = await code2Session(platform, provider, code)
  if (errcode !== 0) {
    const message = `it refused with ${errcode}: ${String(errmsg).slice(0, 200)}`
    throw refusals.includes(errcode)
      ? new UntrustedAnswerError(message)
      : new OutboundError(message)
  }
  if (
    typeof openid !== 'string' ||
    !/^[\w-]{5,128}$/.test(openid) ||
    typeof session_key !== 'string'
  )
    throw new UntrustedAnswerError('its answer has no user')
  return { openid, sessionKey: session_key }
}

/**
 * Authorisation address for an official account; inside WeChat's app it is invisible to users.
 * @see https://developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/Wechat_webpage_authorization.html
 */
export function officialAccountAddress(
  platform: Platform,
  provider: Provider,
  pending: PendingLogin,
): string {
  const search = new URLSearchParams({
    appid: provider.settings.appId ?? '',
    redirect_uri: callbackUrl(platform, provider),
    response_type: 'code',
    scope: 'snsapi_base',
    state: pending.state,
  })
  return `https://open.weixin.qq.com/connect/oauth2/authorize?${search}#wechat_redirect`
}

/** Redeems an official account's code at WeChat; an invalid code shows whether WeChat knows the account. */
export const redeemPageCode = (platform: Platform, provider: Provider, code: string) =>
  requestProviderJson<Answer>(
    platform,
    `${new URL('/sns/oauth2/access_token', wechatApi(provider)).href}?${new URLSearchParams({
      appid: provider.settings.appId ?? '',
      secret: platform.secret.decrypt(provider.sealedSecret ?? '') ?? '',
      code,
      grant_type: 'authorization_code',
    })}`,
  )

/** Identifies the user by the callback's code. @throws OutboundError, UntrustedAnswerError */
export async function identifyOfficialAccountUser(
  platform: Platform,
  provider: Provider,
  code: unknown,
): Promise<ExternalIdentity> {
  if (typeof code !== 'string' || !/^[\w-]{1,512}$/.test(code))
    throw new UntrustedAnswerError('the code parameter is not a code')
  const { openid, errcode = 0, errmsg } = await redeemPageCode(platform, provider, code)
  if (errcode !== 0) {
    const message = `it refused with ${errcode}: ${String(errmsg).slice(0, 200)}`
    throw refusals.includes(errcode)
      ? new UntrustedAnswerError(message)
      : new OutboundError(message)
  }
  if (typeof openid !== 'string' || !/^[\w-]{5,128}$/.test(openid))
    throw new UntrustedAnswerError('its answer has no user')
  return { subject: openid, display: '', username: '' }
}

/** Compares with sha1(rawData + session_key); rawData must be exactly as received. */
export function isSigned(rawData: string, sessionKey: string, signature: string): boolean {
  const expected = createHash('sha1')
    .update(rawData + sessionKey)
    .digest()
  const actual = Buffer.from(signature, 'hex')
  return actual.length === expected.length && timingSafeEqual(expected, actual)
}

/**
 * AES-128-CBC; key, IV and data in base64.
 * @throws UntrustedAnswerError, the same for every failure (padding oracle)
 */
export function decrypt(encryptedData: string, sessionKey: string, iv: string): unknown {
  try {
    const decipher = createDecipheriv(
      'aes-128-cbc',
      Buffer.from(sessionKey, 'base64'),
      Buffer.from(iv, 'base64'),
    )
    const plaintext = Buffer.concat([
      decipher.update(Buffer.from(encryptedData, 'base64')),
      decipher.final(),
    ])
    return JSON.parse(plaintext.toString('utf8'))
  } catch {
    throw new UntrustedAnswerError('the data cannot be decrypted')
  }
}

/** Allowed clock difference of the data's timestamp, in minutes. */
const freshMinutes = 10

/** Checks that the data is recent and for our app and the same user. @throws UntrustedAnswerError */
export function checkWatermark(data: unknown, appId: string, openid: string, now: number) {
  const { openId, watermark } = (data ?? {}) as {
    openId?: unknown
    watermark?: { appid?: unknown; timestamp?: unknown }
  }
  if (watermark?.appid !== appId) throw new UntrustedAnswerError('the data is for another app')
  const age = Math.abs(now / 1000 - Number(watermark.timestamp))
  if (!(age <= freshMinutes * 60)) throw new UntrustedAnswerError('the data has expired')
  if (openId !== undefined && openId !== openid)
    throw new UntrustedAnswerError('the data belongs to somebody else')
}

/** Since 2022 WeChat returns 微信用户 for everybody, which is ignored. */
function nickname(rawData: string | undefined): string {
  try {
    const { nickName } = JSON.parse(rawData ?? '{}') as { nickName?: unknown }
    return typeof nickName === 'string' && nickName !== '微信用户' ? nickName.slice(0, 60) : ''
  } catch {
    return ''
  }
}
