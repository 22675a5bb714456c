import {
  CursorPage,
  cursorQuery,
  del,
  department,
  get,
  Id,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  post,
  put,
  type Static,
  T,
  Time,
} from '../define.ts'

/** Privacy: with fewer opinions their authors could be identified, so neither average nor texts are shown. */
export const minShown = 5
export const maxPhotos = 9
export const maxComment = 140
/** Maximum size of an uploaded photo. */
export const maxPhotoBytes = 10 * 1024 * 1024

const Stars = T.Integer({ minimum: 1, maximum: 5 })
/** The service number, by which other systems know a service. */
const Code = T.String({ minLength: 1, maxLength: 60, description: 'service number' })
const Mode = OneOf(['off', 'simple', 'detailed'])

export const Standard = T.Object(
  { code: T.String(), name: T.String(), nameEn: T.String() },
  { $id: 'EvaluationStandard' },
)
export type Standard = Static<typeof Standard>

export const Photo = T.Object(
  {
    id: Id,
    url: T.String({ description: 'signed, valid for ten minutes' }),
    thumbnail: T.String({ description: 'signed address of a small square version' }),
  },
  { $id: 'EvaluationPhoto' },
)
export type Photo = Static<typeof Photo>

const Score = T.Object({ code: T.String(), stars: Stars })

/** The caller's evaluation of a service. */
export const Evaluation = T.Object(
  {
    id: Id,
    stars: Stars,
    comment: T.String(),
    scores: T.Array(Score),
    photos: T.Array(Photo),
    reply: T.String(),
    repliedAt: Nullable(Time),
    hiddenReason: T.String({
      description: 'reason why an operator hid text and photos; empty: not hidden',
    }),
    updatedAt: Time,
  },
  { $id: 'Evaluation' },
)
export type Evaluation = Static<typeof Evaluation>

/** A member's opinion on a service, without its author. */
export const Opinion = T.Object(
  {
    id: Id,
    stars: Stars,
    comment: T.String(),
    photos: T.Array(Photo),
    reply: T.String({ description: "reply of the service's owner" }),
    day: T.String({
      description: "YYYY-MM-DD in the institution's time zone; the time is omitted for privacy",
    }),
  },
  { $id: 'Opinion' },
)
export type Opinion = Static<typeof Opinion>

/** Not the time of the last change, which is withheld for privacy. */
const etag = T.String({
  maxLength: 32,
  description: 'identifies stars and comment; a reply sent with an outdated one is refused',
})

/** An opinion as the service's owner sees it. */
export const ManagedOpinion = T.Interface(
  [Opinion],
  {
    etag,
    hiddenAt: Nullable(Time),
    hiddenReason: T.String(),
    changedSince: T.Boolean({ description: 'changed by its author after it was hidden' }),
  },
  { $id: 'ManagedOpinion' },
)
export type ManagedOpinion = Static<typeof ManagedOpinion>

/** An opinion with a text but without an answer, and its service. */
export const WaitingOpinion = T.Interface(
  [Opinion],
  { etag, code: T.String(), serviceName: T.String(), serviceNameEn: T.String() },
  { $id: 'WaitingOpinion' },
)
export type WaitingOpinion = Static<typeof WaitingOpinion>

const EvaluationObject = T.Object(
  {
    code: T.String(),
    serviceId: Id,
    name: T.String(),
    nameEn: T.String(),
    mode: Mode,
    standards: T.Array(Standard),
  },
  { $id: 'EvaluationObject' },
)

/** Average and its sample size; both null while there are too few opinions. */
const average = { average: Nullable(T.Number()), count: Nullable(T.Integer()) }

export const evaluation = {
  save: post('/portal-api/v1/evaluate/saveEvaluate', {
    summary: 'Rate a service the member has used, or change the rating',
    access: 'member',
    body: T.Object({
      serviceId: Id,
      stars: Stars,
      comment: T.Optional(T.String({ maxLength: maxComment, default: '' })),
      scores: T.Optional(T.Array(Score, { maxItems: 20 })),
      photos: T.Optional(T.Array(Id, { maxItems: maxPhotos, uniqueItems: true })),
    }),
    reply: Evaluation,
    errors: [
      'service.not_found',
      'evaluation.off',
      'evaluation.not_used',
      'evaluation.standard_unknown',
      'evaluation.standard_missing',
      'file.not_found',
    ],
  }),
  mine: get('/portal-api/v1/evaluate/getEvaluateInfo', {
    summary: "Get how the member may rate a service, and the member's current rating",
    access: 'member',
    query: T.Object({ serviceId: Id }),
    reply: T.Object({
      object: EvaluationObject,
      used: T.Boolean({ description: 'the member has used the service and may rate it' }),
      evaluation: Nullable(Evaluation),
    }),
    errors: ['service.not_found'],
  }),
  remove: del('/portal-api/v1/evaluate/{id}', {
    summary: "Delete the member's rating",
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['evaluation.not_found'],
  }),
  score: get('/portal-api/v1/evaluate/score', {
    summary: 'Get the average rating of a service',
    access: 'guest',
    query: T.Object({ code: Code }),
    reply: T.Object({ code: T.String(), mode: Mode, ...average }),
    errors: ['service.not_found'],
  }),
  list: get('/portal-api/v1/evaluate/list', {
    summary: 'List the opinions on a service, newest first, without their authors',
    access: 'guest',
    query: T.Object({ code: Code, ...pageQuery, ...cursorQuery }),
    reply: T.Object({
      list: T.Array(Opinion),
      total: T.Integer(),
      pageNo: T.Integer(),
      pageSize: T.Integer(),
      nextCursor: Nullable(T.String()),
    }),
    errors: ['service.not_found'],
  }),
  object: get('/portal-api/v1/evaluate/objects/{code}', {
    summary: 'Get a service with the standards it is rated by',
    access: 'guest',
    params: T.Object({ code: Code }),
    reply: EvaluationObject,
    errors: ['service.not_found'],
  }),
  standardAverage: get('/portal-api/v1/evaluate/standardAverage', {
    summary: 'Get the average rating of a service by standard',
    access: 'guest',
    query: T.Object({ code: Code }),
    reply: T.Array(T.Interface([Standard], average)),
    errors: ['service.not_found'],
  }),
  objects: get('/portal-api/v1/evaluate/portalObjects', {
    summary: 'List the services the member has used and may rate, last used first',
    access: 'member',
    query: T.Object(pageQuery),
    reply: Page(
      T.Object({
        code: T.String(),
        serviceId: Id,
        name: T.String(),
        nameEn: T.String(),
        stars: Nullable(Stars),
      }),
    ),
  }),
}

/** For owners of services. */
export const evaluations = {
  waiting: get('/console-api/evaluations/waiting', {
    summary: "List the unanswered opinions on a department's services, oldest first",
    access: 'operator',
    permission: 'services',
    delegated: true,
    query: T.Object({ department, ...cursorQuery }),
    reply: CursorPage(WaitingOpinion),
    errors: ['workbench.department_not_found'],
  }),
  list: get('/console-api/evaluations', {
    summary:
      'List all opinions on a service, including hidden ones, without their authors and whatever their number',
    access: 'operator',
    permission: 'services',
    delegated: true,
    query: T.Object({ code: Code, ...cursorQuery }),
    reply: T.Object({ list: T.Array(ManagedOpinion), nextCursor: Nullable(T.String()) }),
    errors: ['service.not_found'],
  }),
  reply: put('/console-api/evaluations/{id}/reply', {
    summary: 'Reply to an opinion; an empty text deletes the reply',
    access: 'operator',
    permission: 'services',
    delegated: true,
    params: T.Object({ id: Id }),
    body: T.Object({ reply: T.String({ maxLength: 500 }), etag: T.Optional(etag) }),
    reply: T.Null(),
    errors: ['evaluation.unknown', 'service.changed_meanwhile'],
  }),
  hide: put('/console-api/evaluations/{id}/hidden', {
    summary: 'Hide text and photos of an opinion; its stars still count',
    access: 'operator',
    permission: 'services',
    params: T.Object({ id: Id }),
    body: T.Object({
      reason: T.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description: 'shown to the author',
      }),
    }),
    reply: T.Null(),
    errors: ['evaluation.unknown'],
  }),
  restore: del('/console-api/evaluations/{id}/hidden', {
    summary: 'Show text and photos of an opinion again',
    access: 'operator',
    permission: 'services',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['evaluation.unknown'],
  }),
}

/** A separate table, because the body is a picture. */
export const evaluationPhotos = {
  add: post('/portal-api/v1/evaluate/photos', {
    summary: 'Upload a photo for an opinion; the body is the picture itself',
    access: 'member',
    reply: Photo,
    errors: ['request.too_large', 'photo.unreadable', 'photo.too_many'],
  }),
}
