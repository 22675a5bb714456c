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
import { Feedback, FeedbackKind, feedbackStates, maxLines } from './feedback.ts'

const revision = T.Integer({ minimum: 1, maximum: 1_000_000_000 })
const params = T.Object({ id: Id })

export const ManagedFeedbackKind = T.Interface(
  [FeedbackKind],
  {
    revision,
    organization: Nullable(T.String({ description: 'code of the department that answers' })),
    toService: T.Boolean({
      description: 'what is about a service goes to the department that offers it',
    }),
    online: T.Boolean(),
    position: T.Integer(),
    waiting: T.Integer({ description: 'feedback of this kind without an answer' }),
  },
  { $id: 'ManagedFeedbackKind' },
)
export type ManagedFeedbackKind = Static<typeof ManagedFeedbackKind>

const kindFields = {
  name: T.String({ minLength: 1, maxLength: 30, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 60, default: '' }),
  description: T.String({ maxLength: 200, default: '' }),
  descriptionEn: T.String({ maxLength: 200, default: '' }),
  organization: T.Union([T.String({ minLength: 1, maxLength: 100 }), T.Null()], { default: null }),
  toService: T.Boolean({ default: false }),
  online: T.Boolean({ default: true }),
  position: T.Integer({ minimum: 0, maximum: 9999, default: 0 }),
}

export const ReceivedFeedback = T.Interface(
  [Feedback],
  {
    revision,
    author: T.Object({
      name: T.String(),
      nameEn: T.String(),
      accountName: T.String(),
      organization: T.String(),
    }),
    organization: Nullable(T.String({ description: 'code of the department that answers' })),
    duplicates: T.Integer({ description: 'merged into it' }),
    mergedInto: Nullable(Id),
    answeredAt: Nullable(Time),
  },
  { $id: 'ReceivedFeedback' },
)
export type ReceivedFeedback = Static<typeof ReceivedFeedback>

/** Filter shared by counts and lists. */
const which = {
  kindId: T.Optional(Id),
  serviceId: T.Optional(Id),
  organization: T.Optional(T.String({ maxLength: 100 })),
  department,
  keyWords: T.Optional(T.String({ maxLength: 60 })),
}
const filter = {
  state: T.Optional(OneOf(feedbackStates)),
  mergedInto: T.Optional(Id),
  ...which,
}
const operator = { access: 'operator', permission: 'messages', delegated: true } as const
const changing = ['feedback.not_found', 'feedback.changed_meanwhile'] as const

export const feedbackConsole = {
  kinds: get('/console-api/v1/feedback/kinds', {
    ...operator,
    summary: 'Kinds of feedback the caller looks after',
    reply: T.Array(ManagedFeedbackKind),
  }),
  createKind: post('/console-api/v1/feedback/kinds', {
    ...operator,
    summary: 'A new kind, and who answers it',
    body: T.Object(kindFields),
    reply: ManagedFeedbackKind,
  }),
  updateKind: put('/console-api/v1/feedback/kinds/{id}', {
    ...operator,
    summary: 'The kind as it is to be from now on; what was sent stays where it is',
    params,
    body: T.Object({ revision, ...kindFields }),
    reply: ManagedFeedbackKind,
    errors: ['feedback.kind_not_found', 'feedback.changed_meanwhile'],
  }),
  arrangeKinds: put('/console-api/v1/feedback/kinds/order', {
    ...operator,
    summary: 'Another order of all the kinds that the caller looks after',
    body: T.Object({ ids: T.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true }) }),
    reply: T.Array(ManagedFeedbackKind),
    errors: ['feedback.changed_meanwhile'],
  }),
  removeKind: del('/console-api/v1/feedback/kinds/{id}', {
    ...operator,
    summary: 'No such kind any more; one that feedback is of is turned off instead',
    params,
    reply: T.Null(),
    errors: ['feedback.kind_not_found', 'feedback.kind_in_use'],
  }),
  list: get('/console-api/v1/feedback', {
    ...operator,
    summary:
      'Feedback for the departments the caller looks after, newest first; merged ones are not listed unless asked for',
    query: T.Object({ ...filter, ...cursorQuery }),
    reply: CursorPage(ReceivedFeedback),
    errors: ['workbench.department_not_found'],
  }),
  counts: get('/console-api/v1/feedback/counts', {
    ...operator,
    summary:
      'How much of it there is, by state, as the list with the same fields holds, and how content members are',
    query: T.Object(which),
    reply: T.Object({
      waiting: T.Integer(),
      handling: T.Integer(),
      answered: T.Integer(),
      closed: T.Integer(),
      rated: T.Integer({ description: 'in the last 90 days' }),
      score: Nullable(T.Number({ description: 'their average' })),
      services: T.Array(T.Object({ id: Id, name: T.String(), nameEn: T.String() }), {
        description: 'that feedback of the department is about, a hundred at most',
      }),
    }),
    errors: ['workbench.department_not_found'],
  }),
  destinations: get('/console-api/v1/feedback/destinations', {
    ...operator,
    summary:
      'Departments that feedback can be handed to: those that answer a kind or have operators',
    reply: T.Array(T.Object({ code: T.String(), name: T.String(), nameEn: T.String() })),
  }),
  read: get('/console-api/v1/feedback/{id}', {
    ...operator,
    summary: 'Feedback with everything said about it',
    params,
    reply: ReceivedFeedback,
    errors: ['feedback.not_found'],
  }),
  answer: post('/console-api/v1/feedback/{id}/answer', {
    ...operator,
    summary: `Answers it and all that is merged into it; each author gets a message. ${maxLines} lines at most`,
    params,
    body: T.Object({
      revision,
      text: T.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
    }),
    reply: ReceivedFeedback,
    errors: [...changing, 'feedback.merge_refused', 'feedback.lines_full'],
  }),
  setState: put('/console-api/v1/feedback/{id}/state', {
    ...operator,
    summary: 'Says that somebody works on it, or that it is closed',
    params,
    body: T.Object({ revision, state: OneOf(['handling', 'closed']) }),
    reply: ReceivedFeedback,
    errors: [...changing, 'feedback.merge_refused'],
  }),
  forward: put('/console-api/v1/feedback/{id}/organization', {
    ...operator,
    summary: 'Hands it to another department; null: to the institution',
    params,
    body: T.Object({
      revision,
      organization: T.Union([T.String({ minLength: 1, maxLength: 100 }), T.Null()]),
    }),
    reply: T.Null(),
    errors: changing,
  }),
  merge: put('/console-api/v1/feedback/{id}/merge', {
    ...operator,
    summary:
      'Says that it is the same as another, which it is answered with; null takes it out again',
    params,
    body: T.Object({ revision, into: T.Union([Id, T.Null()]) }),
    reply: ReceivedFeedback,
    errors: [...changing, 'feedback.merge_refused'],
  }),
  publish: put('/console-api/v1/feedback/{id}/published', {
    ...operator,
    summary: 'Publishes answered feedback whose author agreed, or hides it again',
    params,
    body: T.Object({ revision, published: T.Boolean() }),
    reply: ReceivedFeedback,
    errors: [...changing, 'feedback.not_publishable'],
  }),
  /** A POST, so that it is audited (reads are not): it exports what members wrote. */
  export: post('/console-api/v1/feedback/export', {
    ...operator,
    summary: 'The same as a file for spreadsheets, 50,000 lines at most',
    body: T.Object({ state: filter.state, ...which }),
    reply: T.String(),
    media: 'text/csv',
    errors: ['workbench.department_not_found'],
  }),
}
