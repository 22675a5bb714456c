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
    text: T.String({ description: "the owner's note, such as what to use instead" }),
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
    description: 'service to use instead; only shown to members who may use it',
  }),
}

/** Reports by members. */
export const health = {
  report: post('/portal-api/v1/service/report', {
    summary: 'Report that a service does not open; counted once a day per member',
    access: 'member',
    body: T.Object(serviceId),
    reply: T.Object({ counted: T.Boolean({ description: 'false: already reported today' }) }),
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
    status: Nullable(T.Integer({ description: 'HTTP status of the last probe' })),
    issue: T.String({ description: 'error of the last probe, in English' }),
    milliseconds: Nullable(T.Integer()),
    reports: T.Integer({
      description: 'number of members who reported within two weeks that it does not open',
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
      'List services that are down or slow, have a dead link, or were reported by members; or all services',
    access: 'operator',
    permission: 'services',
    delegated: true,
    query: T.Object({ all: T.Boolean({ default: false }), department, ...pageQuery }),
    reply: Page(ServiceHealth),
    errors: ['workbench.department_not_found'],
  }),
  change: put('/console-api/v1/service-health/{serviceId}', {
    summary:
      'Set whether a service is monitored, and the note and alternative shown during an outage',
    access: 'operator',
    permission: 'services',
    delegated: true,
    params: T.Object(serviceId),
    body: T.Object({ watched: T.Boolean({ default: true }), ...instead }),
    reply: T.Null(),
    errors: ['service.not_found'],
  }),
  check: post('/console-api/v1/service-health/{serviceId}/check', {
    summary: 'Probe a service now; a result of the last few seconds is reused',
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
    summary: 'List maintenance windows that have not ended',
    access: 'operator',
    permission: 'services',
    delegated: true,
    query: T.Object({ serviceId: T.Optional(Id) }),
    reply: T.Array(Maintenance),
  }),
  create: post('/console-api/v1/service-maintenance', {
    summary: 'Announce a maintenance window; the service is available again when it ends',
    access: 'operator',
    permission: 'services',
    delegated: true,
    body: T.Object(window),
    reply: Maintenance,
    errors: ['service.not_found'],
  }),
  update: put('/console-api/v1/service-maintenance/{id}', {
    summary: 'Update a maintenance window',
    access: 'operator',
    permission: 'services',
    delegated: true,
    params,
    body: T.Object(window),
    reply: Maintenance,
    errors: ['service.not_found', 'health.maintenance_not_found'],
  }),
  remove: del('/console-api/v1/service-maintenance/{id}', {
    summary: 'Delete a maintenance window; the service is available again immediately',
    access: 'operator',
    permission: 'services',
    delegated: true,
    params,
    reply: T.Null(),
    errors: ['health.maintenance_not_found'],
  }),
}
