import {
  CursorPage,
  cursorQuery,
  del,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  type Static,
  T,
  Time,
} from '../define.ts'
import { Point } from '../shell/map.ts'

export const maxContent = 140
export const maxPhotos = 9
/** Maximum size of an uploaded photo. */
export const maxPhotoBytes = 10 * 1024 * 1024
/** Maximum lines in the conversation about one feedback. */
export const maxLines = 50

export const feedbackStates = ['waiting', 'handling', 'answered', 'closed'] as const

export const FeedbackKind = T.Object(
  {
    id: Id,
    name: T.String(),
    nameEn: T.String(),
    description: T.String(),
    descriptionEn: T.String(),
    department: T.String({ description: 'department that answers; empty: the institution' }),
    departmentEn: T.String(),
  },
  { $id: 'FeedbackKind' },
)
export type FeedbackKind = Static<typeof FeedbackKind>

export const FeedbackPhoto = T.Object(
  {
    id: Id,
    url: T.String({ description: 'signed, valid for ten minutes' }),
    thumbnail: T.String({ description: 'signed address of a small square version' }),
  },
  { $id: 'FeedbackPhoto' },
)
export type FeedbackPhoto = Static<typeof FeedbackPhoto>

export const FeedbackLine = T.Object(
  {
    id: Id,
    author: OneOf(['member', 'department']),
    text: T.String({ description: 'plain text' }),
    createdAt: Time,
  },
  { $id: 'FeedbackLine' },
)
export type FeedbackLine = Static<typeof FeedbackLine>

const brief = {
  id: Id,
  kindName: T.String({ description: 'empty: no kind' }),
  kindNameEn: T.String(),
  serviceName: T.String({ description: 'service it is about, or empty' }),
  serviceNameEn: T.String(),
  department: T.String({ description: 'department that answers; empty: the institution' }),
  departmentEn: T.String(),
  content: T.String({ description: 'plain text' }),
  state: OneOf(feedbackStates),
  score: Nullable(T.Integer({ description: 'rating by its author, 1 to 5' })),
  photoCount: T.Integer(),
  createdAt: Time,
}
export const FeedbackSummary = T.Object(brief, { $id: 'FeedbackSummary' })
export type FeedbackSummary = Static<typeof FeedbackSummary>

export const Feedback = T.Interface(
  [FeedbackSummary],
  {
    place: T.String(),
    point: Nullable(Point),
    contact: T.String(),
    photos: T.Array(FeedbackPhoto),
    lines: T.Array(FeedbackLine),
    scoreComment: T.String(),
    mayPublish: T.Boolean(),
    published: T.Boolean(),
  },
  { $id: 'Feedback' },
)
export type Feedback = Static<typeof Feedback>

/** A published question and answer; the author is not named. */
export const PublishedFeedback = T.Object(
  {
    id: Id,
    kindName: T.String(),
    kindNameEn: T.String(),
    department: T.String(),
    departmentEn: T.String(),
    content: T.String(),
    answer: T.String(),
    asked: T.Integer({ description: 'number of members with the same feedback' }),
    publishedAt: Time,
  },
  { $id: 'PublishedFeedback' },
)
export type PublishedFeedback = Static<typeof PublishedFeedback>

const base = '/portal-api/v1/feedback'
const params = T.Object({ id: Id })
const text = T.String({ minLength: 1, maxLength: maxContent, pattern: '\\S' })

export const feedback = {
  kinds: get(`${base}/kinds`, {
    summary: 'List the kinds of feedback, and who answers them',
    access: 'member',
    cached: ['feedback', 'config'],
    reply: T.Array(FeedbackKind),
    errors: ['feedback.off'],
  }),
  published: get(`${base}/published`, {
    summary: 'List published feedback with its answers, newest or most asked first',
    access: 'member',
    cached: ['feedback', 'config'],
    query: T.Object({
      order: T.Optional(OneOf(['hot', 'newest'], { default: 'newest' })),
      kindId: T.Optional(Id),
      ...cursorQuery,
    }),
    reply: CursorPage(PublishedFeedback),
    errors: ['feedback.off'],
  }),
  own: get(base, {
    summary: "List the caller's feedback, newest first",
    access: 'member',
    query: T.Object(cursorQuery),
    reply: CursorPage(FeedbackSummary),
    errors: ['feedback.off'],
  }),
  read: get(`${base}/{id}`, {
    summary: "Get one of the caller's feedback with its conversation",
    access: 'member',
    params,
    reply: Feedback,
    errors: ['feedback.off', 'feedback.not_found'],
  }),
  send: post(base, {
    summary:
      'Send feedback; a repeated `key` returns the feedback sent first; at most 10 in an hour and 30 in a day per person',
    access: 'member',
    body: T.Object({
      key: T.String({
        minLength: 8,
        maxLength: 64,
        description: 'idempotency key chosen by the client, the same for each retry',
      }),
      kindId: T.Optional(T.Union([Id, T.Null()])),
      serviceId: T.Optional(T.Union([Id, T.Null()])),
      content: text,
      place: T.Optional(T.String({ maxLength: 100, default: '' })),
      point: T.Optional(T.Union([Point, T.Null()], { description: 'coordinates of the place' })),
      contact: T.Optional(T.String({ maxLength: 60, default: '' })),
      photos: T.Optional(T.Array(Id, { maxItems: maxPhotos, uniqueItems: true, default: [] })),
      mayPublish: T.Optional(
        T.Boolean({
          default: false,
          description:
            'the question and answer may be published, without name, photos, place or contact',
        }),
      ),
    }),
    reply: Feedback,
    errors: [
      'feedback.off',
      'feedback.kind_not_found',
      'feedback.service_not_found',
      'feedback.photo_not_found',
      'request.too_many',
    ],
  }),
  write: post(`${base}/{id}/lines`, {
    summary: 'Add a line to feedback; answered feedback becomes waiting again',
    access: 'member',
    params,
    body: T.Object({ text }),
    reply: Feedback,
    errors: [
      'feedback.off',
      'feedback.not_found',
      'feedback.closed',
      'feedback.lines_full',
      'request.too_many',
    ],
  }),
  rate: post(`${base}/{id}/score`, {
    summary: 'Rate the answer to feedback, or change the rating',
    access: 'member',
    params,
    body: T.Object({
      score: T.Integer({ minimum: 1, maximum: 5 }),
      comment: T.Optional(T.String({ maxLength: maxContent, default: '' })),
    }),
    reply: Feedback,
    errors: ['feedback.off', 'feedback.not_found', 'feedback.not_answered'],
  }),
  takeBack: del(`${base}/{id}`, {
    summary: 'Withdraw feedback that nobody has handled yet',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['feedback.off', 'feedback.not_found', 'feedback.answered'],
  }),
}

/** A separate table, because the body is a picture. */
export const feedbackPhotos = {
  add: post(`${base}/photos`, {
    summary: 'Upload a photo for feedback; the body is the picture itself, at most 10 MB',
    access: 'member',
    reply: FeedbackPhoto,
    errors: ['feedback.off', 'request.too_large', 'photo.unreadable', 'photo.too_many'],
  }),
}
