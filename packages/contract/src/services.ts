import {
  del,
  get,
  Icon,
  Id,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  post,
  type Static,
  T,
  Time,
} from './define.ts'

export const ServiceType = T.Object(
  {
    id: Id,
    code: T.String(),
    name: T.String(),
    nameEn: T.String(),
    parentId: Nullable(Id),
    count: T.Integer({ description: 'services of this type the caller may use' }),
  },
  { $id: 'ServiceType' },
)
export type ServiceType = Static<typeof ServiceType>

/** A service as lists show it. No member facts (favourite, used): the client joins those. */
export const Service = T.Object(
  {
    serviceId: Id,
    serviceNo: T.String(),
    serviceName: T.String(),
    serviceNameEn: T.String(),
    desc: T.String(),
    descEn: T.String(),
    typeId: Id,
    departmentName: T.String(),
    departmentNameEn: T.String(),
    icon: Icon,
    iconUrl: T.String({ description: 'an uploaded icon; empty: draw `icon`' }),
    serviceType: T.String({ description: "'remote' is news of another system" }),
    tags: T.Array(T.String()),
    recommended: T.Boolean(),
    needsVpn: T.Boolean(),
    notice: T.String({ description: 'what members should know now, e.g. a maintenance window' }),
    noticeEn: T.String(),
    useCount: T.Integer(),
  },
  { $id: 'Service' },
)
export type Service = Static<typeof Service>

export const ServiceDetail = T.Interface(
  [Service],
  {
    serviceUrl: T.String(),
    contactInformation: T.String(),
    runTime: T.String(),
    onlineAt: Time,
  },
  { $id: 'ServiceDetail' },
)

export const Overview = T.Object(
  {
    total: T.Integer(),
    types: T.Array(ServiceType),
    common: T.Array(Service),
    first: T.Object({ typeId: Nullable(Id), list: T.Array(Service) }),
  },
  { $id: 'ServicesOverview' },
)
export type Overview = Static<typeof Overview>

export const Launch = T.Object(
  {
    how: OneOf(['route', 'webview', 'browser']),
    url: T.String({ description: 'an internal address for route, else a full one' }),
  },
  { $id: 'Launch' },
)

const serviceId = { serviceId: Id }

export const services = {
  types: get('/portal-api/v1/service/types', {
    summary: 'The catalogue tree',
    access: 'guest',
    cached: ['services'],
    reply: T.Array(ServiceType),
  }),
  overview: get('/portal-api/v1/service/overview', {
    summary: 'Types, common services and the first list: the services tab in one request',
    access: 'guest',
    cached: ['services', 'config'],
    reply: Overview,
  }),
  list: get('/portal-api/v1/service/list', {
    summary: 'Services of a type, or found by words',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object({
      typeId: T.Optional(Id),
      keyWords: T.Optional(T.String({ maxLength: 60 })),
      platformType: T.Optional(T.String({ maxLength: 20 })),
      ...pageQuery,
    }),
    reply: Page(Service),
  }),
  read: get('/portal-api/v1/service/getService', {
    summary: 'One service',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object(serviceId),
    reply: ServiceDetail,
    errors: ['service.not_found'],
  }),
  launch: post('/portal-api/v1/service/launch', {
    summary: 'How and where to open a service; records the use of a member',
    access: 'guest',
    body: T.Object(serviceId),
    reply: Launch,
    errors: ['service.not_found', 'service.unavailable'],
  }),
  recordUse: post('/portal-api/v1/service/recordUseService', {
    summary: 'Record that the member used a service',
    access: 'member',
    body: T.Object(serviceId),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  lastUsed: get('/portal-api/v1/service/lastUsed', {
    summary: 'The ten services the member used last, newest first',
    access: 'member',
    reply: T.Array(Service),
  }),
  favouriteIds: get('/portal-api/v1/service/selectMyCollectServices', {
    summary: 'Keys of the services the member has made favourites, in their order',
    access: 'member',
    reply: T.Array(Id),
  }),
  addFavourite: post('/portal-api/v1/service/collect', {
    summary: 'Make a service a favourite; doing it twice changes nothing',
    access: 'member',
    body: T.Object(serviceId),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  removeFavourite: del('/portal-api/v1/service/collectCancelService', {
    summary: 'A favourite no longer',
    access: 'member',
    bodyOrQuery: true,
    body: T.Object(serviceId),
    reply: T.Null(),
  }),
}
