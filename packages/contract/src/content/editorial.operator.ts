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
import { AudienceRule } from '../shell/launch.operator.ts'
import { attached } from './news.ts'

/** Optimistic locking: a change names the revision its author saw and is refused if the revision has moved on. */
const revision = T.Integer({ minimum: 1, maximum: 1_000_000_000 })
const params = T.Object({ id: Id })
const Percent = T.Integer({ minimum: 0, maximum: 100 })
const Short = (maxLength: number) => T.String({ maxLength, default: '' })

/** The fields an author writes; every version stores all of them. */
export const ArticleText = T.Object({
  columnId: Id,
  kind: OneOf(['article', 'announcement'], { default: 'article' }),
  title: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  titleEn: Short(200),
  summary: Short(500),
  format: OneOf(['markdown', 'html'], { default: 'markdown' }),
  text: T.String({
    maxLength: 200_000,
    default: '',
    description: 'refer to uploaded pictures by the `url` returned by their upload',
  }),
  textEn: Short(200_000),
  author: Short(100),
  needsConfirmation: T.Boolean({
    default: false,
    description: 'announcement: readers are asked to confirm that they have read it',
  }),
  titleImageFileId: T.Union([Id, T.Null()], {
    default: null,
    description: 'id of a picture uploaded by the caller, shown in lists and above the text',
  }),
  titleImageFocus: T.Union([T.Object({ x: Percent, y: Percent }), T.Null()], {
    default: null,
    description:
      'point of the title picture that stays visible when it is cropped, in percent; null: the centre',
  }),
  attachments: T.Array(
    T.Object({ name: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), fileId: Id }),
    {
      maxItems: 20,
      default: [],
      description: 'files uploaded by the caller, listed below the text',
    },
  ),
})
export type ArticleText = Static<typeof ArticleText>

/** State of the newest text in the workflow. */
export const ArticleState = OneOf(['draft', 'review', 'refused', 'approved'])
export type ArticleState = Static<typeof ArticleState>
/** Whether members see the article. */
export const Showing = OneOf(['never', 'scheduled', 'shown', 'withdrawn'])
export type Showing = Static<typeof Showing>

const line = {
  id: Id,
  revision,
  state: ArticleState,
  showing: Showing,
  kind: OneOf(['article', 'announcement']),
  title: T.String(),
  titleEn: T.String(),
  columnId: Id,
  columnName: T.String(),
  columnNameEn: T.String(),
  publishedAt: Nullable(Time),
  plannedAt: Nullable(Time),
  pinned: T.Boolean(),
  needsConfirmation: T.Boolean(),
  imported: T.Boolean({ description: 'imported from a feed or a file' }),
  updatedAt: Time,
  writtenBy: T.String({ description: 'name of the author of the newest version, or empty' }),
}
export const ManagedArticleLine = T.Object(line, { $id: 'ManagedArticleLine' })
export const ManagedArticle = T.Object(
  {
    ...line,
    text: ArticleText,
    version: T.Integer(),
    approvedVersion: Nullable(T.Integer()),
    liveVersion: Nullable(
      T.Integer({ description: 'the version that members see, or that is scheduled' }),
    ),
    ownText: T.Boolean({ description: 'the caller wrote part of the text and cannot approve it' }),
    mayReview: T.Boolean({
      description:
        'the caller may approve: the column has no named reviewers, or the caller is one',
    }),
    reviewNote: T.String(),
    editable: T.String({
      description: 'the text as HTML for editing, with signed picture addresses',
    }),
    editableEn: T.String({ description: 'the English text as HTML for editing, or empty' }),
    preview: T.String({ description: 'sanitised HTML' }),
    previewEn: T.String({ description: 'sanitised HTML, or empty' }),
    titleImage: T.String({ description: 'address, valid for ten minutes, or empty' }),
    attachments: T.Array(T.Object(attached)),
  },
  { $id: 'ManagedArticle' },
)
export type ManagedArticle = Static<typeof ManagedArticle>

export const ManagedColumn = T.Object(
  {
    id: Id,
    code: T.String(),
    name: T.String(),
    nameEn: T.String(),
    parentId: Nullable(Id),
    organization: Nullable(
      T.String({ description: 'code of the department it belongs to; null: the institution' }),
    ),
    audience: T.Array(AudienceRule),
    position: T.Integer(),
    enabled: T.Boolean({ description: 'false: the column and its articles are hidden' }),
    articles: T.Integer(),
  },
  { $id: 'ManagedColumn' },
)
const columnFields = {
  name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  nameEn: Short(60),
  parentId: T.Union([Id, T.Null()], { default: null }),
  organization: T.Union([T.String({ minLength: 1, maxLength: 100 }), T.Null()], { default: null }),
  audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
  position: T.Integer({
    minimum: 0,
    maximum: 9999,
    default: 0,
    description: 'lower values come first',
  }),
  enabled: T.Boolean({
    default: true,
    description: 'false: the column and its articles are hidden',
  }),
}
/** A member who may write for a department and review the work of others. */
export const Editor = T.Object(
  {
    name: T.String(),
    nameEn: T.String(),
    organization: Nullable(
      T.String({ description: 'code of the department they write for; null: all departments' }),
    ),
  },
  { $id: 'Editor' },
)

export const Version = T.Object(
  { number: T.Integer(), title: T.String(), writtenAt: Time, writtenBy: T.String() },
  { $id: 'ArticleVersion' },
)
/** A run of words present in both versions, or only in the newer or the older one. */
export const Change = T.Object(
  { kind: OneOf(['same', 'added', 'removed']), words: T.String() },
  { $id: 'TextChange' },
)
export type Change = Static<typeof Change>
export const Changes = T.Array(T.Object({ field: T.String(), changes: T.Array(Change) }))

const operator = { access: 'operator', permission: 'content', delegated: true } as const
const step = { ...operator, params, reply: ManagedArticle } as const
const version = T.Object({ id: Id, number: T.Integer({ minimum: 1, maximum: 1_000_000 }) })
const seen = T.Object({ revision })

/** Editing of news: from draft to publication. */
export const newsConsole = {
  columns: get('/console-api/news/columns', {
    summary: 'List the columns the caller may write in',
    ...operator,
    query: T.Object({ department }),
    reply: T.Array(ManagedColumn),
    errors: ['workbench.department_not_found'],
  }),
  editors: get('/console-api/news/editors', {
    summary: "List the editors of a department's columns, at most 100",
    ...operator,
    query: T.Object({ department }),
    reply: T.Array(Editor),
    errors: ['workbench.department_not_found'],
  }),
  arrangeColumns: put('/console-api/news/columns', {
    summary: 'Reorder the given columns among themselves; other columns keep their position',
    ...operator,
    body: T.Object({ ids: T.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true }) }),
    reply: T.Array(ManagedColumn),
    errors: ['news.column_not_found'],
  }),
  createColumn: post('/console-api/news/columns', {
    summary: 'Create a column of the institution or of a department',
    ...operator,
    body: T.Object({
      code: T.String({ pattern: '^[a-z0-9][a-z0-9-]{0,59}$' }),
      ...columnFields,
    }),
    reply: ManagedColumn,
    errors: ['news.column_taken'],
  }),
  updateColumn: put('/console-api/news/columns/{id}', {
    summary: 'Update a column',
    ...operator,
    params,
    body: T.Object(columnFields),
    reply: ManagedColumn,
    errors: ['news.column_not_found'],
  }),
  removeColumn: del('/console-api/news/columns/{id}', {
    summary: 'Delete an empty column; others fail with news.column_in_use',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['news.column_not_found', 'news.column_in_use'],
  }),
  list: get('/console-api/news/articles', {
    summary: 'List articles in the columns the caller may write in, last changed first',
    ...operator,
    query: T.Object({
      columnId: T.Optional(Id),
      kind: T.Optional(OneOf(['article', 'announcement'])),
      state: T.Optional(ArticleState),
      showing: T.Optional(Showing),
      confirming: T.Optional(
        T.Boolean({ description: 'only published announcements that require confirmation' }),
      ),
      department,
      q: T.Optional(T.String({ maxLength: 100 })),
      ...cursorQuery,
    }),
    reply: CursorPage(ManagedArticleLine),
    errors: ['workbench.department_not_found'],
  }),
  read: get('/console-api/news/articles/{id}', {
    summary: 'Get an article with its newest text',
    ...step,
    errors: ['news.not_found'],
  }),
  copyPictures: post('/console-api/news/pictures', {
    summary: "Copy pictures from other sites to the caller's files, as if uploaded",
    ...operator,
    body: T.Object({
      addresses: T.Array(T.String({ maxLength: 2000, pattern: '^https?://' }), {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
      }),
    }),
    reply: T.Array(
      T.Object({
        address: T.String(),
        url: Nullable(
          T.String({
            description: 'address of the copy; null if the picture could not be fetched',
          }),
        ),
      }),
    ),
    errors: ['file.quota_full'],
  }),
  create: post('/console-api/news/articles', {
    summary: 'Create a draft',
    ...operator,
    body: ArticleText,
    reply: ManagedArticle,
    errors: ['news.column_not_found'],
  }),
  save: put('/console-api/news/articles/{id}', {
    summary:
      'Save a new version of the text; members see the published version until the new one is published',
    ...step,
    body: T.Interface([ArticleText], {
      revision,
      autosave: T.Boolean({
        default: false,
        description:
          'an automatic save: saves within ten minutes form one version; a text under review is not changed',
      }),
    }),
    errors: [
      'news.not_found',
      'news.column_not_found',
      'news.step_refused',
      'news.changed_meanwhile',
    ],
  }),
  remove: del('/console-api/news/articles/{id}', {
    summary: 'Delete a draft that was never published',
    ...operator,
    params,
    query: T.Object({ revision }),
    reply: T.Null(),
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  submit: post('/console-api/news/articles/{id}/submission', {
    summary: 'Submit the text for review by a second person',
    ...step,
    body: seen,
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  approve: post('/console-api/news/articles/{id}/approval', {
    summary: 'Approve the text; nobody can approve a text they wrote',
    ...step,
    body: seen,
    errors: [
      'news.not_found',
      'news.own_text',
      'news.not_reviewer',
      'news.step_refused',
      'news.changed_meanwhile',
    ],
  }),
  refuse: post('/console-api/news/articles/{id}/refusal', {
    summary: 'Return the text to its writer with a note',
    ...step,
    body: T.Object({ revision, note: T.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) }),
    errors: ['news.not_found', 'news.not_reviewer', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  publish: post('/console-api/news/articles/{id}/publication', {
    summary: 'Publish the approved text, now or at a given time',
    ...step,
    body: T.Object({
      revision,
      at: T.Union([Time, T.Null()], {
        default: null,
        description: 'a time in the future, for an article that is not published yet; null: now',
      }),
    }),
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  withdraw: post('/console-api/news/articles/{id}/withdrawal', {
    summary: 'Withdraw an article from members, or cancel its schedule',
    ...step,
    body: seen,
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  pin: post('/console-api/news/articles/{id}/pin', {
    summary: 'Pin an article to the top of its column, or unpin it',
    ...step,
    body: T.Object({ revision, pinned: T.Boolean() }),
    errors: ['news.not_found', 'news.changed_meanwhile'],
  }),
  versions: get('/console-api/news/articles/{id}/versions', {
    summary: 'List the versions of the text, newest first, at most 200',
    ...operator,
    params,
    reply: T.Array(Version),
    errors: ['news.not_found'],
  }),
  difference: get('/console-api/news/articles/{id}/versions/{number}/difference', {
    summary: 'Compare a version with an older one, word by word',
    ...operator,
    params: version,
    query: T.Object({
      against: T.Optional(T.Integer({ minimum: 1, description: 'default: the preceding version' })),
    }),
    reply: Changes,
    errors: ['news.not_found', 'news.version_not_found'],
  }),
  restore: post('/console-api/news/articles/{id}/versions/{number}/restoration', {
    summary: 'Restore an older version as the newest one',
    ...operator,
    params: version,
    body: seen,
    reply: ManagedArticle,
    errors: ['news.not_found', 'news.version_not_found', 'news.changed_meanwhile'],
  }),
}
