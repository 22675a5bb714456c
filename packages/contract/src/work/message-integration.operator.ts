import {
  del,
  get,
  Icon,
  Nullable,
  OneOf,
  post,
  put,
  Secret,
  type Static,
  T,
  Time,
} from '../define.ts'

const code = T.String({ pattern: '^[a-z0-9][a-z0-9-]{0,59}$' })
const Channel = OneOf(['push', 'mail', 'sms', 'wecom', 'wechat'])
// No defaults: validation does not apply defaults inside a union.
const template = T.Object({
  title: T.String({ minLength: 1, maxLength: 200 }),
  titleEn: T.Optional(T.String({ maxLength: 200 })),
  summary: T.Optional(T.String({ maxLength: 500 })),
  summaryEn: T.Optional(T.String({ maxLength: 500 })),
  content: T.Optional(T.String({ maxLength: 100_000 })),
  contentEn: T.Optional(T.String({ maxLength: 100_000 })),
})

const kindFields = {
  code,
  name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 60, default: '' }),
  channels: T.Array(Channel, {
    maxItems: 5,
    default: [],
    description: 'available besides the inbox; members choose among them',
  }),
  defaultChannels: T.Array(Channel, { maxItems: 5, default: [] }),
  canTurnOff: T.Boolean({ default: true }),
  urgent: T.Boolean({ default: false, description: 'its messages may be sent as urgent' }),
  keepDays: T.Integer({ minimum: 1, maximum: 3650, default: 365 }),
  maxPerHour: T.Optional(
    Nullable(
      T.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'maximum calls of the sender per hour',
      }),
    ),
  ),
  template: T.Optional(Nullable(template)),
}

const appFields = {
  name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 60, default: '' }),
  description: T.String({ maxLength: 300, default: '' }),
  descriptionEn: T.String({ maxLength: 300, default: '' }),
  icon: Icon,
  position: T.Integer({ minimum: 0, maximum: 9999, default: 0 }),
  system: T.Optional(
    Nullable(T.String({ maxLength: 60, description: 'code of the system that sends; null: none' })),
  ),
  callbackUrl: T.String({
    maxLength: 500,
    default: '',
    pattern: '^(|https?://[^\\s]+)$',
    description: "address notified of recipients' actions; empty: none",
  }),
  callbackSecret: T.Optional(Secret({ minLength: 24, maxLength: 200 })),
}

export const RegisteredMessageApp = T.Object(
  {
    code: T.String(),
    ...appFields,
    system: Nullable(T.String()),
    callbackSecret: T.Optional(T.Never()),
    callbackWaiting: T.Integer({ description: 'number of undelivered callback events' }),
    callbackError: T.String(),
    lastSentAt: Nullable(Time),
    kinds: T.Array(T.Object(kindFields)),
  },
  { $id: 'RegisteredMessageApp' },
)
export type RegisteredMessageApp = Static<typeof RegisteredMessageApp>

const params = T.Object({ code })
const errors = ['message.app_not_found', 'request.invalid'] as const

/** Message applications and their kinds, for operators. */
export const messageApps = {
  list: get('/console-api/v1/message-apps', {
    summary: 'List the message applications with their kinds',
    access: 'operator',
    permission: 'messages',
    reply: T.Array(RegisteredMessageApp),
  }),
  create: post('/console-api/v1/message-apps', {
    summary: 'Register a message application with its first kinds',
    access: 'operator',
    permission: 'messages',
    body: T.Object({
      code,
      ...appFields,
      kinds: T.Array(T.Object(kindFields), { minItems: 1, maxItems: 100 }),
    }),
    reply: RegisteredMessageApp,
    errors: ['request.invalid', 'message.app_known'],
  }),
  update: put('/console-api/v1/message-apps/{code}', {
    summary: 'Update a message application; kinds not given are unchanged',
    access: 'operator',
    permission: 'messages',
    params,
    body: T.Object({
      ...appFields,
      kinds: T.Optional(T.Array(T.Object(kindFields), { maxItems: 100 })),
    }),
    reply: RegisteredMessageApp,
    errors,
  }),
  remove: del('/console-api/v1/message-apps/{code}', {
    summary: 'Delete a message application that has sent nothing',
    access: 'operator',
    permission: 'messages',
    params,
    reply: T.Null(),
    errors: ['message.app_not_found', 'message.app_used'],
  }),
}
