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
    departmentName: T.String({ description: 'who answers, or empty: the institution' }),
    departmentNameEn: T.String(),
    open: T.Boolean({ description: 'takes letters now' }),
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
    summary: 'Mailboxes the caller may write to',
    access: 'member',
    cached: ['letters'],
    reply: T.Array(Mailbox),
  }),
  own: get('/portal-api/v1/letters', {
    summary: "The caller's letters, newest first",
    access: 'member',
    query: T.Object(cursorQuery),
    reply: CursorPage(Letter),
  }),
  send: post('/portal-api/v1/letters', {
    summary: 'A letter to a department; a person writes at most 5 in an hour and 20 in a day',
    access: 'member',
    body: T.Object({
      mailboxId: Id,
      title: T.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
      content: T.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
      mayPublish: T.Boolean({
        default: false,
        description: 'the department may publish question and answer, without the name',
      }),
      key: T.Optional(
        T.String({
          minLength: 1,
          maxLength: 100,
          description:
            'made by the client: sent again, the letter is answered as it was sent first',
        }),
      ),
    }),
    reply: Letter,
    errors: ['letter.mailbox_not_found', 'letter.mailbox_closed', 'request.too_many'],
  }),
  takeBack: del('/portal-api/v1/letters/{id}', {
    summary: 'Takes a letter back that is not answered yet',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['letter.not_found', 'letter.answered'],
  }),
  published: get('/portal-api/v1/letters/published', {
    summary:
      'Published questions and answers of the mailboxes the caller may write to, newest first',
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
    writer: T.Object({ name: T.String(), nameEn: T.String(), organizationName: T.String() }),
    answeredBy: T.String(),
  },
  { $id: 'ReceivedLetter' },
)
export const ManagedMailbox = T.Interface(
  [Mailbox],
  {
    revision,
    organization: Nullable(T.String({ description: 'code of the department that answers' })),
    audience: T.Array(AudienceRule),
    position: T.Integer(),
    waiting: T.Integer({ description: 'letters without an answer' }),
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
    summary: 'Mailboxes the caller looks after',
    ...operator,
    reply: T.Array(ManagedMailbox),
  }),
  createMailbox: post('/console-api/v1/mailboxes', {
    summary: 'A new mailbox of the institution or of a department',
    ...operator,
    body: T.Object(mailboxFields),
    reply: ManagedMailbox,
  }),
  updateMailbox: put('/console-api/v1/mailboxes/{id}', {
    summary: 'The mailbox as it is to be from now on',
    ...operator,
    params,
    body: T.Object({ revision, ...mailboxFields }),
    reply: ManagedMailbox,
    errors: ['letter.mailbox_not_found', 'letter.changed_meanwhile'],
  }),
  removeMailbox: del('/console-api/v1/mailboxes/{id}', {
    summary: 'No such mailbox any more; one that holds letters is closed instead',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['letter.mailbox_not_found', 'letter.mailbox_in_use'],
  }),
  list: get('/console-api/v1/letters', {
    summary: 'Letters to the mailboxes the caller looks after, newest first',
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
    summary: 'Answers a letter, or words the answer anew; its writer gets a message',
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
    summary: 'Publishes an answered letter whose writer agreed, or hides it again',
    ...operator,
    params,
    body: T.Object({ revision, published: T.Boolean() }),
    reply: ReceivedLetter,
    errors: ['letter.not_found', 'letter.not_publishable', 'letter.changed_meanwhile'],
  }),
}
