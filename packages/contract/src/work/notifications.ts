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
    maxPerHour: T.Integer({ minimum: 0, maximum: 60, description: '0: any number' }),
  },
  { $id: 'AttentionSettings' },
)
export type AttentionSettings = Static<typeof AttentionSettings>

/** A delivery channel besides the inbox. */
export const ChannelState = T.Object(
  {
    channel: Channel,
    available: T.Boolean({ description: 'the institution has set it up' }),
    reachable: T.Boolean({ description: 'the member has a device, a confirmed address or number' }),
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
    channels: T.Array(Channel, { description: 'those it may take' }),
    chosen: T.Array(Channel, { description: 'those it takes' }),
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
    summary: 'The channels beside the inbox, and whether they reach the member',
    access: 'member',
    reply: T.Array(ChannelState),
  }),
  receiveSettings: get('/message/center/api/v1/messageCenter/getReceiveSettings', {
    summary: 'By which channels each kind of message is announced to the member',
    access: 'member',
    reply: T.Array(ReceiveSetting),
  }),
  setReceiveSettings: post('/message/center/api/v1/messageCenter/receiveSettings', {
    summary: 'Choose the channels of a kind of message',
    access: 'member',
    body: T.Object({ kindId: Id, channels: T.Array(Channel, { maxItems: 5, uniqueItems: true }) }),
    reply: T.Null(),
    errors: ['message.kind_not_found', 'message.kind_fixed', 'request.invalid'],
  }),
  attention: get('/message/center/api/v1/messageCenter/attention', {
    summary: 'When the member wants to be reached',
    access: 'member',
    reply: AttentionSettings,
  }),
  setAttention: post('/message/center/api/v1/messageCenter/updateUserSetting', {
    summary: 'Choose when to be reached; what waits is decided anew at once',
    access: 'member',
    body: AttentionSettings,
    reply: AttentionSettings,
    errors: ['request.invalid'],
  }),
  pushKey: get('/message/center/api/v1/push/key', {
    summary: 'The public key to subscribe with (VAPID, base64url)',
    access: 'member',
    reply: T.Object({ publicKey: T.String() }),
  }),
  subscribe: post('/message/center/api/v1/push/subscribe', {
    summary: 'Notifications for this account on this device',
    access: 'member',
    body: Subscription,
    reply: T.Null(),
    errors: ['push.endpoint_refused', 'push.too_many', 'request.invalid'],
  }),
  unsubscribe: post('/message/center/api/v1/push/unsubscribe', {
    summary: 'No notifications for this account on this device',
    access: 'member',
    body: T.Object({ endpoint: T.String({ maxLength: 1000 }) }),
    reply: T.Null(),
  }),
  renewSubscription: post('/message/center/api/v1/push/renew', {
    summary: 'The browser has replaced a subscription; its old address is the proof',
    access: 'public',
    body: T.Object({ oldEndpoint: T.String({ maxLength: 1000 }), subscription: Subscription }),
    reply: T.Null(),
    errors: ['push.endpoint_refused', 'request.invalid'],
  }),
  unsubscribePage: get('/message/unsubscribe/{token}', {
    summary: 'A page that asks whether a kind of message shall come by mail no longer',
    access: 'public',
    media: 'text/html',
    params: T.Object({ token: T.String({ maxLength: 200 }) }),
    reply: T.String(),
  }),
  unsubscribeMail: post('/message/unsubscribe/{token}', {
    summary: 'A kind of message comes by mail no longer (RFC 8058)',
    access: 'public',
    media: 'text/html',
    params: T.Object({ token: T.String({ maxLength: 200 }) }),
    reply: T.String(),
  }),
}
