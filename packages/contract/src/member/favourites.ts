import { Article, ArticleSummary } from '../content/news.ts'
import {
  cursorQuery,
  del,
  Flag,
  get,
  Id,
  Nullable,
  OneOf,
  type Page,
  pageQuery,
  post,
  put,
  type Static,
  T,
  Time,
} from '../define.ts'
import { Service } from '../services/services.ts'

/** A favourite service; `managed`: placed by a department, until the member removes it. */
export const FavouriteService = T.Interface(
  [Service],
  {
    managed: T.Boolean(),
    managedBy: T.String({ description: 'department that manages it; or empty' }),
    managedByEn: T.String(),
    favouriteAt: Nullable(Time),
  },
  { $id: 'FavouriteService' },
)
export type FavouriteService = Static<typeof FavouriteService>

export const FavouriteArticle = T.Interface(
  [ArticleSummary],
  { favouriteAt: Time },
  { $id: 'FavouriteArticle' },
)
export type FavouriteArticle = Static<typeof FavouriteArticle>

export const FavouriteFile = T.Object(
  { id: Id, fileLink: T.String(), fileName: T.String(), favouriteAt: Time },
  { $id: 'FavouriteFile' },
)
export type FavouriteFile = Static<typeof FavouriteFile>

/** An article the member has read, with the time of the last visit. */
export const VisitedArticle = T.Interface(
  [ArticleSummary],
  { visitedAt: Time },
  { $id: 'VisitedArticle' },
)
export type VisitedArticle = Static<typeof VisitedArticle>

const serviceId = { serviceId: Id }
const keyWords = T.Optional(T.String({ maxLength: 60 }))
const FileLink = T.String({ minLength: 1, maxLength: 1000 })

/** Supports old callers, which page by number, and ours, which page by cursor. */
const EitherPage = <S extends Parameters<typeof Page>[0]>(item: S) =>
  T.Object({
    list: T.Array(item),
    total: T.Integer(),
    pageNo: T.Integer(),
    pageSize: T.Integer(),
    nextCursor: Nullable(T.String()),
    hidden: T.Optional(
      T.Integer({
        description:
          'number of further favourites that are withdrawn or no longer available to the member; only with the first page of a complete list',
      }),
    ),
  })
const eitherQuery = { ...pageQuery, ...cursorQuery }

export const favouriteKinds = ['service', 'news', 'file'] as const

export const favourites = {
  serviceIds: get('/portal-api/v1/service/selectMyCollectServices', {
    summary: "List the ids of the member's favourite services, in their order",
    access: 'member',
    reply: T.Array(Id),
  }),
  services: get('/portal-api/v1/service/collect/list', {
    summary: "List the member's favourite services, managed ones first",
    access: 'member',
    query: T.Object({
      ...pageQuery,
      pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 9999, default: 9999 })),
    }),
    reply: EitherPage(FavouriteService),
  }),
  findServices: get('/portal-api/v2/service/collect/list', {
    summary: "List the member's favourite services, filtered by type or words",
    access: 'member',
    query: T.Object({
      keyWords,
      type: T.Optional(T.String({ pattern: '^[0-9]{0,18}$', description: 'id of a type' })),
      ...eitherQuery,
    }),
    reply: EitherPage(FavouriteService),
  }),
  addService: post('/portal-api/v1/service/collect', {
    summary: 'Add a service to the favourites; repeating it changes nothing',
    access: 'member',
    body: T.Object(serviceId),
    reply: T.Null(),
    errors: ['service.not_found', 'favourite.too_many'],
  }),
  removeService: del('/portal-api/v1/service/collectCancelService', {
    summary: 'Remove a service from the favourites',
    access: 'member',
    bodyOrQuery: true,
    body: T.Object(serviceId),
    reply: T.Null(),
  }),
  toggleService: get('/portal-api/v1/service/collect/toggle', {
    summary: 'Add a service to the favourites (type 1), or remove it (0)',
    access: 'member',
    query: T.Object({ id: Id, type: Flag }),
    reply: T.Null(),
    errors: ['service.not_found', 'favourite.too_many'],
  }),
  cancelManaged: post('/portal-api/v1/service/cancelDeptManage', {
    summary: 'Remove a service that a department added to the favourites',
    access: 'member',
    body: T.Object(serviceId),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  news: get('/portal-api/v1/cms/content/my', {
    summary: "List the member's favourite articles",
    access: 'member',
    query: T.Object({ keyWords, ...eitherQuery }),
    reply: EitherPage(FavouriteArticle),
  }),
  article: get('/portal-api/v1/cms/content/getOne', {
    summary: 'Get an article',
    access: 'guest',
    cached: ['news', 'config'],
    query: T.Object({ id: Id }),
    reply: Article,
    errors: ['news.not_found'],
  }),
  toggleNews: post('/portal-api/v1/cms/content/collect', {
    summary: 'Add an article to the favourites (type 1), or remove it (0)',
    access: 'member',
    bodyOrQuery: true,
    body: T.Object({ id: Id, type: Flag }),
    reply: T.Null(),
    errors: ['news.not_found', 'favourite.too_many'],
  }),
  files: get('/portal-api/v1/cms/content/myFile', {
    summary: "List the member's favourite files",
    access: 'member',
    query: T.Object({ keyWords, ...eitherQuery }),
    reply: EitherPage(FavouriteFile),
  }),
  fileLinks: get('/portal-api/v1/cms/content/myFileLinks', {
    summary: "List the stored addresses of the portal's own files among the member's favourites",
    access: 'member',
    reply: T.Array(T.String()),
  }),
  toggleFile: post('/portal-api/v1/cms/content/collectFile', {
    summary: 'Add a file to the favourites (type 1), or remove it (0)',
    access: 'member',
    bodyOrQuery: true,
    body: T.Object({ fileLink: FileLink, fileName: T.String({ maxLength: 200 }), type: Flag }),
    reply: T.Null(),
    errors: ['file.not_found', 'favourite.too_many'],
  }),
  state: get('/portal-api/v1/cms/content/collected', {
    summary: 'Get whether an article or a file is a favourite of the member',
    access: 'member',
    query: T.Object({ id: T.Optional(Id), fileLink: T.Optional(FileLink) }),
    reply: T.Object({ favourite: T.Boolean() }),
  }),
  move: put('/portal-api/v1/favourites/order', {
    summary: 'Move a favourite before another one of its kind, or to the end',
    access: 'member',
    body: T.Object({ kind: OneOf(favouriteKinds), id: Id, beforeId: Nullable(Id) }),
    reply: T.Null(),
    errors: ['favourite.not_found'],
  }),
}

export const history = {
  list: get('/portal-api/v1/cms/content/history', {
    summary: 'List the articles the member has read, last one first',
    access: 'member',
    query: T.Object(eitherQuery),
    reply: EitherPage(VisitedArticle),
  }),
  record: post('/portal-api/v1/cms/content/history', {
    summary:
      'Record that the member reads an article; counted once a day, stored only if the privacy settings allow it',
    access: 'member',
    body: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['news.not_found'],
  }),
  remove: del('/portal-api/v1/cms/content/history/{id}', {
    summary: 'Delete an article from the reading history',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Null(),
  }),
  clear: del('/portal-api/v1/cms/content/history', {
    summary: 'Delete the reading history',
    access: 'member',
    reply: T.Null(),
  }),
}
