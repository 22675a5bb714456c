import { CursorPage, cursorQuery, get, Id, Nullable, type Static, T, Time } from './define.ts'

export const Column = T.Object(
  { id: Id, columnCode: T.String(), name: T.String(), nameEn: T.String(), parentId: Nullable(Id) },
  { $id: 'Column' },
)
export type Column = Static<typeof Column>

/** An article as lists show it. */
export const ArticleLine = T.Object(
  {
    id: Id,
    columnId: Id,
    title: T.String(),
    titleEn: T.String(),
    titleImage: T.String({
      description: 'address of the picture, in the size of a list in lists, or empty',
    }),
    releaseDeptName: T.String(),
    releaseDeptNameEn: T.String(),
    releaseStartTime: Time,
    readCount: T.Integer(),
    pinned: T.Boolean(),
    url: T.String({ description: 'the article at its own site, or empty' }),
  },
  { $id: 'ArticleLine' },
)
export type ArticleLine = Static<typeof ArticleLine>

export const Article = T.Interface(
  [ArticleLine],
  {
    columnName: T.String(),
    columnNameEn: T.String(),
    author: T.String(),
    contentDesc: T.String({ description: 'summary' }),
    content: T.String({ description: 'sanitised HTML' }),
    contentEn: T.String({ description: 'sanitised HTML, or empty' }),
  },
  { $id: 'Article' },
)
export type Article = Static<typeof Article>

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

export const news = {
  columns: get('/portal-api/api/proxy/cms/api/rest/mobile/v2/columns', {
    summary: 'Columns the caller may read',
    access: 'guest',
    cached: ['news'],
    reply: T.Array(Column),
  }),
  list: get('/portal-api/api/proxy/cms/api/rest/mobile/v2/contents', {
    summary: 'Articles of a column or of all, pinned first, then newest',
    access: 'guest',
    cached: ['news', 'config'],
    query: T.Object({
      columnId: T.Optional(Id),
      columnCode: T.Optional(T.String({ maxLength: 60 })),
      ...cursorQuery,
    }),
    reply: CursorPage(ArticleLine),
    errors: ['news.column_not_found'],
  }),
  read: get('/portal-api/api/proxy/cms/api/rest/mobile/v2/contents/{id}', {
    summary: 'One article',
    access: 'guest',
    cached: ['news', 'config'],
    params: T.Object({ id: Id }),
    query: T.Object({ columnId: T.Optional(Id) }),
    reply: Article,
    errors: ['news.not_found'],
  }),
  marquee: get('/portal-api/v2/cms/marqueeList/get', {
    summary: 'Notices now valid, as short lines',
    access: 'guest',
    cached: ['notices'],
    reply: T.Array(T.Object({ id: Id, title: T.String(), titleEn: T.String() })),
  }),
}

export const notices = {
  list: get('/portal-api/v1/notice/getAll', {
    summary: 'Notices now valid',
    access: 'guest',
    cached: ['notices', 'config'],
    reply: T.Array(Notice),
  }),
}
