import {
  CursorPage,
  cursorQuery,
  del,
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
import { Question } from './knowledge.ts'

const revision = T.Integer({ minimum: 1, maximum: 1_000_000_000 })
/** a date without time, in the institution's calendar */
const Day = T.String({ format: 'date' })

/** Filter for questions: shown now, due for review, outside their validity period, hidden. */
export const questionStates = ['shown', 'due', 'outside', 'hidden'] as const

export const ManagedQuestion = T.Interface(
  [Question],
  {
    revision,
    wordings: T.Array(T.String(), { description: 'alternative wordings of the question' }),
    organization: Nullable(
      T.String({ description: 'code of the responsible department; null: the institution' }),
    ),
    owner: Nullable(T.String({ description: 'username of the person who reviews it' })),
    audience: T.Array(AudienceRule),
    online: T.Boolean(),
    validFrom: Nullable(Time),
    validUntil: Nullable(Time),
    reviewOn: Nullable(Day),
    source: T.String({ description: 'name of the import source; empty: written in the portal' }),
    asked: T.Integer({ description: 'times it was used as an answer in the last 30 days' }),
    helpful: T.Integer(),
    unhelpful: T.Integer(),
  },
  { $id: 'ManagedQuestion' },
)
export type ManagedQuestion = Static<typeof ManagedQuestion>

export const questionLengths = { question: 200, answer: 5000, wording: 200, wordings: 30 } as const
const fields = {
  question: T.String({ minLength: 1, maxLength: questionLengths.question, pattern: '\\S' }),
  questionEn: T.String({ maxLength: questionLengths.question, default: '' }),
  answer: T.String({ minLength: 1, maxLength: questionLengths.answer, pattern: '\\S' }),
  answerEn: T.String({ maxLength: questionLengths.answer, default: '' }),
  wordings: T.Array(T.String({ minLength: 1, maxLength: questionLengths.wording }), {
    maxItems: questionLengths.wordings,
    default: [],
  }),
  url: T.String({ maxLength: 500, default: '' }),
  organization: T.Union([T.String({ minLength: 1, maxLength: 100 }), T.Null()], { default: null }),
  owner: T.Union([T.String({ minLength: 1, maxLength: 128 }), T.Null()], { default: null }),
  audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
  online: T.Boolean({ default: true }),
  validFrom: T.Union([Time, T.Null()], { default: null }),
  validUntil: T.Union([Time, T.Null()], { default: null }),
  reviewOn: T.Union([Day, T.Null()], { default: null }),
}
const params = T.Object({ id: Id })
const operator = { access: 'operator', permission: 'content', delegated: true } as const

export const knowledgeConsole = {
  list: get('/console-api/v1/knowledge', {
    ...operator,
    summary: 'List the questions the caller manages, last changed first',
    query: T.Object({
      state: T.Optional(OneOf(questionStates)),
      keyWords: T.Optional(T.String({ maxLength: 100 })),
      ...cursorQuery,
    }),
    reply: CursorPage(ManagedQuestion),
  }),
  create: post('/console-api/v1/knowledge', {
    ...operator,
    summary: 'Create a question with its answer',
    body: T.Object(fields),
    reply: ManagedQuestion,
  }),
  update: put('/console-api/v1/knowledge/{id}', {
    ...operator,
    summary: 'Update a question',
    params,
    body: T.Object({ revision, ...fields }),
    reply: ManagedQuestion,
    errors: ['knowledge.not_found', 'knowledge.changed_meanwhile'],
  }),
  review: post('/console-api/v1/knowledge/{id}/review', {
    ...operator,
    summary: 'Confirm that an answer is still valid, and set the date of its next review',
    params,
    body: T.Object({ revision, reviewOn: T.Union([Day, T.Null()], { default: null }) }),
    reply: ManagedQuestion,
    errors: ['knowledge.not_found', 'knowledge.changed_meanwhile'],
  }),
  remove: del('/console-api/v1/knowledge/{id}', {
    ...operator,
    summary: 'Delete a question',
    params,
    reply: T.Null(),
    errors: ['knowledge.not_found'],
  }),
}
