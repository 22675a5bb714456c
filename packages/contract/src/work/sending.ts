import {
  del,
  get,
  Id,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  post,
  put,
  type Static,
  T,
  Time,
} from '../define.ts'
import { MemberVariable, NeededVariables, sendingTexts } from './sending/texts.ts'

/** Channels besides the inbox that a sender may choose. */
export const sendingChannels = ['push', 'mail', 'sms', 'wecom', 'wechat'] as const
export const SendingChannel = OneOf(sendingChannels)
const Channel = SendingChannel
const Kind = sendingTexts.kind
const text = (maxLength: number) => T.String({ maxLength })

/**
 * One entry of the recipient chooser. Entries for the same person, group, organisation, address or number count once.
 */
export const Recipient = T.Union([
  T.Object({ accountName: T.String({ minLength: 1, maxLength: 128 }) }),
  T.Object({ group_code: T.String({ minLength: 1, maxLength: 100 }) }),
  T.Object({
    ins_code: T.String({ minLength: 1, maxLength: 100 }),
    below: T.Boolean({ description: 'include everything below it' }),
  }),
  T.Object({ identityType: T.String({ minLength: 1, maxLength: 60 }) }),
  T.Object({ listId: Id }),
  T.Object({ courseId: Id }),
  T.Object({ eventId: Id }),
  T.Object({
    externalType: OneOf(['email', 'phone']),
    contactsNumber: T.String({ minLength: 1, maxLength: 254 }),
  }),
])
export type Recipient = Static<typeof Recipient>
const recipients = T.Array(Recipient, { minItems: 1, maxItems: 2000 })
const channels = T.Array(Channel, { maxItems: 5, uniqueItems: true })

export const SendingPreview = T.Object({
  recipients: T.Integer({ description: 'inboxes plus external addresses and numbers' }),
  members: T.Integer(),
  external: T.Integer(),
  sms: T.Integer({ description: 'maximum number of SMS needed' }),
  channels: T.Array(
    T.Object({
      channel: Channel,
      reached: T.Integer(),
      off: T.Integer({ description: 'members who turned the channel off' }),
      missing: T.Integer({
        description: 'members without a device, a confirmed address or number, or a bound account',
      }),
    }),
  ),
  lacking: T.Array(
    T.Object({
      variable: MemberVariable,
      count: T.Integer({ description: 'recipients without a value for it' }),
      examples: T.Array(T.String(), { description: 'at most five names' }),
    }),
  ),
  leftOut: T.Array(
    T.Object({
      reason: OneOf(['unknown', 'closed', 'outside', 'declined', 'format', 'closedGroup']),
      count: T.Integer(),
      examples: T.Array(T.String(), { description: 'at most five, as given' }),
    }),
  ),
})
export type SendingPreview = Static<typeof SendingPreview>

export const sendingStatuses = [
  'pending',
  'refused',
  'scheduled',
  'sending',
  'paused',
  'sent',
  'stopped',
  'withdrawn',
] as const

export const Sending = T.Object(
  {
    sendId: Id,
    title: T.String(),
    titleEn: T.String(),
    status: OneOf(sendingStatuses),
    sendTime: Time,
    recipients: T.Integer({ description: 'before sending: number shown in the preview' }),
    delivered: T.Integer({ description: 'number of recipients processed' }),
  },
  { $id: 'Sending' },
)
export type Sending = Static<typeof Sending>

const Choice = T.Object({
  text: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  textEn: text(60),
})
const content = {
  ...sendingTexts,
  url: T.String({
    maxLength: 2000,
    pattern: '^(|/[^/\\\\].*|https://[^\\s]+)$',
    description: 'path of the portal or an https address',
  }),
  files: T.Array(T.Object({ fileId: Id, name: T.String({ minLength: 1, maxLength: 200 }) }), {
    maxItems: 10,
  }),
  choices: T.Array(Choice, { maxItems: 6, description: 'answers to choose from' }),
  confirm: T.Boolean({ description: 'ask recipients for confirmation' }),
}

/** A message being written: stored until it is sent; may start as a copy of an earlier one. */
export const SendingDraft = T.Object(
  {
    title: text(200),
    titleEn: text(200),
    content: text(100_000),
    contentEn: text(100_000),
    format: T.Optional(content.format),
    variables: T.Optional(content.variables),
    url: text(2000),
    kind: Kind,
    files: content.files,
    choices: T.Array(T.Object({ text: text(60), textEn: text(60) }), { maxItems: 6 }),
    confirm: T.Boolean(),
    channels,
    recipients: T.Array(T.Object({ name: text(200), entry: Recipient }), { maxItems: 2000 }),
  },
  { $id: 'SendingDraft' },
)
export type SendingDraft = Static<typeof SendingDraft>

const time = T.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: "HH:MM in the institution's time zone",
})
export const SendingHours = T.Object({ from: time, until: time })
export type SendingHours = Static<typeof SendingHours>

export const SendingResult = T.Interface(
  [Sending],
  {
    content: T.String(),
    contentEn: T.String(),
    format: content.format,
    variables: Nullable(content.variables),
    url: T.String(),
    confirm: T.Boolean(),
    confirmUntil: Nullable(Time),
    expected: T.Integer({ description: 'number of recipients shown before sending' }),
    kind: Kind,
    perMinute: Nullable(T.Integer()),
    files: content.files,
    author: T.String(),
    own: T.Boolean({ description: 'false: by somebody else, for the caller to approve' }),
    approver: T.String({ description: 'who approved or refused it; empty: nobody' }),
    decidedAt: Nullable(Time),
    refusal: T.String({ description: 'reason of a refusal' }),
    finishedAt: Nullable(Time),
    withdrawnAt: Nullable(Time),
    tooLate: T.Integer({
      description:
        'after withdrawal: external contacts who received it, and members who read it if confirmation was requested',
    }),
    inbox: T.Object({
      total: T.Integer(),
      waiting: T.Integer(),
      delivered: T.Integer(),
      withdrawn: T.Integer(),
      failed: T.Integer({ description: 'accounts closed before delivery' }),
      read: Nullable(T.Integer({ description: 'null: confirmation was not requested' })),
      confirmed: Nullable(T.Integer()),
    }),
    answers: T.Array(T.Object({ text: T.String(), textEn: T.String(), count: T.Integer() }), {
      description: 'number of choices by answer',
    }),
    reminders: T.Array(
      T.Object({
        at: Time,
        channels,
        recipients: T.Integer({ description: 'number of people reminded so far' }),
        finished: T.Boolean(),
      }),
    ),
    channels: T.Array(
      T.Object({
        channel: Channel,
        total: T.Integer({ description: 'sum of the other counts' }),
        waiting: T.Integer({ description: 'held by attention settings' }),
        queued: T.Integer(),
        sent: T.Integer(),
        failed: T.Integer(),
        skipped: T.Integer({ description: 'already read, withdrawn, or no longer wanted' }),
      }),
    ),
  },
  { $id: 'SendingResult' },
)
export type SendingResult = Static<typeof SendingResult>

export const SendingPerson = T.Object({
  accountName: T.String(),
  name: T.String(),
  nameEn: T.String(),
  organization: T.String(),
  organizationEn: T.String(),
  identityType: T.String(),
  identityTypeEn: T.String(),
})
export type SendingPerson = Static<typeof SendingPerson>

export const SendingOrganization = T.Object({
  ins_code: T.String(),
  name: T.String(),
  nameEn: T.String(),
  members: T.Integer({ description: 'number of active accounts in it and below it' }),
  hasBelow: T.Boolean(),
})
export type SendingOrganization = Static<typeof SendingOrganization>

export const SendingGroup = T.Object({
  group_code: T.String(),
  name: T.String(),
  nameEn: T.String(),
  members: T.Integer(),
})
export type SendingGroup = Static<typeof SendingGroup>

const keyWords = T.Optional(T.String({ maxLength: 60 }))

/** For members with the permission `send`: for everybody, or limited to a part of the institution. */
export const sending = {
  send: post('/message/center/api/v1/onlineSend/send', {
    summary:
      'Send a message to members and external contacts, now or later; it is processed in the background',
    access: 'member',
    largest: 2_000_000,
    body: T.Object({
      key: T.String({
        minLength: 8,
        maxLength: 60,
        description: 'idempotency key chosen by the client; a repeated key sends nothing',
      }),
      channels,
      recipients,
      title: content.title,
      titleEn: T.Optional(content.titleEn),
      content: T.Optional(content.content),
      contentEn: T.Optional(content.contentEn),
      format: T.Optional(content.format),
      variables: T.Optional(content.variables),
      url: T.Optional(content.url),
      files: T.Optional(content.files),
      kind: T.Optional(Kind),
      choices: T.Optional(content.choices),
      perMinute: T.Optional(
        T.Integer({
          minimum: 1,
          maximum: 100_000,
          description: 'maximum recipients per minute; absent: unlimited',
        }),
      ),
      test: T.Optional(
        T.Boolean({ description: 'send to the caller only, immediately, unlisted' }),
      ),
      sendTime: T.Optional(
        T.String({
          pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$',
          description: 'institution time; absent: immediately',
        }),
      ),
      confirm: T.Optional(content.confirm),
      confirmUntil: T.Optional(Time),
      expected: T.Integer({
        minimum: 0,
        description:
          'number of recipients shown in the preview; if it has changed, nothing is sent',
      }),
    }),
    reply: T.Object({ sendId: Id, status: OneOf(sendingStatuses) }),
    errors: [
      'session.forbidden',
      'sending.changed',
      'sending.too_many',
      'sending.no_approver',
      'sending.variables_missing',
      'message.sender_limit',
    ],
  }),
  list: get('/message/center/api/v1/onlineSend/list', {
    summary: "List the caller's sent and scheduled messages, newest first",
    access: 'member',
    query: T.Object({ ...pageQuery }),
    reply: Page(Sending),
    errors: ['session.forbidden'],
  }),
  preview: post('/message/center/api/v1/onlineSend/preview', {
    summary: 'Get how many recipients a message would reach, by channel',
    access: 'member',
    largest: 500_000,
    body: T.Object({
      channels,
      recipients,
      kind: T.Optional(Kind),
      needs: T.Optional(NeededVariables),
    }),
    reply: SendingPreview,
    errors: ['session.forbidden'],
  }),
  rights: get('/message/center/api/v1/onlineSend/rights', {
    summary: 'Get whether and to whom the caller may send',
    access: 'member',
    reply: T.Object({
      may: T.Boolean(),
      everywhere: T.Boolean(),
      asMember: T.Boolean({
        description: 'without the permission `send`: only to named members, as a member',
      }),
      approves: T.Integer({ description: 'messages waiting for the caller' }),
      approveAbove: Nullable(T.Integer({ description: 'above it, a second person must approve' })),
      maxRecipients: Nullable(T.Integer()),
      kinds: T.Array(Kind),
      hours: Nullable(SendingHours),
      held: T.Boolean({ description: 'operators have suspended all sending' }),
      channels: T.Array(Channel, { description: 'configured channels' }),
      timeZone: T.String({ description: 'time zone of the institution, for `sendTime`' }),
    }),
  }),
  people: get('/message/center/api/v1/onlineSend/people', {
    summary: 'Find people the caller may send to, by name, English name or username',
    access: 'member',
    query: T.Object({ keyWords: T.String({ minLength: 1, maxLength: 60 }) }),
    reply: T.Object({ list: T.Array(SendingPerson), more: T.Boolean() }),
    errors: ['session.forbidden'],
  }),
  organizations: get('/message/center/api/v1/onlineSend/organizations', {
    summary: 'List organisations the caller may send to: those below one, or found by name',
    access: 'member',
    query: T.Object({ ins_code: T.Optional(T.String({ maxLength: 100 })), keyWords }),
    reply: T.Object({ list: T.Array(SendingOrganization), more: T.Boolean() }),
    errors: ['session.forbidden'],
  }),
  groups: get('/message/center/api/v1/onlineSend/groups', {
    summary: 'Find groups of members by name',
    access: 'member',
    query: T.Object({ keyWords }),
    reply: T.Object({ list: T.Array(SendingGroup), more: T.Boolean() }),
    errors: ['session.forbidden'],
  }),
  draft: get('/message/center/api/v1/onlineSend/draft', {
    summary: "Get the caller's draft, shared by all devices; null: none",
    access: 'member',
    reply: Nullable(SendingDraft),
    errors: ['session.forbidden'],
  }),
  saveDraft: put('/message/center/api/v1/onlineSend/draft', {
    summary: "Save the caller's draft",
    access: 'member',
    largest: 2_000_000,
    body: SendingDraft,
    reply: T.Null(),
    errors: ['session.forbidden'],
  }),
  deleteDraft: del('/message/center/api/v1/onlineSend/draft', {
    summary: "Delete the caller's draft",
    access: 'member',
    reply: T.Null(),
    errors: ['session.forbidden'],
  }),
  copy: get('/message/center/api/v1/onlineSend/copy', {
    summary: 'Get a previous message as a draft',
    access: 'member',
    query: T.Object({ sendId: Id }),
    reply: SendingDraft,
    errors: ['session.forbidden', 'sending.not_found'],
  }),
  find: post('/message/center/api/v1/onlineSend/find', {
    summary: 'Find the members named in pasted lines',
    access: 'member',
    largest: 200_000,
    body: T.Object({
      lines: T.Array(T.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 2000 }),
    }),
    reply: T.Object({
      list: T.Array(SendingPerson),
      unknown: T.Array(T.String(), { description: 'lines that match no member, or several' }),
    }),
    errors: ['session.forbidden'],
  }),
}
