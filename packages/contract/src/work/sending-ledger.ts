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
  contact: T.String({ description: 'username, or an external address or number' }),
  organization: T.String(),
  organizationEn: T.String(),
  inbox: OneOf(['waiting', 'delivered', 'read', 'confirmed', 'withdrawn', 'failed', 'none']),
  channels: T.Array(
    T.Object({
      channel: Channel,
      status: OneOf(['waiting', 'queued', 'sent', 'failed', 'skipped']),
      error: T.String({ description: 'error of the last attempt' }),
    }),
  ),
})
export type SendingRecipient = Static<typeof SendingRecipient>

/** Delivery results of messages: consistent figures, a list per recipient, and remaining actions. */
export const sendingLedger = {
  result: get('/message/center/api/v1/onlineSend/result', {
    summary:
      'Get the delivery results of a message: counts by inbox and channel that add up to the recipients',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  withdraw: post('/message/center/api/v1/onlineSend/withdraw', {
    summary: 'Withdraw a message from all inboxes, and stop pending deliveries',
    access: 'member',
    body: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  recipients: get('/message/center/api/v1/onlineSend/recipients', {
    summary: 'List the delivery results of a message by recipient',
    access: 'member',
    query: T.Object({ sendId: Id, status: T.Optional(OneOf(recipientStates)), ...cursorQuery }),
    reply: CursorPage(SendingRecipient),
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  pause: post('/message/center/api/v1/onlineSend/pause', {
    summary: 'Pause a message that is not completely sent',
    access: 'member',
    body: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found', 'sending.over'],
  }),
  resume: post('/message/center/api/v1/onlineSend/resume', {
    summary: 'Resume a paused message',
    access: 'member',
    body: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found', 'sending.over'],
  }),
  stop: post('/message/center/api/v1/onlineSend/stop', {
    summary: 'Stop sending a message; recipients who have it keep it',
    access: 'member',
    body: T.Object({ sendId: Id }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found', 'sending.over'],
  }),
  remind: post('/message/center/api/v1/onlineSend/remind', {
    summary:
      'Remind recipients who have not confirmed or answered, through the given channels; once an hour',
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
    summary: 'Get the deliveries and confirmations or answers of a message over time',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: T.Array(
      T.Object({
        at: Time,
        delivered: T.Integer({ description: 'cumulative' }),
        confirmed: T.Integer({ description: 'cumulative, including answers' }),
      }),
      { description: 'at most 49 points at equal intervals' },
    ),
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  export: get('/message/center/api/v1/onlineSend/export', {
    summary: 'Export the delivery results of a message by recipient, as CSV',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: T.String(),
    media: 'text/csv',
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  evidence: get('/message/center/api/v1/onlineSend/evidence', {
    summary:
      'Get a signed record (JWT) of a message: sender, content, number of recipients, results and the hash of the recipient list',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: T.String(),
    media: 'text/plain',
    errors: ['session.forbidden', 'sending.not_found', 'sending.not_over'],
  }),
  approvals: get('/message/center/api/v1/onlineSend/approvals', {
    summary: "List messages waiting for the caller's approval, oldest first",
    access: 'member',
    query: T.Object({ ...pageQuery }),
    reply: Page(T.Interface([Sending], { author: T.String() })),
    errors: ['session.forbidden'],
  }),
  decide: post('/message/center/api/v1/onlineSend/decide', {
    summary: "Approve or refuse another sender's message",
    access: 'member',
    body: T.Object({
      sendId: Id,
      approve: T.Boolean(),
      reason: T.String({ maxLength: 500, description: 'reason of a refusal, shown to the author' }),
    }),
    reply: SendingResult,
    errors: ['session.forbidden', 'sending.not_found', 'sending.decided', 'sending.own'],
  }),
}
