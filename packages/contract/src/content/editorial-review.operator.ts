import {
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
import { ArticleText, Changes, ManagedArticle, ManagedArticleLine } from './editorial.operator.ts'

const operator = { access: 'operator', permission: 'content', delegated: true } as const
const params = T.Object({ id: Id })
const remarkParams = T.Object({ id: Id, remarkId: Id })
const words = T.String({ minLength: 1, maxLength: 1000, pattern: '\\S' })

/** Position of a remark, in the terms of the W3C text quote selector: the passage and its surroundings. */
const anchor = {
  language: OneOf(['zh', 'en']),
  quote: T.String({ maxLength: 500, description: 'empty: the text as a whole' }),
  prefix: T.String({ maxLength: 64, description: 'what stood before it' }),
  suffix: T.String({ maxLength: 64, description: 'what stood behind it' }),
}
const said = {
  id: Id,
  content: T.String(),
  writtenBy: T.String({ description: 'a name, or empty where the person is gone' }),
  own: T.Boolean(),
  at: Time,
}
export const Remark = T.Object(
  {
    ...said,
    ...anchor,
    version: T.Integer({ description: 'of the text that was looked at' }),
    resolvedAt: Nullable(Time),
    resolvedBy: T.String(),
    answers: T.Array(T.Object(said)),
  },
  { $id: 'ArticleRemark', description: 'what somebody who writes or reviews said of a passage' },
)
export type Remark = Static<typeof Remark>

export const Reviewer = T.Object(
  {
    username: T.String(),
    name: T.String(),
    nameEn: T.String(),
    chosen: T.Boolean({ description: 'approves in this column' }),
  },
  { $id: 'ColumnReviewer' },
)

/** Review of an article while it is being written: remarks, reviewers, schedules. */
export const articleReview = {
  remarks: get('/console-api/news/articles/{id}/remarks', {
    summary: 'What was said of a text while it was written, the oldest first, 500 at most',
    ...operator,
    params,
    reply: T.Array(Remark),
    errors: ['news.not_found'],
  }),
  remark: post('/console-api/news/articles/{id}/remarks', {
    summary: 'Says something of a passage; its writers are told',
    ...operator,
    params,
    body: T.Object({ ...anchor, content: words }),
    reply: T.Array(Remark),
    errors: ['news.not_found', 'news.remarks_full'],
  }),
  answer: post('/console-api/news/articles/{id}/remarks/{remarkId}/answers', {
    summary: 'Answers a remark',
    ...operator,
    params: remarkParams,
    body: T.Object({ content: words }),
    reply: T.Array(Remark),
    errors: ['news.not_found', 'news.remark_not_found', 'news.remarks_full'],
  }),
  resolve: put('/console-api/news/articles/{id}/remarks/{remarkId}/resolution', {
    summary: 'Says that a remark is dealt with, or open again',
    ...operator,
    params: remarkParams,
    body: T.Object({ resolved: T.Boolean() }),
    reply: T.Array(Remark),
    errors: ['news.not_found', 'news.remark_not_found'],
  }),
  removeRemark: del('/console-api/news/articles/{id}/remarks/{remarkId}', {
    summary: 'Takes back what the caller said, with its answers',
    ...operator,
    params: remarkParams,
    reply: T.Array(Remark),
    errors: ['news.not_found', 'news.remark_not_found'],
  }),
  compare: post('/console-api/news/articles/{id}/comparison', {
    summary: 'What a text that is not saved changes against the newest version, word by word',
    ...operator,
    params,
    body: ArticleText,
    reply: Changes,
    errors: ['news.not_found'],
  }),
  plan: post('/console-api/news/articles/{id}/plan', {
    summary:
      'When an article is meant to appear; one that is scheduled moves, one that members see stays',
    ...operator,
    params,
    body: T.Object({
      revision: T.Integer({ minimum: 1, maximum: 1_000_000_000 }),
      at: T.Union([Time, T.Null()], { description: 'a moment to come; null: no plan any more' }),
    }),
    reply: ManagedArticle,
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile', 'request.invalid'],
  }),
  calendar: get('/console-api/news/calendar', {
    summary: 'What appears or is meant to appear in a stretch of time, the earliest first',
    ...operator,
    query: T.Object({
      from: Time,
      to: { ...Time, description: 'not included; at most 100 days later' },
      department,
    }),
    reply: T.Array(ManagedArticleLine, { description: '500 at most' }),
    errors: ['workbench.department_not_found', 'request.invalid'],
  }),
  reviewers: get('/console-api/news/columns/{id}/reviewers', {
    summary: 'Who writes in a column and could approve there, and who was chosen to',
    ...operator,
    params,
    reply: T.Array(Reviewer),
    errors: ['news.column_not_found'],
  }),
  setReviewers: put('/console-api/news/columns/{id}/reviewers', {
    summary: 'Who alone approves in this column; nobody: everybody who writes there',
    ...operator,
    params,
    body: T.Object({
      usernames: T.Array(T.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 50,
        uniqueItems: true,
      }),
    }),
    reply: T.Array(Reviewer),
    errors: ['news.column_not_found', 'request.invalid'],
  }),
}
