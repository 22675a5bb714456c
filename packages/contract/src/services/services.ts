import {
  Flag,
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
} from '../define.ts'
import { Outage } from './health.ts'

export const ServiceType = T.Object(
  {
    id: Id,
    code: T.String(),
    name: T.String(),
    nameEn: T.String(),
    parentId: Nullable(Id),
    count: T.Integer({ description: 'number of services of this type available to the caller' }),
  },
  { $id: 'ServiceType' },
)
export type ServiceType = Static<typeof ServiceType>

export const ServiceDepartment = T.Object(
  {
    organizationId: Id,
    name: T.String(),
    nameEn: T.String(),
    count: T.Integer({
      description: 'number of services of this department available to the caller',
    }),
  },
  { $id: 'ServiceDepartment' },
)
export type ServiceDepartment = Static<typeof ServiceDepartment>

/** Terminal codes: 1 PC, 2 super app, 3 WeChat mini-program, 4 Alipay mini-program, 6 H5. */
export const Terminal = OneOf(['1', '2', '3', '4', '6'])
export type Terminal = Static<typeof Terminal>

/** A service as lists show it. No per-member data (favourite, used): the client joins it. */
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
    iconUrl: T.String({ description: 'address of an uploaded icon; empty: draw `icon`' }),
    serviceType: T.String({ description: '`remote`: news of another system' }),
    tags: T.Array(T.String()),
    recommended: T.Boolean(),
    needsVpn: T.Boolean(),
    notice: T.String({ description: 'current notice for members, e.g. about maintenance' }),
    noticeEn: T.String(),
    useCount: T.Integer(),
    outage: T.Optional(Outage),
    marks: T.Array(OneOf(['new', 'hot', 'official', 'trial'])),
    forceRecommended: T.Boolean({
      description: 'shown to its whole audience, regardless of their choices',
    }),
    haveGuide: Flag,
  },
  { $id: 'Service' },
)
export type Service = Static<typeof Service>

/** How the caller's token is passed to a service. */
export const TokenAccept = T.Array(
  T.Object({
    tokenType: OneOf(['header', 'cookie', 'url', 'cas']),
    tokenKey: T.String({ maxLength: 60 }),
  }),
)
export type TokenAccept = Static<typeof TokenAccept>

export const ServiceDetail = T.Interface(
  [Service],
  {
    serviceUrl: T.String(),
    contactInformation: T.String(),
    runTime: T.String(),
    onlineAt: Time,
    validFrom: Nullable(Time),
    validUntil: Nullable(Time),
    terminals: T.Array(Terminal, { description: 'terminals it can be used on; empty: all' }),
    cardImage: T.String({ description: 'address of a picture for cards; empty: none' }),
    serviceSource: T.String(),
    techType: T.String(),
    tokenAccept: TokenAccept,
  },
  { $id: 'ServiceDetail' },
)
export type ServiceDetail = Static<typeof ServiceDetail>

export const RankedService = T.Interface(
  [Service],
  {
    rank: T.Integer({ description: 'from 1; equal amounts have the same rank' }),
    amount: T.Integer({ description: 'number of uses or favourites within the window' }),
  },
  { $id: 'RankedService' },
)
export type RankedService = Static<typeof RankedService>

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

/** The fields of sysNavigateToMiniProgram. */
export const MiniProgram = T.Object(
  {
    appId: T.String(),
    path: T.String(),
    title: T.String(),
    loadPath: T.Optional(T.String()),
    engineType: T.Optional(T.String()),
    collect: T.Optional(T.String()),
    iconUrl: T.Optional(T.String()),
    tokenTransType: T.Optional(T.String()),
    attachmentUrl: T.Optional(T.String()),
    appType: T.Optional(T.String()),
    desc: T.Optional(T.String()),
    columnId: T.Optional(T.String()),
    shareUrl: T.Optional(T.String()),
  },
  { $id: 'MiniProgram' },
)
export type MiniProgram = Static<typeof MiniProgram>

/** Why the guide is not shown; empty: it is shown. */
export const WorkFlowInfo = T.Object(
  {
    closeGuide: T.Literal(true),
    reason: OneOf(['off', 'none', 'dismissed', 'visitor']),
  },
  { $id: 'WorkFlowInfo' },
)

export const Guide = T.Object(
  {
    serviceId: Id,
    serviceName: T.String(),
    serviceNameEn: T.String(),
    icon: Icon,
    iconUrl: T.String(),
    departmentName: T.String(),
    departmentNameEn: T.String(),
    intro: T.String(),
    introEn: T.String(),
    appliesTo: T.String(),
    appliesToEn: T.String(),
    place: T.String(),
    placeEn: T.String(),
    hours: T.String(),
    hoursEn: T.String(),
    contact: T.String(),
    contactEn: T.String(),
    steps: T.Array(
      T.Object({
        title: T.String(),
        titleEn: T.String(),
        content: T.String(),
        contentEn: T.String(),
      }),
    ),
    materials: T.Array(
      T.Object({
        name: T.String(),
        nameEn: T.String(),
        note: T.String(),
        noteEn: T.String(),
        required: T.Boolean(),
        copies: T.Integer(),
      }),
    ),
    attachments: T.Array(
      T.Object({
        name: T.String(),
        nameEn: T.String(),
        url: T.String({ description: 'valid for ten minutes' }),
        mediaType: T.String(),
        byteSize: T.Integer(),
      }),
    ),
    updatedAt: Time,
  },
  { $id: 'ServiceGuide' },
)
export type Guide = Static<typeof Guide>

export const onTerminal = {
  platformType: T.Optional(
    T.String({ maxLength: 20, description: 'terminal code, or wechat, app or h5' }),
  ),
}
const allPages = {
  pageNo: pageQuery.pageNo,
  pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 9999, default: 9999 })),
}
const rankingQuery = T.Object({
  ...onTerminal,
  window: T.Optional(OneOf(['week', 'month', 'quarter'], { default: 'month' })),
  typeId: T.Optional(Id),
  ...pageQuery,
})

export const serviceId = { serviceId: Id }

export const services = {
  types: get('/portal-api/v1/service/types', {
    summary: 'List the types of services',
    access: 'guest',
    cached: ['services'],
    query: T.Object(onTerminal),
    reply: T.Array(ServiceType),
  }),
  departments: get('/portal-api/v1/service/departments', {
    summary: 'List the departments that offer services, for filtering',
    access: 'guest',
    cached: ['services'],
    query: T.Object(onTerminal),
    reply: T.Array(ServiceDepartment),
  }),
  overview: get('/portal-api/v1/service/overview', {
    summary: 'Get the services tab in one request: types, common services and the first list',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object(onTerminal),
    reply: Overview,
  }),
  list: get('/portal-api/v1/service/list', {
    summary: 'List services, filtered by type, department, tag or words',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object({
      typeId: T.Optional(Id),
      organizationId: T.Optional(Id),
      tag: T.Optional(T.String({ maxLength: 30 })),
      keyWords: T.Optional(T.String({ maxLength: 60 })),
      ...onTerminal,
      ...pageQuery,
    }),
    reply: Page(Service),
  }),
  read: get('/portal-api/v1/service/getService', {
    summary: 'Get a service',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object(serviceId),
    reply: ServiceDetail,
    errors: ['service.not_found'],
  }),
  info: get('/portal-api/v1/service/getServiceInfo', {
    summary: 'Get a service as shown on pages without sign-in',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object(serviceId),
    reply: ServiceDetail,
    errors: ['service.not_found'],
  }),
  hot: get('/portal-api/v1/service/hot', {
    summary: 'Rank services by number of uses within the window',
    access: 'guest',
    cached: ['services', 'config'],
    query: rankingQuery,
    reply: Page(RankedService),
  }),
  collectTop: get('/portal-api/v1/service/collectTop', {
    summary: 'Rank services by number of new favourites within the window',
    access: 'guest',
    cached: ['services', 'config'],
    query: rankingQuery,
    reply: Page(RankedService),
  }),
  common: get('/portal-api/v1/service/common', {
    summary: 'List the most used services',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object({ ...onTerminal, ...pageQuery }),
    reply: Page(Service),
  }),
  recommended: get('/portal-api/v1/service/recommended', {
    summary: 'List the services recommended by operators',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object({ ...onTerminal, ...pageQuery }),
    reply: Page(Service),
  }),
  forceRecommended: get('/portal-api/v1/service/findForceRecommService', {
    summary: "List the services shown to their whole audience, regardless of members' choices",
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object(onTerminal),
    reply: T.Array(Service),
  }),
  recentlyOnline: get('/portal-api/v1/service/recentlyOnline', {
    summary: 'List services by publication time, newest first',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object({ ...onTerminal, ...allPages }),
    reply: Page(Service),
  }),
  lastUseList: get('/portal-api/v1/service/lastUse/list', {
    summary: 'List all services the member has used, last used first',
    access: 'member',
    query: T.Object({ ...onTerminal, ...allPages }),
    reply: Page(Service),
  }),
  workFlowInfo: get('/portal-api/v1/service/workFlowInfo', {
    summary: 'Get whether the guide is shown before a service; null if it is',
    access: 'guest',
    query: T.Object(serviceId),
    reply: Nullable(WorkFlowInfo),
    errors: ['service.not_found'],
  }),
  guide: get('/portal-api/v1/service/guide', {
    summary: 'Get the guide of a service: audience, place, steps, materials, attachments',
    access: 'guest',
    query: T.Object(serviceId),
    reply: Guide,
    errors: ['service.not_found', 'service.no_guide'],
  }),
  findGuideAlert: get('/portal-api/v1/config/guideAlert/{serviceId}/find', {
    summary: 'Get whether the member has turned off the guide of a service',
    access: 'member',
    params: T.Object(serviceId),
    reply: T.Object({ dismissed: T.Boolean() }),
    errors: ['service.not_found'],
  }),
  setGuideAlert: post('/portal-api/v1/config/guideAlert/{serviceId}/set', {
    summary: 'Turn off the guide of a service for the member',
    access: 'member',
    params: T.Object(serviceId),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  deleteGuideAlert: post('/portal-api/v1/config/guideAlert/{serviceId}/delete', {
    summary: 'Turn on the guide of a service for the member again',
    access: 'member',
    params: T.Object(serviceId),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  networkCheck: get('/portal-api/v2/service/networkCheck', {
    summary: 'Get whether a service can be reached from the public network, or needs the VPN',
    access: 'guest',
    query: T.Object(serviceId),
    reply: T.Object({
      needsVpn: T.Boolean(),
      reachable: OneOf(['yes', 'no', 'unknown']),
    }),
    errors: ['service.not_found'],
  }),
  recordUse: post('/portal-api/v1/service/recordUseService', {
    summary:
      'Record that the member used a service; a use already recorded by launch is not counted twice',
    access: 'member',
    body: T.Object(serviceId),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  saveUseTime: post('/portal-api/v1/service/useTime/save', {
    summary: 'Record how long a service was open; the use itself is counted once',
    access: 'member',
    body: T.Object({
      ...serviceId,
      seconds: T.Optional(T.Integer({ minimum: 0, maximum: 86_400 })),
    }),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  lastUsed: get('/portal-api/v1/service/lastUsed', {
    summary: 'List the ten services the member used last, newest first',
    access: 'member',
    reply: T.Array(Service),
  }),
}
