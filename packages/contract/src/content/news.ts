import {
  CursorPage,
  cursorQuery,
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

export const Column = T.Object(
  { id: Id, columnCode: T.String(), name: T.String(), nameEn: T.String(), parentId: Nullable(Id) },
  { $id: 'Column' },
)
export type Column = Static<typeof Column>

/** A column with the member's own settings. */
export const OwnColumn = T.Interface(
  [Column],
  { subscribed: T.Boolean() },
  { $id: 'OwnColumn', description: "subscribed: the column is shown in the member's news tab" },
)
export type OwnColumn = Static<typeof OwnColumn>

/** An article as lists show it. */
export const ArticleSummary = T.Object(
  {
    id: Id,
    columnId: Id,
    title: T.String(),
    titleEn: T.String(),
    titleImage: T.String({
      description: 'address of the picture in list size, or empty',
    }),
    releaseDeptName: T.String(),
    releaseDeptNameEn: T.String(),
    releaseStartTime: Time,
    readCount: T.Integer(),
    pinned: T.Boolean(),
    url: T.String({ description: 'address of the article on its original site, or empty' }),
    languages: T.Optional(
      T.Array(OneOf(['zh', 'en']), {
        description: 'languages the article has a text in; absent: unknown',
      }),
    ),
  },
  { $id: 'ArticleSummary' },
)
export type ArticleSummary = Static<typeof ArticleSummary>

/** Comments are off, shown after an operator's approval, or shown immediately. */
export const commentModes = ['off', 'approved', 'open'] as const

const Neighbour = Nullable(T.Object({ id: Id, title: T.String(), titleEn: T.String() }))

/** A file attached to an article. */
export const attached = {
  name: T.String(),
  mediaType: T.String(),
  size: T.Integer({ description: 'bytes' }),
  url: T.String({ description: 'address; for a file that is not public, valid for ten minutes' }),
}
export const Attachment = T.Object({ id: Id, ...attached }, { $id: 'Attachment' })
export type Attachment = Static<typeof Attachment>

export const Article = T.Interface(
  [ArticleSummary],
  {
    columnName: T.String(),
    columnNameEn: T.String(),
    author: T.String(),
    contentDesc: T.String({ description: 'summary' }),
    lead: T.String({
      description: 'announcement: the summary, unless the text begins with it; or empty',
    }),
    content: T.String({ description: 'sanitised HTML' }),
    contentEn: T.String({ description: 'sanitised HTML, or empty' }),
    sourceName: T.String({ description: 'name of the source, or empty' }),
    commentMode: OneOf(commentModes),
    attachments: T.Array(Attachment),
    needsConfirmation: T.Boolean({
      description: 'announcement whose readers are asked to confirm it; see announcements',
    }),
    previous: Neighbour,
    next: Neighbour,
  },
  { $id: 'Article' },
)
export type Article = Static<typeof Article>

/** An article as a search result. */
export const FoundArticle = T.Interface(
  [ArticleSummary],
  {
    columnName: T.String(),
    columnNameEn: T.String(),
    excerpt: T.String({ description: 'plain text around the first match' }),
  },
  { $id: 'FoundArticle' },
)
export type FoundArticle = Static<typeof FoundArticle>

export const Notice = T.Object(
  {
    id: Id,
    title: T.String(),
    titleEn: T.String(),
    content: T.String({ description: 'sanitised HTML' }),
    contentEn: T.String({ description: 'sanitised HTML, or empty' }),
    startsAt: Time,
    endsAt: Time,
  },
  { $id: 'Notice' },
)
export type Notice = Static<typeof Notice>

const Day = T.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'YYYY-MM-DD' })

export const news = {
  columns: get('/portal-api/api/proxy/cms/api/rest/mobile/v2/columns', {
    summary: 'List the columns the caller may read',
    access: 'guest',
    cached: ['news'],
    reply: T.Array(Column),
  }),
  list: get('/portal-api/api/proxy/cms/api/rest/mobile/v2/contents', {
    summary: 'List articles of a column or of all columns, pinned first, then newest',
    access: 'guest',
    cached: ['news', 'config'],
    query: T.Object({
      columnId: T.Optional(Id),
      columnCode: T.Optional(T.String({ maxLength: 60 })),
      columnIds: T.Optional(
        T.String({
          pattern: '^[0-9]{1,18}(,[0-9]{1,18}){0,99}$',
          description: 'column ids, comma-separated',
        }),
      ),
      keyWords: T.Optional(
        T.String({
          maxLength: 100,
          description:
            'filter by words; results are sorted newest first (see search for more options)',
        }),
      ),
      pageNo: T.Optional(
        T.Integer({
          minimum: 1,
          maximum: 50,
          description: 'for old clients; prefer `cursor`, which neither repeats nor skips articles',
        }),
      ),
      ...cursorQuery,
    }),
    reply: CursorPage(ArticleSummary),
    errors: ['news.column_not_found', 'request.invalid'],
  }),
  read: get('/portal-api/api/proxy/cms/api/rest/mobile/v2/contents/{id}', {
    summary: 'Get an article',
    access: 'guest',
    cached: ['news', 'config'],
    params: T.Object({ id: Id }),
    reply: Article,
    errors: ['news.not_found'],
  }),
  countRead: post('/portal-api/v1/cms/content/{id}/read', {
    summary:
      "Record that the caller opened an article; counted once a day, and added to the member's history",
    access: 'guest',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['news.not_found'],
  }),
  related: get('/portal-api/v1/cms/content/{id}/related', {
    summary:
      'List articles on the same subject, those of the same column first; if there are none, the newest of the column',
    access: 'guest',
    cached: ['news', 'config'],
    params: T.Object({ id: Id }),
    reply: T.Array(ArticleSummary),
    errors: ['news.not_found'],
  }),
  popular: get('/portal-api/v1/cms/content/popular', {
    summary: 'List the most read articles of the last seven days',
    access: 'guest',
    cached: ['news', 'config'],
    query: T.Object({ pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 50, default: 10 })) }),
    reply: T.Array(ArticleSummary),
  }),
  search: get('/portal-api/v1/cms/content/search', {
    summary: 'Search articles that contain every word; quoted words must be adjacent',
    access: 'guest',
    cached: ['news', 'config'],
    query: T.Object({
      keyWords: T.String({ minLength: 1, maxLength: 100 }),
      columnId: T.Optional(Id),
      department: T.Optional(T.String({ minLength: 1, maxLength: 100 })),
      from: T.Optional(Day),
      to: T.Optional(Day),
      order: OneOf(['relevance', 'newest'], { default: 'relevance' }),
      ...cursorQuery,
    }),
    reply: T.Object({
      list: T.Array(FoundArticle),
      nextCursor: Nullable(T.String()),
      words: T.Array(T.String(), { description: 'words to highlight in titles and excerpts' }),
    }),
    errors: ['request.invalid'],
  }),
  departments: get('/portal-api/v1/cms/content/departments', {
    summary: 'List departments that have published articles, at most 200',
    access: 'guest',
    cached: ['news'],
    reply: T.Array(T.Object({ name: T.String(), nameEn: T.String() })),
  }),
  ownColumns: get('/portal-api/v1/cms/columns/mine', {
    summary: 'List the columns the member may read, in their own order, with subscriptions',
    access: 'member',
    reply: T.Array(OwnColumn),
  }),
  arrangeColumns: put('/portal-api/v1/cms/columns/mine', {
    summary: 'Set subscriptions and order of columns; columns that are left out follow unchanged',
    access: 'member',
    body: T.Object({
      columns: T.Array(T.Object({ id: Id, subscribed: T.Boolean() }), {
        minItems: 1,
        maxItems: 500,
      }),
    }),
    reply: T.Array(OwnColumn),
    errors: ['news.column_not_found'],
  }),
  marquee: get('/portal-api/v2/cms/marqueeList/get', {
    summary: 'List current notices as short lines',
    access: 'guest',
    cached: ['notices'],
    reply: T.Array(T.Object({ id: Id, title: T.String(), titleEn: T.String() })),
  }),
}

export const notices = {
  list: get('/portal-api/v1/notice/getAll', {
    summary: 'List current notices',
    access: 'guest',
    cached: ['notices', 'config'],
    reply: T.Array(Notice),
  }),
  save: post('/portal-api/v1/notice/saveNotice', {
    summary: 'Create a notice for members; with `id`, replace it',
    access: 'operator',
    permission: 'content',
    body: T.Object({
      id: T.Optional(Id),
      title: T.String({ minLength: 1, maxLength: 100 }),
      titleEn: T.String({ maxLength: 100, default: '' }),
      content: T.String({
        maxLength: 20_000,
        default: '',
        description: 'HTML; it will be sanitised',
      }),
      contentEn: T.String({ maxLength: 20_000, default: '' }),
      startsAt: Time,
      endsAt: Time,
      audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
    }),
    reply: Notice,
    errors: ['news.notice_not_found', 'request.invalid'],
  }),
}
