import {
  CursorPage,
  cursorQuery,
  del,
  Flag,
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
import { commentModes } from './news.ts'

export const commentMostCharacters = 500
const statuses = ['waiting', 'shown', 'refused'] as const

/** A member's comment on an article. */
export const Comment = T.Object(
  {
    id: Id,
    userName: T.String(),
    userNameEn: T.String(),
    content: T.String({ description: 'plain text' }),
    createdAt: Time,
  },
  { $id: 'Comment' },
)
export type Comment = Static<typeof Comment>

/** A comment as its author sees it. */
export const OwnComment = T.Interface(
  [Comment],
  { status: OneOf(statuses), reason: T.String({ description: 'reason of a refusal' }) },
  { $id: 'OwnComment' },
)
export type OwnComment = Static<typeof OwnComment>

export const ReviewedComment = T.Interface(
  [OwnComment],
  {
    username: T.String(),
    articleId: Id,
    articleTitle: T.String(),
    reportCount: T.Integer(),
    reports: T.Array(T.String(), { description: 'reasons given by reporters, the ten newest' }),
    decidedAt: Nullable(Time),
  },
  { $id: 'ReviewedComment' },
)
export type ReviewedComment = Static<typeof ReviewedComment>

const ofArticle = T.Object({ id: Id })

export const comments = {
  opinions: get('/portal-api/v1/cms/content/{id}/opinions', {
    summary: 'Get the number of likes and comments of an article',
    access: 'guest',
    params: ofArticle,
    reply: T.Object({ likes: T.Integer(), liked: T.Boolean(), comments: T.Integer() }),
    errors: ['news.not_found'],
  }),
  like: post('/portal-api/v1/cms/content/{id}/like', {
    summary: 'Like an article (type 1), or remove the like (0)',
    access: 'member',
    params: ofArticle,
    body: T.Object({ type: Flag }),
    reply: T.Object({ likes: T.Integer(), liked: T.Boolean() }),
    errors: ['news.not_found'],
  }),
  list: get('/portal-api/v1/cms/content/{id}/comments', {
    summary: 'List the visible comments on an article, newest first',
    access: 'guest',
    params: ofArticle,
    query: T.Object(cursorQuery),
    reply: CursorPage(Comment),
    errors: ['news.not_found'],
  }),
  own: get('/portal-api/v1/cms/content/{id}/comments/mine', {
    summary: "List the member's 50 newest comments on an article, in any state",
    access: 'member',
    params: ofArticle,
    reply: T.Array(OwnComment),
    errors: ['news.not_found'],
  }),
  add: post('/portal-api/v1/cms/content/{id}/comments', {
    summary:
      'Comment on an article; depending on its settings, an operator must approve the comment first',
    access: 'member',
    params: ofArticle,
    body: T.Object({ content: T.String({ minLength: 1, maxLength: commentMostCharacters }) }),
    reply: OwnComment,
    errors: ['news.not_found', 'comment.closed', 'comment.too_many', 'request.invalid'],
  }),
  remove: del('/portal-api/v1/cms/comments/{id}', {
    summary: "Delete one of the caller's own comments",
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['comment.not_found'],
  }),
  report: post('/portal-api/v1/cms/comments/{id}/report', {
    summary: 'Report a comment to the operators; once per member',
    access: 'member',
    params: T.Object({ id: Id }),
    body: T.Object({ reason: T.String({ maxLength: 200, default: '' }) }),
    reply: T.Null(),
    errors: ['comment.not_found', 'comment.too_many'],
  }),
}

export const commentReview = {
  list: get('/console-api/v1/comments', {
    summary: 'List comments by state; waiting ones oldest first',
    access: 'operator',
    permission: 'content',
    query: T.Object({
      status: OneOf([...statuses, 'reported'], { default: 'waiting' }),
      ...cursorQuery,
    }),
    reply: CursorPage(ReviewedComment),
  }),
  approve: post('/console-api/v1/comments/{id}/approve', {
    summary: 'Approve a comment; its reports so far are settled',
    access: 'operator',
    permission: 'content',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['comment.not_found'],
  }),
  refuse: post('/console-api/v1/comments/{id}/refuse', {
    summary: 'Refuse a comment; only its author sees it, with the reason',
    access: 'operator',
    permission: 'content',
    params: T.Object({ id: Id }),
    body: T.Object({ reason: T.String({ maxLength: 200, default: '' }) }),
    reply: T.Null(),
    errors: ['comment.not_found'],
  }),
  setMode: put('/console-api/v1/comment-modes', {
    summary: 'Set whether a column or one article accepts comments, and whether they need approval',
    access: 'operator',
    permission: 'content',
    body: T.Object({
      columnId: T.Optional(Id),
      articleId: T.Optional(Id),
      mode: OneOf([...commentModes, 'column']),
    }),
    reply: T.Null(),
    errors: ['news.not_found', 'news.column_not_found', 'request.invalid'],
  }),
}
