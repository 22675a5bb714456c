import { get, Id, Nullable, OneOf, Page, pageQuery, put, type Static, T, Time } from '../define.ts'
import { sendingKinds } from './sending/texts.ts'
import { SendingChannel, SendingHours, sendingStatuses } from './sending.ts'

export const SendingPolicy = T.Object(
  {
    held: T.Boolean({ description: 'nothing is sent on any node while this is set' }),
    approveAbove: Nullable(
      T.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'messages with more recipients need approval; null: never',
      }),
    ),
    maxRecipients: Nullable(
      T.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'maximum recipients of a message by a department sender',
      }),
    ),
    hours: Nullable(SendingHours),
    kindsInPart: T.Array(OneOf(sendingKinds), {
      minItems: 1,
      uniqueItems: true,
      description:
        'kinds that department senders may send; senders for the whole institution may send all',
    }),
    members: T.Boolean({
      description: 'each member may write to other members by name, unless they declined',
    }),
  },
  { $id: 'SendingPolicy' },
)
export type SendingPolicy = Static<typeof SendingPolicy>

const operator = { access: 'operator', permission: 'messages' } as const

/** Messages sent by hand across the institution, and the rules for them. */
export const sendingOperations = {
  policy: get('/console-api/v1/sending-policy', {
    summary: 'Get the policy for sending',
    ...operator,
    reply: SendingPolicy,
  }),
  setPolicy: put('/console-api/v1/sending-policy', {
    summary: 'Set the policy for sending, or suspend all sending',
    ...operator,
    body: SendingPolicy,
    reply: SendingPolicy,
    errors: ['request.invalid'],
  }),
  list: get('/console-api/v1/sendings', {
    summary: 'List messages that are being sent or were sent, newest first',
    ...operator,
    query: T.Object({
      ...pageQuery,
      status: T.Optional(OneOf(sendingStatuses)),
    }),
    reply: Page(
      T.Object({
        sendId: Id,
        title: T.String(),
        author: T.String(),
        organization: T.String({ description: 'organisation of the author' }),
        status: OneOf(sendingStatuses),
        sendTime: Time,
        recipients: T.Integer(),
        delivered: T.Integer(),
        perSecond: Nullable(T.Number({ description: 'recipients per second in the last minute' })),
      }),
    ),
  }),
  summary: get('/console-api/v1/sendings/summary', {
    summary: 'Get the mails, SMS and failures of a month by department and cause',
    ...operator,
    query: T.Object({ month: T.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' }) }),
    reply: T.Object({
      departments: T.Array(
        T.Object({
          organization: T.String(),
          messages: T.Integer(),
          recipients: T.Integer(),
          channels: T.Array(T.Object({ channel: SendingChannel, sent: T.Integer() })),
        }),
        { description: 'at most 200, largest first' },
      ),
      failures: T.Array(
        T.Object({ channel: SendingChannel, error: T.String(), count: T.Integer() }),
        { description: 'the 50 most frequent' },
      ),
    }),
  }),
}
