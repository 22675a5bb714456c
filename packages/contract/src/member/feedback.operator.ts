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
    organization: Nullable(
      T.String({ description: 'code of the department that answers; null: the institution' }),
    ),
    toService: T.Boolean({
      description: 'feedback about a service is sent to the department that offers it',
    }),
    online: T.Boolean(),
    position: T.Integer(),
    waiting: T.Integer({ description: 'number of unanswered feedback of this kind' }),
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
      organizationEn: T.String(),
    }),
    organization: Nullable(
      T.String({ description: 'code of the department that answers; null: the institution' }),
    ),
    duplicates: T.Integer({ description: 'number of feedback merged into it' }),
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
    summary: 'List the kinds of feedback the caller manages',
    reply: T.Array(ManagedFeedbackKind),
  }),
  createKind: post('/console-api/v1/feedback/kinds', {
    ...operator,
    summary: 'Create a kind of feedback, and set who answers it',
    body: T.Object(kindFields),
    reply: ManagedFeedbackKind,
  }),
  updateKind: put('/console-api/v1/feedback/kinds/{id}', {
    ...operator,
    summary: 'Update a kind; existing feedback stays with its department',
    params,
    body: T.Object({ revision, ...kindFields }),
    reply: ManagedFeedbackKind,
    errors: ['feedback.kind_not_found', 'feedback.changed_meanwhile'],
  }),
  arrangeKinds: put('/console-api/v1/feedback/kinds/order', {
    ...operator,
    summary: 'Reorder all the kinds the caller manages',
    body: T.Object({ ids: T.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true }) }),
    reply: T.Array(ManagedFeedbackKind),
    errors: ['feedback.changed_meanwhile'],
  }),
  removeKind: del('/console-api/v1/feedback/kinds/{id}', {
    ...operator,
    summary:
      'Delete an unused kind; one with feedback fails with feedback.kind_in_use and can be turned off instead',
    params,
    reply: T.Null(),
    errors: ['feedback.kind_not_found', 'feedback.kind_in_use'],
  }),
  list: get('/console-api/v1/feedback', {
    ...operator,
    summary:
      "List feedback for the caller's departments, newest first; merged feedback only with mergedInto",
    query: T.Object({ ...filter, ...cursorQuery }),
    reply: CursorPage(ReceivedFeedback),
    errors: ['workbench.department_not_found'],
  }),
  counts: get('/console-api/v1/feedback/counts', {
    ...operator,
    summary: 'Count feedback by state, with the filters of the list, and get its rating',
    query: T.Object(which),
    reply: T.Object({
      waiting: T.Integer(),
      handling: T.Integer(),
      answered: T.Integer(),
      closed: T.Integer(),
      rated: T.Integer({ description: 'number of ratings in the last 90 days' }),
      score: Nullable(T.Number({ description: 'average rating' })),
      services: T.Array(T.Object({ id: Id, name: T.String(), nameEn: T.String() }), {
        description: 'services the department has feedback about, at most 100',
      }),
    }),
    errors: ['workbench.department_not_found'],
  }),
  destinations: get('/console-api/v1/feedback/destinations', {
    ...operator,
    summary:
      'List the departments that feedback can be forwarded to: those that answer a kind or have operators',
    reply: T.Array(T.Object({ code: T.String(), name: T.String(), nameEn: T.String() })),
  }),
  read: get('/console-api/v1/feedback/{id}', {
    ...operator,
    summary: 'Get feedback with its conversation',
    params,
    reply: ReceivedFeedback,
    errors: ['feedback.not_found'],
  }),
  answer: post('/console-api/v1/feedback/{id}/answer', {
    ...operator,
    summary: `Answer feedback and everything merged into it; each author is notified; at most ${maxLines} lines per conversation`,
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
    summary: 'Set feedback to being handled or closed',
    params,
    body: T.Object({ revision, state: OneOf(['handling', 'closed']) }),
    reply: ReceivedFeedback,
    errors: [...changing, 'feedback.merge_refused'],
  }),
  forward: put('/console-api/v1/feedback/{id}/organization', {
    ...operator,
    summary: 'Forward feedback to another department; null: to the institution',
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
    summary: 'Merge feedback into another one, whose answers it shares; null undoes it',
    params,
    body: T.Object({ revision, into: T.Union([Id, T.Null()]) }),
    reply: ReceivedFeedback,
    errors: [...changing, 'feedback.merge_refused'],
  }),
  publish: put('/console-api/v1/feedback/{id}/published', {
    ...operator,
    summary: 'Publish answered feedback if its author agreed, or hide it again',
    params,
    body: T.Object({ revision, published: T.Boolean() }),
    reply: ReceivedFeedback,
    errors: [...changing, 'feedback.not_publishable'],
  }),
  /** A POST, so that it is audited (reads are not): it exports what members wrote. */
  export: post('/console-api/v1/feedback/export', {
    ...operator,
    summary: 'Export feedback as CSV, with the filters of the list; at most 50,000 lines',
    body: T.Object({ state: filter.state, ...which }),
    reply: T.String(),
    media: 'text/csv',
    errors: ['workbench.department_not_found'],
  }),
}
