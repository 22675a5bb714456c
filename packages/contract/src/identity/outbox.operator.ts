import { CursorPage, cursorQuery, get, Id, Nullable, OneOf, post, T, Time } from '../define.ts'

const kinds = ['sms', 'mail', 'push', 'wecom', 'wechat'] as const
const statuses = ['waiting', 'sent', 'failed'] as const

/** An outgoing SMS, mail, push notification, or WeCom or WeChat message. */
export const OutboxMessage = T.Object(
  {
    id: Id,
    kind: OneOf(kinds),
    recipient: T.String(),
    subject: T.String({ description: 'of a mail' }),
    body: T.String({ description: 'codes in it are hidden, except in a demo' }),
    template: T.String({ description: 'which of the provider’s approved texts it is' }),
    status: OneOf(statuses),
    tries: T.Integer(),
    error: T.String({ description: 'why the last try went wrong' }),
    createdAt: Time,
    sentAt: Nullable(Time),
    failedAt: Nullable(Time),
  },
  { $id: 'OutboxMessage' },
)

export const outbox = {
  list: get('/console-api/v1/outbox', {
    summary: 'Short messages and mails on their way out, the newest first; kept for 30 days',
    access: 'operator',
    permission: 'identity',
    query: T.Object({
      ...cursorQuery,
      kind: T.Optional(OneOf(kinds)),
      status: T.Optional(OneOf(statuses)),
      recipient: T.Optional(T.String({ maxLength: 254, description: 'exactly this one' })),
    }),
    reply: CursorPage(OutboxMessage),
  }),
  send: post('/console-api/v1/outbox/{id}/send', {
    summary: 'Send a message again that failed',
    access: 'operator',
    permission: 'identity',
    params: T.Object({ id: Id }),
    reply: OutboxMessage,
    errors: ['outbox.not_found', 'outbox.not_failed'],
  }),
}
