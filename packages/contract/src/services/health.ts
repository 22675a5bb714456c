import {
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

/**
 * Why a service is impaired. The client decides by the clock whether it applies right now: an answer may have been
 * cached, and maintenance is announced in advance.
 */
export const Outage = T.Object(
  {
    kind: OneOf(['down', 'slow', 'maintenance']),
    since: Time,
    until: Nullable(Time),
    text: T.String({ description: 'what its owner says, such as what to do instead' }),
    textEn: T.String(),
    alternative: Nullable(Id),
  },
  { $id: 'Outage' },
)
export type Outage = Static<typeof Outage>

const serviceId = { serviceId: Id }
const note = T.String({ maxLength: 200, default: '' })
const instead = {
  text: note,
  textEn: note,
  alternative: T.Union([Id, T.Null()], {
    default: null,
    description: 'a service to use instead; whoever may not use it does not see it',
  }),
}

/** Reports by members. */
export const health = {
  report: post('/portal-api/v1/service/report', {
    summary: 'A member says that a service does not open; counts once a day',
    access: 'member',
    body: T.Object(serviceId),
    reply: T.Object({ counted: T.Boolean({ description: 'false: said before today' }) }),
    errors: ['service.not_found'],
  }),
}

export const ServiceHealth = T.Object(
  {
    ...serviceId,
    serviceNo: T.String(),
    serviceName: T.String(),
    serviceNameEn: T.String(),
    serviceUrl: T.String(),
    state: OneOf(['unknown', 'up', 'slow', 'down', 'dead', 'maintenance']),
    since: Nullable(Time),
    checkedAt: Nullable(Time),
    status: Nullable(T.Integer({ description: 'what its address answered last' })),
    issue: T.String({ description: 'why its host did not answer, in English' }),
    milliseconds: Nullable(T.Integer()),
    reports: T.Integer({
      description: 'members who said within two weeks that it does not open',
    }),
    watched: T.Boolean(),
    ...instead,
  },
  { $id: 'ServiceHealth' },
)
export type ServiceHealth = Static<typeof ServiceHealth>

export const serviceHealth = {
  list: get('/console-api/v1/service-health', {
    summary:
      'Services that are down or slow, whose link is dead, or of which members say that they do not open; or all',
    access: 'operator',
    permission: 'services',
    delegated: true,
    query: T.Object({ all: T.Boolean({ default: false }), department, ...pageQuery }),
    reply: Page(ServiceHealth),
    errors: ['workbench.department_not_found'],
  }),
  change: put('/console-api/v1/service-health/{serviceId}', {
    summary: 'Whether a service is watched, and what is offered while it is out of service',
    access: 'operator',
    permission: 'services',
    delegated: true,
    params: T.Object(serviceId),
    body: T.Object({ watched: T.Boolean({ default: true }), ...instead }),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  check: post('/console-api/v1/service-health/{serviceId}/check', {
    summary: 'Probe a service now; what was found a few seconds ago is answered as it was',
    access: 'operator',
    permission: 'services',
    delegated: true,
    params: T.Object(serviceId),
    reply: ServiceHealth,
    errors: ['service.not_found', 'health.not_probed'],
  }),
}

const window = { ...serviceId, startsAt: Time, endsAt: Time, ...instead }
export const Maintenance = T.Object({ id: Id, ...window }, { $id: 'Maintenance' })
const params = T.Object({ id: Id })

export const maintenance = {
  list: get('/console-api/v1/service-maintenance', {
    summary: 'Maintenance windows that have not ended',
    access: 'operator',
    permission: 'services',
    delegated: true,
    query: T.Object({ serviceId: T.Optional(Id) }),
    reply: T.Array(Maintenance),
  }),
  create: post('/console-api/v1/service-maintenance', {
    summary: 'Announce that a service will be out of service; it comes back by itself',
    access: 'operator',
    permission: 'services',
    delegated: true,
    body: T.Object(window),
    reply: Maintenance,
    errors: ['service.not_found'],
  }),
  update: put('/console-api/v1/service-maintenance/{id}', {
    summary: 'The window as it is to be from now on',
    access: 'operator',
    permission: 'services',
    delegated: true,
    params,
    body: T.Object(window),
    reply: Maintenance,
    errors: ['service.not_found', 'health.maintenance_not_found'],
  }),
  remove: del('/console-api/v1/service-maintenance/{id}', {
    summary: 'No such window any more; the service is back at once',
    access: 'operator',
    permission: 'services',
    delegated: true,
    params,
    reply: T.Null(),
    errors: ['health.maintenance_not_found'],
  }),
}
