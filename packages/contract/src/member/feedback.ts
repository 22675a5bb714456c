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
    department: T.String({ description: 'who answers, or empty: the institution' }),
    departmentEn: T.String(),
  },
  { $id: 'FeedbackKind' },
)
export type FeedbackKind = Static<typeof FeedbackKind>

export const FeedbackPhoto = T.Object(
  {
    id: Id,
    url: T.String({ description: 'signed for ten minutes' }),
    thumbnail: T.String({ description: 'the same, small and square' }),
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
  kindName: T.String({ description: 'empty: of no kind' }),
  kindNameEn: T.String(),
  serviceName: T.String({ description: 'the service it is about, or empty' }),
  serviceNameEn: T.String(),
  department: T.String({ description: 'who answers, or empty: the institution' }),
  departmentEn: T.String(),
  content: T.String({ description: 'plain text' }),
  state: OneOf(feedbackStates),
  score: Nullable(T.Integer({ description: 'how content its author is, 1 to 5' })),
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
    asked: T.Integer({ description: 'how many members said the same' }),
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
    summary: 'What feedback can be about, and who answers',
    access: 'member',
    cached: ['feedback', 'config'],
    reply: T.Array(FeedbackKind),
    errors: ['feedback.off'],
  }),
  published: get(`${base}/published`, {
    summary: 'Published feedback with its answers: what most asked first, or the newest',
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
    summary: 'The caller’s feedback, newest first',
    access: 'member',
    query: T.Object(cursorQuery),
    reply: CursorPage(FeedbackSummary),
    errors: ['feedback.off'],
  }),
  read: get(`${base}/{id}`, {
    summary: 'Feedback of the caller, with everything said about it',
    access: 'member',
    params,
    reply: Feedback,
    errors: ['feedback.off', 'feedback.not_found'],
  }),
  send: post(base, {
    summary:
      'New feedback; the same key again answers what was sent before. A person sends at most 10 in an hour and 30 in a day',
    access: 'member',
    body: T.Object({
      key: T.String({
        minLength: 8,
        maxLength: 64,
        description: 'the sender’s own id of it: sent along with every try',
      }),
      kindId: T.Optional(T.Union([Id, T.Null()])),
      serviceId: T.Optional(T.Union([Id, T.Null()])),
      content: text,
      place: T.Optional(T.String({ maxLength: 100, default: '' })),
      point: T.Optional(T.Union([Point, T.Null()], { description: 'where the place is' })),
      contact: T.Optional(T.String({ maxLength: 60, default: '' })),
      photos: T.Optional(T.Array(Id, { maxItems: maxPhotos, uniqueItems: true, default: [] })),
      mayPublish: T.Optional(
        T.Boolean({
          default: false,
          description:
            'question and answer may be published, without name, photos, place or contact',
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
    summary: 'Says more about it; what was answered waits again',
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
    summary: 'How content its author is with the answer; again, to change it',
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
    summary: 'Takes feedback back that nobody works on yet',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['feedback.off', 'feedback.not_found', 'feedback.answered'],
  }),
}

/** A separate table, because the body is a picture. */
export const feedbackPhotos = {
  add: post(`${base}/photos`, {
    summary: 'A photo to send with feedback: the body is the picture itself, of 10 MB at most',
    access: 'member',
    reply: FeedbackPhoto,
    errors: ['feedback.off', 'request.too_large', 'photo.unreadable', 'photo.too_many'],
  }),
}
