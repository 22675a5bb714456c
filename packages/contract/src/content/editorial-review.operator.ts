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
  quote: T.String({ maxLength: 500, description: 'the passage; empty: the whole text' }),
  prefix: T.String({ maxLength: 64, description: 'text before the passage' }),
  suffix: T.String({ maxLength: 64, description: 'text after the passage' }),
}
const said = {
  id: Id,
  content: T.String(),
  writtenBy: T.String({ description: 'name, or empty if the account no longer exists' }),
  own: T.Boolean(),
  at: Time,
}
export const Remark = T.Object(
  {
    ...said,
    ...anchor,
    version: T.Integer({ description: 'version of the text that the remark refers to' }),
    resolvedAt: Nullable(Time),
    resolvedBy: T.String(),
    answers: T.Array(T.Object(said)),
  },
  { $id: 'ArticleRemark', description: 'a remark by a writer or reviewer about a passage' },
)
export type Remark = Static<typeof Remark>

export const Reviewer = T.Object(
  {
    username: T.String(),
    name: T.String(),
    nameEn: T.String(),
    chosen: T.Boolean({ description: 'a named reviewer of this column' }),
  },
  { $id: 'ColumnReviewer' },
)

/** Review of an article while it is being written: remarks, reviewers, schedules. */
export const articleReview = {
  remarks: get('/console-api/news/articles/{id}/remarks', {
    summary: 'List the remarks on a draft, oldest first, at most 500',
    ...operator,
    params,
    reply: T.Array(Remark),
    errors: ['news.not_found'],
  }),
  remark: post('/console-api/news/articles/{id}/remarks', {
    summary: 'Add a remark about a passage; the writers are notified',
    ...operator,
    params,
    body: T.Object({ ...anchor, content: words }),
    reply: T.Array(Remark),
    errors: ['news.not_found', 'news.remarks_full'],
  }),
  answer: post('/console-api/news/articles/{id}/remarks/{remarkId}/answers', {
    summary: 'Reply to a remark',
    ...operator,
    params: remarkParams,
    body: T.Object({ content: words }),
    reply: T.Array(Remark),
    errors: ['news.not_found', 'news.remark_not_found', 'news.remarks_full'],
  }),
  resolve: put('/console-api/news/articles/{id}/remarks/{remarkId}/resolution', {
    summary: 'Resolve a remark, or reopen it',
    ...operator,
    params: remarkParams,
    body: T.Object({ resolved: T.Boolean() }),
    reply: T.Array(Remark),
    errors: ['news.not_found', 'news.remark_not_found'],
  }),
  removeRemark: del('/console-api/news/articles/{id}/remarks/{remarkId}', {
    summary: "Delete one of the caller's own remarks with its replies",
    ...operator,
    params: remarkParams,
    reply: T.Array(Remark),
    errors: ['news.not_found', 'news.remark_not_found'],
  }),
  compare: post('/console-api/news/articles/{id}/comparison', {
    summary: 'Compare an unsaved text with the newest version, word by word',
    ...operator,
    params,
    body: ArticleText,
    reply: Changes,
    errors: ['news.not_found'],
  }),
  plan: post('/console-api/news/articles/{id}/plan', {
    summary:
      'Set the planned publication time of an article; a scheduled article is rescheduled, a published one is not affected',
    ...operator,
    params,
    body: T.Object({
      revision: T.Integer({ minimum: 1, maximum: 1_000_000_000 }),
      at: T.Union([Time, T.Null()], { description: 'a time in the future; null: no plan' }),
    }),
    reply: ManagedArticle,
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile', 'request.invalid'],
  }),
  calendar: get('/console-api/news/calendar', {
    summary: 'List articles published or planned within a period, earliest first',
    ...operator,
    query: T.Object({
      from: Time,
      to: { ...Time, description: 'exclusive; at most 100 days after `from`' },
      department,
    }),
    reply: T.Array(ManagedArticleLine, { description: 'at most 500' }),
    errors: ['workbench.department_not_found', 'request.invalid'],
  }),
  reviewers: get('/console-api/news/columns/{id}/reviewers', {
    summary: 'List everybody who may write in a column, marking its named reviewers; at most 200',
    ...operator,
    params,
    reply: T.Array(Reviewer),
    errors: ['news.column_not_found'],
  }),
  setReviewers: put('/console-api/news/columns/{id}/reviewers', {
    summary: 'Set the reviewers of a column; if empty, everybody who writes there may approve',
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
