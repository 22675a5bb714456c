import type { ChannelMessage } from '#platform/delivery/outbox.ts'
import { Undeliverable } from '#platform/delivery/permanent-delivery-error.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { findProvider } from './queries.ts'
import { requestWecom, tokenOf } from './wecom.ts'

type Answer = { errcode?: number; errmsg?: string; invaliduser?: string; unlicenseduser?: string }

/** Payload of a WeCom message in the outbox. */
type Payload = { title: string; description: string; url: string }

const expiredTokenCodes = [40014, 42001]
/** All recipients are unknown, or may not use the application. */
const undeliverableCodes = [81013, 60011, 60111]

/**
 * Sends application messages to members who have bound WeCom; `to` is an account id.
 * @see https://developer.work.weixin.qq.com/document/path/90236
 */
export function openWecomMessages(platform: Platform) {
  return async ({ to, payload }: ChannelMessage) => {
    const bound = await findWecomUser(platform, to)
    const provider = bound && (await findProvider(platform.db, bound.providerId))
    if (!bound || !provider?.enabled) throw new Undeliverable('The member has not linked WeCom.')
    const { title, description, url } = JSON.parse(payload) as Payload
    const body = {
      touser: bound.subject,
      msgtype: 'textcard',
      agentid: Number(provider.settings.agentId),
      // WeCom limits bytes and silently truncates longer texts.
      textcard: { title: cut(title, 128), description: cut(description || title, 512), url },
      enable_duplicate_check: 1,
      duplicate_check_interval: 1800,
    }
    const send = (token: string) =>
      requestWecom<Answer>(
        platform,
        provider,
        '/cgi-bin/message/send',
        { access_token: token },
        body,
      )
    let answer = await send(await tokenOf(platform, provider))
    if (expiredTokenCodes.includes(answer.errcode ?? 0))
      answer = await send(await tokenOf(platform, provider, true))
    const { errcode = 0, errmsg, invaliduser, unlicenseduser } = answer
    if (undeliverableCodes.includes(errcode) || invaliduser || unlicenseduser)
      throw new Undeliverable(
        'WeCom does not know the member, or the member has no access to the application.',
      )
    if (errcode !== 0)
      throw new OutboundError(`WeCom refused with ${errcode}: ${String(errmsg).slice(0, 200)}`)
  }
}

const findWecomUser = (platform: Platform, accountId: string) =>
  platform.db
    .selectFrom('federated_identity as identity')
    .innerJoin('identity_provider as provider', 'provider.id', 'identity.provider_id')
    .innerJoin('account', 'account.person_id', 'identity.person_id')
    .select(['identity.subject', 'provider.id as providerId'])
    .where('account.id', '=', accountId)
    .where('provider.kind', '=', 'wecom')
    .where('provider.enabled', '=', true)
    .orderBy('identity.last_used_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Truncates to a number of UTF-8 bytes, at character boundaries. */
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  let bytes = 3
  let truncated = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    truncated += character
  }
  return `${truncated}…`
}
