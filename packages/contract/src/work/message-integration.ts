import { uploadErrors } from '../content/files.ts'
import {
  CursorPage,
  cursorQuery,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  put,
  type Static,
  T,
  Time,
} from '../define.ts'
import { AudienceRule } from '../shell/launch.operator.ts'

const text = (maxLength: number) => T.String({ maxLength })
/** A page of the portal or an https address. */
const address = T.String({
  maxLength: 2000,
  pattern: '^(|/[^/\\\\].*|https://[^\\s]+)$',
  description: 'path of the portal (`/pages/…`) or an https address',
})

/** Content of a message. Texts may hold `{{name}}` for a variable of the call. */
const content = {
  title: T.Optional(T.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
  titleEn: T.Optional(text(200)),
  summary: T.Optional(text(500)),
  summaryEn: T.Optional(text(500)),
  content: T.Optional(T.String({ maxLength: 100_000, description: 'HTML; will be sanitised' })),
  contentEn: T.Optional(text(100_000)),
  sender: T.Optional(text(60)),
  senderEn: T.Optional(text(60)),
  url: T.Optional(address),
  actions: T.Optional(
    T.Array(
      T.Object({
        text: T.String({ minLength: 1, maxLength: 30 }),
        textEn: T.String({ maxLength: 60, default: '' }),
        url: address,
      }),
      { maxItems: 4 },
    ),
  ),
  validUntil: T.Optional(Time),
}

/** Maximum recipients per call. */
export const maxRecipients = 10_000
const variables = T.Record(T.String({ maxLength: 60 }), text(1000))

/** A recipient to whom the message was not sent. */
export const RefusedRecipient = T.Object(
  {
    recipient: T.String(),
    reason: OneOf(['unknown', 'twice', 'closed', 'variables']),
    missing: T.Optional(
      T.Array(T.String(), { description: 'variables without a value for this recipient' }),
    ),
  },
  { $id: 'RefusedRecipient' },
)
export type RefusedRecipient = Static<typeof RefusedRecipient>

export const MessageStatus = T.Object(
  {
    id: Id,
    key: T.String(),
    status: OneOf(['sending', 'sent', 'withdrawn']),
    sentAt: Time,
    recipients: T.Integer({
      description: 'number of inboxes it was delivered to, including withdrawn ones',
    }),
    read: T.Integer(),
    confirmed: T.Integer(),
    answers: T.Array(T.Object({ value: T.String(), count: T.Integer() })),
  },
  { $id: 'MessageStatus' },
)
export type MessageStatus = Static<typeof MessageStatus>

const params = T.Object({ id: Id })

/** Messages from systems of the institution to members. */
export const messageIntegration = {
  send: post('/message/api/v1/messages', {
    summary: 'Send a message to members; a repeated `key` sends nothing',
    access: 'integration',
    largest: 2_000_000,
    body: T.Object({
      key: T.String({
        minLength: 1,
        maxLength: 100,
        description: 'idempotency key chosen by the caller',
      }),
      app: T.String({
        minLength: 1,
        maxLength: 60,
        description: 'code of the message application',
      }),
      kind: T.String({ minLength: 1, maxLength: 60, default: 'general' }),
      to: T.Object({
        usernames: T.Optional(T.Array(text(128), { maxItems: maxRecipients })),
        numbers: T.Optional(
          T.Array(text(100), {
            maxItems: maxRecipients,
            description:
              'student or staff numbers of people in the directory; reaches all accounts of a person',
          }),
        ),
        recipients: T.Optional(
          T.Array(
            T.Object({
              username: T.Optional(text(128)),
              number: T.Optional(text(100)),
              variables,
            }),
            {
              maxItems: maxRecipients,
              description: 'recipients by username or number, each with its own variables',
            },
          ),
        ),
        rules: T.Optional(T.Array(AudienceRule, { minItems: 1, maxItems: 50 })),
      }),
      variables: T.Optional(variables),
      ...content,
      choices: T.Optional(
        T.Array(
          T.Object({
            value: T.String({ minLength: 1, maxLength: 60 }),
            text: T.String({ minLength: 1, maxLength: 30 }),
            textEn: T.String({ maxLength: 60, default: '' }),
          }),
          { maxItems: 6 },
        ),
      ),
      attachments: T.Optional(
        T.Array(T.Object({ fileId: Id }), {
          maxItems: 10,
          description: 'files uploaded by the caller; readable by recipients only',
        }),
      ),
      confirm: T.Optional(T.Boolean({ description: 'ask recipients for confirmation' })),
      replyUntil: T.Optional(Time),
      urgent: T.Optional(
        T.Object(
          { reason: T.String({ minLength: 5, maxLength: 300, pattern: '\\S' }) },
          {
            description: 'deliver during quiet hours, if the kind allows it; the reason is stored',
          },
        ),
      ),
    }),
    reply: T.Object({
      id: Id,
      repeated: T.Boolean({
        description: 'a message with this key was sent before; nothing was sent',
      }),
      recipients: Nullable(
        T.Integer({
          description: 'number of inboxes; null: an audience, processed in the background',
        }),
      ),
      refused: T.Array(RefusedRecipient),
    }),
    errors: [
      'request.invalid',
      'message.app_not_found',
      'message.kind_not_found',
      'message.sender_limit',
    ],
  }),
  upload: post('/message/api/v1/files', {
    summary: 'Upload a file to attach to messages; unused files are deleted',
    access: 'integration',
    file: 'file',
    reply: T.Object({
      fileId: Id,
      name: T.String({ description: 'name shown to recipients' }),
      mediaType: T.String(),
      size: T.Integer(),
    }),
    errors: uploadErrors,
  }),
  update: put('/message/api/v1/messages/{id}', {
    summary: 'Correct a sent message; it stays read where it was read',
    access: 'integration',
    largest: 500_000,
    params,
    body: T.Object(content),
    reply: MessageStatus,
    errors: ['message.not_found', 'request.invalid'],
  }),
  withdraw: post('/message/api/v1/messages/{id}/withdraw', {
    summary: 'Withdraw a message from all inboxes',
    access: 'integration',
    params,
    reply: MessageStatus,
    errors: ['message.not_found'],
  }),
  status: get('/message/api/v1/messages/{id}', {
    summary: 'Get the delivery status of a message',
    access: 'integration',
    params,
    reply: MessageStatus,
    errors: ['message.not_found'],
  }),
  recipients: get('/message/api/v1/messages/{id}/recipients', {
    summary: 'List the delivery status of a message by recipient',
    access: 'integration',
    params,
    query: T.Object(cursorQuery),
    reply: CursorPage(
      T.Object({
        username: T.String(),
        deliveredAt: Time,
        readAt: Nullable(Time),
        confirmedAt: Nullable(Time),
        answer: Nullable(T.String()),
        withdrawn: T.Boolean(),
      }),
    ),
    errors: ['message.not_found', 'request.invalid'],
  }),
}
