import { sql } from 'kysely'
import { requestProviderJson } from '#domains/identity/federation/external-identity.ts'
import { findProvider, type Provider } from '#domains/identity/federation/queries.ts'
import { findCredential, upsertCredential } from '#domains/identity/wechat/queries.ts'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import type { ChannelMessage } from '#platform/delivery/outbox.ts'
import { Undeliverable } from '#platform/delivery/permanent-delivery-error.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { shorten } from '#platform/text/shorten.ts'

type Answer = { errcode?: number; errmsg?: string; access_token?: string; expires_in?: number }

/** The payload of a WeChat message in the outbox. */
export type WechatPayload = { id: string; title: string; summary: string; app: string; at: string }

/** The token has expired or was replaced: retried once with a new one. */
const expiredTokenCodes = [40001, 40014, 42001]
/** The member has not subscribed, has refused, or is unknown: retrying does not help. */
const unreachableMember: Record<number, string> = {
  40003: 'WeChat does not know the member.',
  43004: 'The member does not follow the WeChat account.',
  43101: 'The member has not subscribed to messages in WeChat.',
}
/** Errors that operators must fix in WeChat or in the settings. */
const templateErrors: Record<number, string> = {
  40037: 'WeChat does not know the template: templateId.',
  47003: 'The fields do not match the template: templateFields.',
}
/** Seconds by which tokens are considered expired early, so that none expires in transit. */
const expiryMarginSeconds = 300

/**
 * Sends to members who have bound WeChat; `to` is an account. Tries the official account first, whose followers need no
 * subscription, then the mini-program. The provider's settings map values to the fields of the approved template.
 * @see https://developers.weixin.qq.com/doc/offiaccount/Message_Management/Template_Message_Interface.html
 * @see
 * https://developers.weixin.qq.com/miniprogram/dev/OpenApiDoc/mp-message-management/subscribe-message/sendMessage.html
 */
export function createWechatSender(platform: Platform) {
  return async ({ to, payload }: ChannelMessage) => {
    const message = JSON.parse(payload) as WechatPayload
    let permanentFailure = new Undeliverable('The member has not linked WeChat.')
    for (const { subject, providerId } of await listWechatUsers(platform.db, to)) {
      const provider = await findProvider(platform.db, providerId)
      if (!provider?.enabled) continue
      try {
        return await sendBy(platform, provider, subject, message)
      } catch (error) {
        if (!(error instanceof Undeliverable)) throw error
        permanentFailure = error
      }
    }
    throw permanentFailure
  }
}

async function sendBy(
  platform: Platform,
  provider: Provider,
  touser: string,
  message: WechatPayload,
) {
  const { templateId, templateFields, templatePage } = provider.settings
  if (!templateId || !templateFields)
    throw new Undeliverable('No WeChat message template is set up: templateId.')
  const isMini = provider.kind === 'wechat-mini'
  const common = { touser, template_id: templateId, data: dataOf(templateFields, message) }
  const body = isMini
    ? { ...common, ...(templatePage && { page: pageOf(platform, templatePage, message.id) }) }
    : // WeChat ignores a repeated id, so a retry after a lost answer sends nothing twice.
      { ...common, url: addressOf(platform, message.id), client_msg_id: message.id }
  const path = isMini ? '/cgi-bin/message/subscribe/send' : '/cgi-bin/message/template/send'
  const send = (token: string) =>
    callWechat(platform, provider, `${path}?access_token=${encodeURIComponent(token)}`, body)
  const token = await getToken(platform, provider)
  let answer = await send(token)
  if (expiredTokenCodes.includes(answer.errcode ?? 0))
    answer = await send(await getToken(platform, provider, token))
  const { errcode = 0, errmsg } = answer
  const permanentFailure = unreachableMember[errcode] ?? templateErrors[errcode]
  if (permanentFailure) throw new Undeliverable(permanentFailure)
  // Includes daily and per-minute limits: the outbox retries after growing pauses, then gives up.
  if (errcode !== 0)
    throw new OutboundError(`WeChat refused with ${errcode}: ${String(errmsg).slice(0, 200)}`)
}

const addressOf = (platform: Platform, id: string) =>
  `${platform.origin()}/pagesA/message/detail?id=${id}`

const pageOf = (platform: Platform, page: string, id: string) =>
  page.replaceAll('{url}', encodeURIComponent(addressOf(platform, id)))

/** Maximum characters per field type; WeChat refuses longer values. */
const lengths: Record<string, number> = { thing: 20, name: 10, phrase: 5, character_string: 32 }

/** Fills the fields of a template as mapped by `title=thing1,time=time2`, truncated to the allowed lengths. */
export function dataOf(fields: string, { title, summary, app, at }: WechatPayload) {
  const values: Record<string, string> = { title, summary: summary || title, app, time: at }
  return Object.fromEntries(
    fields.split(',').map((pair) => {
      const [name = '', field = ''] = pair.split('=')
      const maxLength = lengths[field.replace(/\d+$/, '')]
      const text = (values[name] ?? '').replaceAll(/\s+/g, ' ').trim()
      return [field, { value: maxLength === undefined ? text : shorten(text, maxLength) }]
    }),
  )
}

/** The member's identities at the official account first, then at the mini-program. */
const listWechatUsers = (db: Db, accountId: string) =>
  db
    .selectFrom('federated_identity as identity')
    .innerJoin('identity_provider as provider', 'provider.id', 'identity.provider_id')
    .innerJoin('account', 'account.person_id', 'identity.person_id')
    .select(['identity.subject', 'provider.id as providerId'])
    .where('account.id', '=', accountId)
    .where('provider.kind', 'in', ['wechat-mp', 'wechat-mini'])
    .where('provider.enabled', '=', true)
    .orderBy('provider.kind', 'desc')
    .orderBy('identity.last_used_at', 'desc')
    .limit(4)
    .execute()

const pendingTokensOf = defineState(() => new Map<string, Promise<string>>())

/**
 * The access token of a mini-program or official account, shared by all nodes and stored encrypted. If it is missing,
 * one caller requests a new one and the others wait.
 * @param refused the token WeChat refused: forced refreshes are limited to twenty a day, so one is made only if nobody
 * else has replaced the token yet
 */
function getToken(platform: Platform, provider: Provider, refused?: string): Promise<string> {
  const pending = pendingTokensOf(platform)
  const key = `${provider.id} ${refused ?? ''}`
  const running = pending.get(key)
  if (running) return running
  const token = platform.db
    .transaction()
    .execute((db) => fetchSharedToken(platform, db, provider, refused))
    .finally(() => pending.delete(key))
  pending.set(key, token)
  return token
}

async function fetchSharedToken(
  platform: Platform,
  db: Db,
  provider: Provider,
  refused: string | undefined,
) {
  const { appId, apiUrl } = provider.settings
  // A token is only sent to the host that issued it.
  const app = [`${provider.kind === 'wechat-mini' ? 'mini' : 'mp'}/${appId}`, apiUrl]
    .filter(Boolean)
    .join(' ')
  await sql`select pg_advisory_xact_lock(7303, ${Number(provider.id)}::integer)`.execute(db)
  const sealed = await findCredential(db, app, 'access_token')
  const stored = sealed && platform.secret.decrypt(sealed)
  if (stored && stored !== refused) return stored
  const { errcode, errmsg, access_token, expires_in } = await callWechat(
    platform,
    provider,
    '/cgi-bin/stable_token',
    {
      grant_type: 'client_credential',
      appid: provider.settings.appId ?? '',
      secret: platform.secret.decrypt(provider.sealedSecret ?? '') ?? '',
      force_refresh: refused !== undefined,
    },
  )
  if (errcode || typeof access_token !== 'string' || !access_token)
    throw new OutboundError(`WeChat issued no token (${errcode}): ${String(errmsg).slice(0, 200)}`)
  const seconds = Math.min(Number(expires_in) || 0, 86_400) - expiryMarginSeconds
  if (seconds > 0)
    await upsertCredential(db, app, 'access_token', platform.secret.encrypt(access_token), seconds)
  return access_token
}

const callWechat = (platform: Platform, { settings }: Provider, path: string, body: object) =>
  requestProviderJson<Answer>(
    platform,
    new URL(path, settings.apiUrl || 'https://api.weixin.qq.com').href,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
