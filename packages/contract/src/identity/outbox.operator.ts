import { CursorPage, cursorQuery, get, Id, Nullable, OneOf, post, T, Time } from '../define.ts'

const kinds = ['sms', 'mail', 'push', 'wecom', 'wechat'] as const
const statuses = ['waiting', 'sent', 'failed'] as const

/** An outgoing SMS, mail, push notification, or WeCom or WeChat message. */
export const OutboxMessage = T.Object(
  {
    id: Id,
    kind: OneOf(kinds),
    recipient: T.String(),
    subject: T.String({ description: 'mail: subject' }),
    body: T.String({ description: 'codes in it are masked, except in the demo' }),
    template: T.String({ description: 'id of the text approved by the provider' }),
    status: OneOf(statuses),
    tries: T.Integer(),
    error: T.String({ description: 'error of the last attempt' }),
    createdAt: Time,
    sentAt: Nullable(Time),
    failedAt: Nullable(Time),
  },
  { $id: 'OutboxMessage' },
)

export const outbox = {
  list: get('/console-api/v1/outbox', {
    summary:
      'List outgoing SMS, mails, and push, WeCom and WeChat messages, newest first; kept for 30 days',
    access: 'operator',
    permission: 'identity',
    query: T.Object({
      ...cursorQuery,
      kind: T.Optional(OneOf(kinds)),
      status: T.Optional(OneOf(statuses)),
      recipient: T.Optional(T.String({ maxLength: 254, description: 'exact match' })),
    }),
    reply: CursorPage(OutboxMessage),
  }),
  send: post('/console-api/v1/outbox/{id}/send', {
    summary: 'Retry a failed message',
    access: 'operator',
    permission: 'identity',
    params: T.Object({ id: Id }),
    reply: OutboxMessage,
    errors: ['outbox.not_found', 'outbox.not_failed'],
  }),
}
