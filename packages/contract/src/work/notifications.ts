import { get, Id, Nullable, OneOf, post, type Static, T } from '../define.ts'

export const notificationChannels = ['push', 'mail', 'sms', 'wecom', 'wechat'] as const
const Channel = OneOf(notificationChannels)
const Clock = T.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM' })
const weekday = T.Integer({ minimum: 1, maximum: 7, description: '1 Monday to 7 Sunday' })

export const AttentionSettings = T.Object(
  {
    quietFrom: Nullable(Clock),
    quietUntil: Nullable(Clock),
    daysOff: T.Array(weekday, { maxItems: 6, uniqueItems: true }),
    digest: OneOf(['none', 'daily', 'weekly']),
    digestAt: Clock,
    digestDay: weekday,
    maxPerHour: T.Integer({ minimum: 0, maximum: 60, description: '0: unlimited' }),
  },
  { $id: 'AttentionSettings' },
)
export type AttentionSettings = Static<typeof AttentionSettings>

/** A delivery channel besides the inbox. */
export const ChannelState = T.Object(
  {
    channel: Channel,
    available: T.Boolean({ description: 'configured by the institution' }),
    reachable: T.Boolean({
      description: 'the member has a device, a confirmed address or a confirmed number',
    }),
  },
  { $id: 'ChannelState' },
)

export const ReceiveSetting = T.Object(
  {
    kindId: Id,
    appId: Id,
    appName: T.String(),
    appNameEn: T.String(),
    name: T.String(),
    nameEn: T.String(),
    channels: T.Array(Channel, { description: 'available channels' }),
    chosen: T.Array(Channel, { description: 'channels chosen by the member' }),
    canTurnOff: T.Boolean(),
    urgent: T.Boolean(),
  },
  { $id: 'ReceiveSetting' },
)
export type ReceiveSetting = Static<typeof ReceiveSetting>

const Subscription = T.Object({
  endpoint: T.String({ maxLength: 1000, pattern: '^https?://[^\\s]+$' }),
  keys: T.Object({
    p256dh: T.String({ pattern: '^[A-Za-z0-9_-]{80,100}=*$' }),
    auth: T.String({ pattern: '^[A-Za-z0-9_-]{20,30}=*$' }),
  }),
})

export const notifications = {
  channels: get('/message/center/api/v1/messageCenter/getSendType', {
    summary: 'List the channels besides the inbox, and whether they reach the member',
    access: 'member',
    reply: T.Array(ChannelState),
  }),
  receiveSettings: get('/message/center/api/v1/messageCenter/getReceiveSettings', {
    summary: 'List the channels on which each kind of message is announced to the member',
    access: 'member',
    reply: T.Array(ReceiveSetting),
  }),
  setReceiveSettings: post('/message/center/api/v1/messageCenter/receiveSettings', {
    summary: 'Set the channels of a kind of message',
    access: 'member',
    body: T.Object({ kindId: Id, channels: T.Array(Channel, { maxItems: 5, uniqueItems: true }) }),
    reply: T.Null(),
    errors: ['message.kind_not_found', 'message.kind_fixed', 'request.invalid'],
  }),
  attention: get('/message/center/api/v1/messageCenter/attention', {
    summary: "Get the member's attention settings: quiet hours, days off, digests",
    access: 'member',
    reply: AttentionSettings,
  }),
  setAttention: post('/message/center/api/v1/messageCenter/updateUserSetting', {
    summary: "Set the member's attention settings; pending deliveries are rescheduled immediately",
    access: 'member',
    body: AttentionSettings,
    reply: AttentionSettings,
    errors: ['request.invalid'],
  }),
  pushKey: get('/message/center/api/v1/push/key', {
    summary: 'Get the public key for push subscriptions (VAPID, base64url)',
    access: 'member',
    reply: T.Object({ publicKey: T.String() }),
  }),
  subscribe: post('/message/center/api/v1/push/subscribe', {
    summary: 'Enable push notifications for this account on this device',
    access: 'member',
    body: Subscription,
    reply: T.Null(),
    errors: ['push.endpoint_refused', 'push.too_many', 'request.invalid'],
  }),
  unsubscribe: post('/message/center/api/v1/push/unsubscribe', {
    summary: 'Disable push notifications for this account on this device',
    access: 'member',
    body: T.Object({ endpoint: T.String({ maxLength: 1000 }) }),
    reply: T.Null(),
  }),
  renewSubscription: post('/message/center/api/v1/push/renew', {
    summary:
      'Replace a push subscription renewed by the browser; the old endpoint authorises the call',
    access: 'public',
    body: T.Object({ oldEndpoint: T.String({ maxLength: 1000 }), subscription: Subscription }),
    reply: T.Null(),
    errors: ['push.endpoint_refused', 'request.invalid'],
  }),
  unsubscribePage: get('/message/unsubscribe/{token}', {
    summary: 'Show the page for unsubscribing from mails of a kind of message',
    access: 'public',
    media: 'text/html',
    params: T.Object({ token: T.String({ maxLength: 200 }) }),
    reply: T.String(),
  }),
  unsubscribeMail: post('/message/unsubscribe/{token}', {
    summary: 'Unsubscribe from mails of a kind of message (RFC 8058)',
    access: 'public',
    media: 'text/html',
    params: T.Object({ token: T.String({ maxLength: 200 }) }),
    reply: T.String(),
  }),
}
