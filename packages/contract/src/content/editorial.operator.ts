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
    description:
      'pictures of the caller are named by the `url` that their upload was answered with',
  }),
  textEn: Short(200_000),
  author: Short(100),
  needsConfirmation: T.Boolean({
    default: false,
    description: 'readers of an announcement are asked to confirm that they have read it',
  }),
  titleImageFileId: T.Union([Id, T.Null()], {
    default: null,
    description: 'key of a picture the caller has uploaded, shown in lists and above the text',
  }),
  titleImageFocus: T.Union([T.Object({ x: Percent, y: Percent }), T.Null()], {
    default: null,
    description: 'what of the title picture stays in sight where it is cut; null: its middle',
  }),
  attachments: T.Array(
    T.Object({ name: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), fileId: Id }),
    { maxItems: 20, default: [], description: 'files the caller has uploaded, under the text' },
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
  imported: T.Boolean({ description: 'came from a feed or a file' }),
  updatedAt: Time,
  writtenBy: T.String({ description: 'name of who wrote the newest text, or empty' }),
}
export const ManagedArticleLine = T.Object(line, { $id: 'ManagedArticleLine' })
export const ManagedArticle = T.Object(
  {
    ...line,
    text: ArticleText,
    version: T.Integer(),
    approvedVersion: Nullable(T.Integer()),
    liveVersion: Nullable(T.Integer({ description: 'the one members see or are going to see' })),
    ownText: T.Boolean({ description: 'the caller wrote some of it, and cannot approve it' }),
    mayReview: T.Boolean({ description: 'the column has no reviewers, or the caller is one' }),
    reviewNote: T.String(),
    editable: T.String({ description: 'the text as HTML to be changed, its pictures signed' }),
    editableEn: T.String({ description: 'the same of the English text, or empty' }),
    preview: T.String({ description: 'sanitised HTML' }),
    previewEn: T.String({ description: 'sanitised HTML, or empty' }),
    titleImage: T.String({ description: 'where it is for ten minutes, or empty' }),
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
    organization: Nullable(T.String({ description: 'code of the department it belongs to' })),
    audience: T.Array(AudienceRule),
    position: T.Integer(),
    enabled: T.Boolean({ description: 'false: nobody reads it or what is in it' }),
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
  position: T.Integer({ minimum: 0, maximum: 9999, default: 0, description: 'lower comes first' }),
  enabled: T.Boolean({ default: true, description: 'false: nobody reads it or what is in it' }),
}
/** A member who may write for a department and review the work of others. */
export const Editor = T.Object(
  {
    name: T.String(),
    nameEn: T.String(),
    organization: Nullable(
      T.String({ description: 'code of the department they write for; null: for all' }),
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
    summary: 'Columns the caller may write in',
    ...operator,
    query: T.Object({ department }),
    reply: T.Array(ManagedColumn),
    errors: ['workbench.department_not_found'],
  }),
  editors: get('/console-api/news/editors', {
    summary: 'Who writes in the columns of a department and reviews there, a hundred at most',
    ...operator,
    query: T.Object({ department }),
    reply: T.Array(Editor),
    errors: ['workbench.department_not_found'],
  }),
  arrangeColumns: put('/console-api/news/columns', {
    summary: 'The order of these columns among themselves; others stay where they are',
    ...operator,
    body: T.Object({ ids: T.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true }) }),
    reply: T.Array(ManagedColumn),
    errors: ['news.column_not_found'],
  }),
  createColumn: post('/console-api/news/columns', {
    summary: 'A new column, of the institution or of a department',
    ...operator,
    body: T.Object({
      code: T.String({ pattern: '^[a-z0-9][a-z0-9-]{0,59}$' }),
      ...columnFields,
    }),
    reply: ManagedColumn,
    errors: ['news.column_taken'],
  }),
  updateColumn: put('/console-api/news/columns/{id}', {
    summary: 'The column as it is to be from now on',
    ...operator,
    params,
    body: T.Object(columnFields),
    reply: ManagedColumn,
    errors: ['news.column_not_found'],
  }),
  removeColumn: del('/console-api/news/columns/{id}', {
    summary: 'No such column any more; one that holds something stays',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['news.column_not_found', 'news.column_in_use'],
  }),
  list: get('/console-api/news/articles', {
    summary: 'Articles of the columns the caller may write in, last changed first',
    ...operator,
    query: T.Object({
      columnId: T.Optional(Id),
      kind: T.Optional(OneOf(['article', 'announcement'])),
      state: T.Optional(ArticleState),
      showing: T.Optional(Showing),
      confirming: T.Optional(
        T.Boolean({ description: 'announcements that members see and are asked to confirm' }),
      ),
      department,
      q: T.Optional(T.String({ maxLength: 100 })),
      ...cursorQuery,
    }),
    reply: CursorPage(ManagedArticleLine),
    errors: ['workbench.department_not_found'],
  }),
  read: get('/console-api/news/articles/{id}', {
    summary: 'One article with its newest text',
    ...step,
    errors: ['news.not_found'],
  }),
  copyPictures: post('/console-api/news/pictures', {
    summary:
      'Copies pictures of other sites among the files of the caller, as if they were uploaded',
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
          T.String({ description: 'where the copy is; null where no picture could be had' }),
        ),
      }),
    ),
    errors: ['file.quota_full'],
  }),
  create: post('/console-api/news/articles', {
    summary: 'A new draft',
    ...operator,
    body: ArticleText,
    reply: ManagedArticle,
    errors: ['news.column_not_found'],
  }),
  save: put('/console-api/news/articles/{id}', {
    summary: 'A new version of the text; what members see stays until it is published',
    ...step,
    body: T.Interface([ArticleText], {
      revision,
      autosave: T.Boolean({
        default: false,
        description:
          'saved by itself while its writer goes on: for ten minutes it stays one version; a text under review is left alone',
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
    summary: 'Throws a draft away that no member ever saw',
    ...operator,
    params,
    query: T.Object({ revision }),
    reply: T.Null(),
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  submit: post('/console-api/news/articles/{id}/submission', {
    summary: 'Asks a second person to look at the text',
    ...step,
    body: seen,
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  approve: post('/console-api/news/articles/{id}/approval', {
    summary: 'Approves the text; nobody approves what they wrote themselves',
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
    summary: 'Gives the text back with a note',
    ...step,
    body: T.Object({ revision, note: T.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) }),
    errors: ['news.not_found', 'news.not_reviewer', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  publish: post('/console-api/news/articles/{id}/publication', {
    summary: 'Shows the approved text to members, now or from a moment on',
    ...step,
    body: T.Object({
      revision,
      at: T.Union([Time, T.Null()], {
        default: null,
        description: 'a moment to come, for a text that is not shown yet; null: now',
      }),
    }),
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  withdraw: post('/console-api/news/articles/{id}/withdrawal', {
    summary: 'Hides it from members, or takes its schedule away',
    ...step,
    body: seen,
    errors: ['news.not_found', 'news.step_refused', 'news.changed_meanwhile'],
  }),
  pin: post('/console-api/news/articles/{id}/pin', {
    summary: 'Puts it at the head of its column, or back into its place',
    ...step,
    body: T.Object({ revision, pinned: T.Boolean() }),
    errors: ['news.not_found', 'news.changed_meanwhile'],
  }),
  versions: get('/console-api/news/articles/{id}/versions', {
    summary: 'The versions of its text, newest first, at most the last 200',
    ...operator,
    params,
    reply: T.Array(Version),
    errors: ['news.not_found'],
  }),
  difference: get('/console-api/news/articles/{id}/versions/{number}/difference', {
    summary: 'What changed in this version against an older one, word by word',
    ...operator,
    params: version,
    query: T.Object({
      against: T.Optional(T.Integer({ minimum: 1, description: 'the one before it otherwise' })),
    }),
    reply: Changes,
    errors: ['news.not_found', 'news.version_not_found'],
  }),
  restore: post('/console-api/news/articles/{id}/versions/{number}/restoration', {
    summary: 'Makes an older text the newest version again',
    ...operator,
    params: version,
    body: seen,
    reply: ManagedArticle,
    errors: ['news.not_found', 'news.version_not_found', 'news.changed_meanwhile'],
  }),
}
