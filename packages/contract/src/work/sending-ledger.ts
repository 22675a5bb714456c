import {
  CursorPage,
  cursorQuery,
  get,
  Id,
  OneOf,
  Page,
  pageQuery,
  post,
  type Static,
  T,
  Time,
} from '../define.ts'
import { SendingChannel as Channel, Sending, SendingResult } from './sending.ts'

const recipientStates = [
  'waiting',
  'delivered',
  'read',
  'confirmed',
  'unconfirmed',
  'failed',
] as const

export const SendingRecipient = T.Object({
  name: T.String(),
  nameEn: T.String(),
  contact: T.String({ description: 'a username, or an outside address or number' }),
  organization: T.String(),
  organizationEn: T.String(),
  inbox: OneOf(['waiting', 'delivered', 'read', 'confirmed', 'withdrawn', 'failed', 'none']),
  channels: T.Array(
    T.Object({
      channel: Channel,
      status: OneOf(['waiting', 'queued', 'sent', 'failed', 'skipped']),
      error: T.String({ description: 'why the last try failed' }),
    }),
  ),
})
export type SendingRecipient = Static<typeof SendingRecipient>

/** Delivery results of messages: consistent figures, a list per recipient, and remaining actions. */
export const sendingLedger = {
  result: get('/message/center/api/v1/onlineSend/result', {
    summary:
      'What became of a message: figures by inbox and channel, which add up to the recipients',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  withdraw: post('/message/center/api/v1/onlineSend/withdraw', {
    summary: 'Take a message out of every inbox, and stop what has not gone out',
    access: 'member',
    body: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  recipients: get('/message/center/api/v1/onlineSend/recipients', {
    summary: 'Recipient by recipient, what became of it',
    access: 'member',
    query: T.Object({ sendId: Id, status: T.Optional(OneOf(recipientStates)), ...cursorQuery }),
    reply: CursorPage(SendingRecipient),
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  pause: post('/message/center/api/v1/onlineSend/pause', {
    summary: 'Hold a message that has not gone out whole',
    access: 'member',
    body: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found', 'sending.over'],
  }),
  resume: post('/message/center/api/v1/onlineSend/resume', {
    summary: 'Go on with a message that was paused',
    access: 'member',
    body: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found', 'sending.over'],
  }),
  stop: post('/message/center/api/v1/onlineSend/stop', {
    summary: 'Send a message to nobody more; who has it keeps it',
    access: 'member',
    body: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found', 'sending.over'],
  }),
  remind: post('/message/center/api/v1/onlineSend/remind', {
    summary: 'Remind those who have not confirmed or answered, by these channels; once an hour',
    access: 'member',
    body: T.Object({
      sendId: Id,
      channels: T.Array(Channel, { minItems: 1, maxItems: 5, uniqueItems: true }),
    }),
    reply: SendingResult,
    errors: [
      'session.forbidden',
      'sending.not_found',
      'sending.nothing_asked',
      'sending.reminded',
      'sending.over',
    ],
  }),
  curve: get('/message/center/api/v1/onlineSend/curve', {
    summary: 'How many had it, and had confirmed or answered, over time',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: T.Array(
      T.Object({
        at: Time,
        delivered: T.Integer({ description: 'up to then' }),
        confirmed: T.Integer({ description: 'up to then, confirmed or answered' }),
      }),
      { description: 'at most 49 points, equally far apart' },
    ),
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  export: get('/message/center/api/v1/onlineSend/export', {
    summary: 'Recipient by recipient, as CSV',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: T.String(),
    media: 'text/csv',
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  evidence: get('/message/center/api/v1/onlineSend/evidence', {
    summary:
      'A signed record (JWT) of what was sent by whom, to how many and with what result, with the hash of the list of recipients',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: T.String(),
    media: 'text/plain',
    errors: ['session.forbidden', 'sending.not_found', 'sending.not_over'],
  }),
  approvals: get('/message/center/api/v1/onlineSend/approvals', {
    summary: 'Messages of others that wait for the caller, oldest first',
    access: 'member',
    query: T.Object({ ...pageQuery }),
    reply: Page(T.Interface([Sending], { author: T.String() })),
    errors: ['session.forbidden'],
  }),
  decide: post('/message/center/api/v1/onlineSend/decide', {
    summary: 'Approve or refuse a message of somebody else',
    access: 'member',
    body: T.Object({
      sendId: Id,
      approve: T.Boolean(),
      reason: T.String({ maxLength: 500, description: 'why it is refused; its author reads it' }),
    }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found', 'sending.decided', 'sending.own'],
  }),
}
