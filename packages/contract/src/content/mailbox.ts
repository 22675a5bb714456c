import {
  CursorPage,
  cursorQuery,
  del,
  department,
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

const params = T.Object({ id: Id })
const revision = T.Integer({ minimum: 1, maximum: 1_000_000_000 })

export const Mailbox = T.Object(
  {
    id: Id,
    name: T.String(),
    nameEn: T.String(),
    description: T.String(),
    descriptionEn: T.String(),
    departmentName: T.String({ description: 'department that answers; empty: the institution' }),
    departmentNameEn: T.String(),
    open: T.Boolean({ description: 'accepts letters' }),
  },
  { $id: 'LetterMailbox' },
)

const letter = {
  id: Id,
  mailboxId: Id,
  mailboxName: T.String(),
  mailboxNameEn: T.String(),
  title: T.String(),
  content: T.String({ description: 'plain text' }),
  createdAt: Time,
  answer: T.String({ description: 'plain text, or empty' }),
  answeredAt: Nullable(Time),
}
/** A letter as its author sees it. */
export const Letter = T.Object(
  { ...letter, mayPublish: T.Boolean(), published: T.Boolean() },
  { $id: 'Letter' },
)
/** A published question and answer; the author is not named. */
export const PublishedLetter = T.Object(
  {
    id: Id,
    mailboxName: T.String(),
    mailboxNameEn: T.String(),
    title: T.String(),
    content: T.String(),
    answer: T.String(),
    publishedAt: Time,
  },
  { $id: 'PublishedLetter' },
)

/** Letters from members to a department, and its answers. */
export const letters = {
  mailboxes: get('/portal-api/v1/letters/mailboxes', {
    summary: 'List the mailboxes the caller may write to',
    access: 'member',
    cached: ['letters'],
    reply: T.Array(Mailbox),
  }),
  own: get('/portal-api/v1/letters', {
    summary: "List the caller's letters, newest first",
    access: 'member',
    query: T.Object(cursorQuery),
    reply: CursorPage(Letter),
  }),
  send: post('/portal-api/v1/letters', {
    summary: 'Send a letter to a mailbox; at most 5 in an hour and 20 in a day per person',
    access: 'member',
    body: T.Object({
      mailboxId: Id,
      title: T.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
      content: T.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
      mayPublish: T.Boolean({
        default: false,
        description: 'the department may publish the question and answer anonymously',
      }),
      key: T.Optional(
        T.String({
          minLength: 1,
          maxLength: 100,
          description:
            'idempotency key chosen by the client: a repeated request returns the letter sent first',
        }),
      ),
    }),
    reply: Letter,
    errors: ['letter.mailbox_not_found', 'letter.mailbox_closed', 'request.too_many'],
  }),
  takeBack: del('/portal-api/v1/letters/{id}', {
    summary: 'Withdraw a letter that has not been answered',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['letter.not_found', 'letter.answered'],
  }),
  published: get('/portal-api/v1/letters/published', {
    summary:
      'List published questions and answers of the mailboxes the caller may write to, newest first',
    access: 'member',
    cached: ['letters'],
    query: T.Object({ mailboxId: T.Optional(Id), ...cursorQuery }),
    reply: CursorPage(PublishedLetter),
  }),
}

// ---- for departments ----

export const ReceivedLetter = T.Object(
  {
    ...letter,
    revision,
    mayPublish: T.Boolean(),
    published: T.Boolean(),
    writer: T.Object({
      name: T.String(),
      nameEn: T.String(),
      organizationName: T.String(),
      organizationNameEn: T.String(),
    }),
    answeredBy: T.String(),
  },
  { $id: 'ReceivedLetter' },
)
export type ReceivedLetter = Static<typeof ReceivedLetter>
export const ManagedMailbox = T.Interface(
  [Mailbox],
  {
    revision,
    organization: Nullable(
      T.String({ description: 'code of the department that answers; null: the institution' }),
    ),
    audience: T.Array(AudienceRule),
    position: T.Integer(),
    waiting: T.Integer({ description: 'number of unanswered letters' }),
  },
  { $id: 'ManagedMailbox' },
)
const mailboxFields = {
  name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 60, default: '' }),
  description: T.String({ maxLength: 300, default: '' }),
  descriptionEn: T.String({ maxLength: 300, default: '' }),
  organization: T.Union([T.String({ minLength: 1, maxLength: 100 }), T.Null()], { default: null }),
  audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
  open: T.Boolean({ default: true }),
  position: T.Integer({ minimum: 0, maximum: 9999, default: 0 }),
}
const operator = { access: 'operator', permission: 'messages', delegated: true } as const

export const letterConsole = {
  mailboxes: get('/console-api/v1/mailboxes', {
    summary: 'List the mailboxes the caller manages',
    ...operator,
    reply: T.Array(ManagedMailbox),
  }),
  createMailbox: post('/console-api/v1/mailboxes', {
    summary: 'Create a mailbox of the institution or of a department',
    ...operator,
    body: T.Object(mailboxFields),
    reply: ManagedMailbox,
  }),
  updateMailbox: put('/console-api/v1/mailboxes/{id}', {
    summary: 'Update a mailbox',
    ...operator,
    params,
    body: T.Object({ revision, ...mailboxFields }),
    reply: ManagedMailbox,
    errors: ['letter.mailbox_not_found', 'letter.changed_meanwhile'],
  }),
  removeMailbox: del('/console-api/v1/mailboxes/{id}', {
    summary:
      'Delete an empty mailbox; one with letters fails with letter.mailbox_in_use and can be closed instead',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['letter.mailbox_not_found', 'letter.mailbox_in_use'],
  }),
  list: get('/console-api/v1/letters', {
    summary: 'List letters to the mailboxes the caller manages, newest first',
    ...operator,
    query: T.Object({
      mailboxId: T.Optional(Id),
      state: T.Optional(OneOf(['waiting', 'answered', 'published'])),
      q: T.Optional(T.String({ maxLength: 100 })),
      department,
      ...cursorQuery,
    }),
    reply: CursorPage(ReceivedLetter),
    errors: ['workbench.department_not_found'],
  }),
  answer: put('/console-api/v1/letters/{id}/answer', {
    summary: 'Answer a letter, or change the answer; the author is notified',
    ...operator,
    params,
    body: T.Object({
      revision,
      answer: T.String({ minLength: 1, maxLength: 5000, pattern: '\\S' }),
    }),
    reply: ReceivedLetter,
    errors: ['letter.not_found', 'letter.changed_meanwhile'],
  }),
  publish: put('/console-api/v1/letters/{id}/published', {
    summary: 'Publish an answered letter if its author agreed, or hide it again',
    ...operator,
    params,
    body: T.Object({ revision, published: T.Boolean() }),
    reply: ReceivedLetter,
    errors: ['letter.not_found', 'letter.not_publishable', 'letter.changed_meanwhile'],
  }),
}
