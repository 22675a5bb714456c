import type { ReceiveSetting } from '@atrium/contract/work/notifications'
import { notificationChannels, type notifications } from '@atrium/contract/work/notifications'
import type { attentionDefaults } from '@atrium/contract/work/notifications.operator'
import { builtInApps, ensureBuiltInApp } from '#domains/work/messages/built-in-apps.ts'
import { cachedRead } from '#platform/area-state.ts'
import { canSend } from '#platform/delivery/outbox.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { outboundIssue } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { deleteSubscription, pushKeys, type Subscription, saveSubscription } from './push.ts'
import {
  findBoundStates,
  getAttention,
  getDefaultAttention,
  listReceiveSettings,
  listSubscriptions,
  saveAttention,
  saveChoice,
  saveDefaultAttention,
} from './queries.ts'
import { renderUnsubscribePage, unsubscribe } from './unsubscribe.ts'

const maxDevices = 20

/** Inserts the portal's own kinds, so that members can configure them before their first message. */
const ensureBuiltInApps = cachedRead([], async ({ db }) => {
  for (const app of builtInApps.all()) await ensureBuiltInApp(db, app)
})

export const notificationHandlers: Handlers<typeof notifications> = {
  async channels({ db, viewer, platform }) {
    const { email, mobile } = await db
      .selectFrom('person')
      .select(['email_verified_at as email', 'mobile_verified_at as mobile'])
      .where('id', '=', viewer.personId)
      .executeTakeFirstOrThrow()
    const devices = await listSubscriptions(db, viewer.accountId)
    const { wecom, wechat } = await findBoundStates(db, viewer.personId)
    const states = {
      push: [true, devices.length > 0],
      mail: [canSend(platform, 'email'), email !== null],
      sms: [canSend(platform, 'mobile'), mobile !== null],
      wecom: [wecom.available, wecom.reachable],
      wechat: [wechat.available, wechat.reachable],
    } as const
    return notificationChannels.map((channel) => ({
      channel,
      available: states[channel][0],
      reachable: states[channel][1],
    }))
  },

  async receiveSettings({ db, viewer, platform }) {
    await ensureBuiltInApps(platform)
    return (await listReceiveSettings(db, viewer.accountId)) as ReceiveSetting[]
  },

  async setReceiveSettings({ db, viewer, body: { kindId, channels } }) {
    const kind = await db
      .selectFrom('message_kind')
      .select(['channels', 'default_channels', 'can_turn_off'])
      .where('id', '=', kindId)
      .executeTakeFirst()
    if (!kind) fail('message.kind_not_found')
    if (channels.some((channel) => !kind.channels.includes(channel)))
      fail('request.invalid', { fields: { channels: 'choice' } })
    if (!kind.can_turn_off && kind.default_channels.some((one) => !channels.includes(one as never)))
      fail('message.kind_fixed')
    await saveChoice(db, viewer.accountId, kindId, channels)
    return null
  },

  attention: ({ db, viewer }) => getAttention(db, viewer.accountId),
  setAttention: ({ platform, viewer, body }) =>
    platform.db.transaction().execute(async (db) => {
      if ((body.quietFrom === null) !== (body.quietUntil === null))
        fail('request.invalid', { fields: { quietUntil: 'required' } })
      await saveAttention(db, viewer.accountId, body)
      return body
    }),

  pushKey: async ({ platform }) => ({ publicKey: (await pushKeys(platform)).publicKey }),

  async subscribe({ db, viewer, body, platform }) {
    await assertEndpoint(platform, body)
    if ((await listSubscriptions(db, viewer.accountId)).length >= maxDevices) fail('push.too_many')
    await saveSubscription(db, viewer, body)
    return null
  },

  async unsubscribe({ db, viewer, body }) {
    await db
      .deleteFrom('push_subscription')
      .where('account_id', '=', viewer.accountId)
      .where('endpoint', '=', body.endpoint)
      .execute()
    return null
  },

  renewSubscription: async ({ platform, body: { oldEndpoint, subscription } }) => {
    await assertEndpoint(platform, subscription)
    return platform.db.transaction().execute(async (db) => {
      const old = await db
        .selectFrom('push_subscription')
        .select(['account_id as accountId', 'session_id as sessionId'])
        .where('endpoint', '=', oldEndpoint)
        .forUpdate()
        .executeTakeFirst()
      if (!old) return null
      await deleteSubscription(db, oldEndpoint)
      await saveSubscription(db, old, subscription)
      return null
    })
  },

  unsubscribePage: async ({ platform, request, reply, params }) =>
    renderUnsubscribePage(platform, { request, reply }, params.token),
  unsubscribeMail: ({ platform, request, reply, params }) =>
    unsubscribe(platform, { request, reply }, params.token),
}

/** Refuses push endpoints inside the network. @throws push.endpoint_refused */
async function assertEndpoint({ env }: Platform, { endpoint }: Subscription) {
  if (await outboundIssue(endpoint, env.ATRIUM_OUTBOUND_ALLOW)) fail('push.endpoint_refused')
}

export const attentionDefaultHandlers: Handlers<typeof attentionDefaults> = {
  read: ({ db }) => getDefaultAttention(db),
  update: ({ platform, body }) =>
    platform.db.transaction().execute(async (db) => {
      await saveDefaultAttention(db, body)
      return body
    }),
}
