import {
  del,
  department,
  get,
  Icon,
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
  Username,
} from '../define.ts'
import { AudienceRule } from '../shell/launch.operator.ts'
import { MiniProgram, Terminal, TokenAccept } from './services.ts'

export const Name = T.String({ minLength: 1, maxLength: 60, pattern: '\\S' })
export const Text = (maxLength: number) => T.String({ maxLength, default: '' })
const Tags = T.Array(T.String({ minLength: 1, maxLength: 30, pattern: '^[^;；,，、]+$' }), {
  maxItems: 30,
  default: [],
})
export const Version = T.Integer({
  minimum: 1,
  description: 'version as read; if it has changed since, the update is refused',
})
/**
 * Nullable with default null: the body replaces the whole record, so a missing field is cleared rather than left
 * unchanged.
 */
export const orNull = <S extends T.TSchema>(schema: S) =>
  T.Union([schema, T.Null()], { default: null })

/** Fields a service's owner may edit: its texts and current notices. */
const texts = {
  serviceName: Name,
  serviceNameEn: Text(100),
  desc: Text(300),
  descEn: Text(500),
  contactInformation: Text(200),
  runTime: Text(200),
  notice: T.String({
    maxLength: 300,
    default: '',
    description: 'current notice for members, e.g. about maintenance',
  }),
  noticeEn: Text(500),
  tags: Tags,
}

/** The remaining fields: target, audience and display. */
export const placing = {
  serviceNo: T.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._:\\-]{0,63}$' }),
  typeId: Id,
  organizationId: orNull(Id),
  serviceUrl: T.String({
    minLength: 1,
    maxLength: 2000,
    description: 'http or https address, or a path of the portal that starts with /',
  }),
  opening: OneOf(['auto', 'route', 'webview', 'browser', 'viewer', 'miniProgram'], {
    default: 'auto',
  }),
  miniProgram: orNull(MiniProgram),
  tokenAccept: orNull(TokenAccept),
  serviceType: OneOf(['', 'remote'], { default: '' }),
  audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
  icon: T.Object(
    { glyph: T.String({ pattern: '^[a-z0-9-]{1,40}$' }), tone: Icon.properties.tone },
    { default: { glyph: 'grid', tone: 'blue' } },
  ),
  iconFileId: orNull(Id),
  cardFileId: orNull(Id),
  marks: T.Array(OneOf(['new', 'hot', 'official', 'trial']), {
    maxItems: 4,
    uniqueItems: true,
    default: [],
  }),
  terminals: T.Array(Terminal, { maxItems: 5, uniqueItems: true, default: [] }),
  recommended: T.Boolean({ default: false }),
  forceRecommended: T.Boolean({ default: false }),
  needsVpn: T.Boolean({ default: false }),
  validFrom: orNull(Time),
  validUntil: orNull(Time),
  serviceSource: Text(100),
  techType: Text(60),
  position: T.Integer({ minimum: -999_999, maximum: 999_999, default: 0 }),
}
export const ServiceTexts = T.Object(texts)
export const ServiceContent = T.Object({ ...texts, ...placing })
export type ServiceTexts = Static<typeof ServiceTexts>
export type ServiceContent = Static<typeof ServiceContent>

export const ManagedService = T.Object(
  {
    serviceId: Id,
    ...texts,
    ...placing,
    organizationCode: Nullable(T.String()),
    typeCode: T.String(),
    online: T.Boolean(),
    onlineAt: Time,
    haveGuide: T.Boolean(),
    useCount: T.Integer(),
    owners: T.Array(T.Object({ username: T.String(), name: T.String() })),
    version: T.Integer(),
    updatedAt: Time,
  },
  { $id: 'ManagedService' },
)
export type ManagedService = Static<typeof ManagedService>

const GuideContent = {
  intro: Text(2000),
  introEn: Text(4000),
  appliesTo: Text(500),
  appliesToEn: Text(1000),
  place: Text(300),
  placeEn: Text(600),
  hours: Text(300),
  hoursEn: Text(600),
  contact: Text(300),
  contactEn: Text(600),
  steps: T.Array(
    T.Object({ title: Name, titleEn: Text(120), content: Text(2000), contentEn: Text(4000) }),
    { maxItems: 50, default: [] },
  ),
  materials: T.Array(
    T.Object({
      name: Name,
      nameEn: Text(120),
      note: Text(500),
      noteEn: Text(1000),
      required: T.Boolean({ default: true }),
      copies: T.Integer({ minimum: 0, maximum: 99, default: 1 }),
    }),
    { maxItems: 50, default: [] },
  ),
  attachments: T.Array(T.Object({ name: Name, nameEn: Text(120), fileId: Id }), {
    maxItems: 50,
    default: [],
  }),
}
export const GuideText = T.Object(GuideContent)
export type GuideText = Static<typeof GuideText>
export const ManagedGuide = T.Object(
  { serviceId: Id, ...GuideContent, version: T.Integer(), updatedAt: Time },
  { $id: 'ManagedServiceGuide' },
)
export type ManagedGuide = Static<typeof ManagedGuide>

export const ServiceImport = T.Object(
  {
    read: T.Integer(),
    added: T.Integer(),
    changed: T.Integer(),
    unchanged: T.Integer(),
    skipped: T.Integer({ description: 'rows with issues, which were not imported' }),
    written: T.Boolean({ description: 'false: a dry run, or the whole file was refused' }),
    issues: T.Array(T.Object({ row: T.Integer(), sentence: T.String() }), {
      description: 'the first 200; row 0: the whole file',
    }),
    notes: T.Array(T.String()),
  },
  { $id: 'ServiceImport' },
)

export const params = T.Object({ id: Id })
export const whole = { access: 'operator', permission: 'services' } as const
export const byPart = { ...whole, delegated: true } as const
export const versioned = T.Object({ version: Version })

/** Services, for operators of the institution and, within their own part, for department operators. */
export const catalogue = {
  list: get('/console-api/v1/services', {
    ...byPart,
    summary:
      'List the services the operator is responsible for, including withdrawn ones, by number',
    query: T.Object({
      keyWords: T.Optional(T.String({ maxLength: 60 })),
      typeId: T.Optional(Id),
      online: T.Optional(T.Boolean()),
      department,
      ...pageQuery,
    }),
    reply: Page(ManagedService),
    errors: ['workbench.department_not_found'],
  }),
  read: get('/console-api/v1/services/{id}', {
    ...byPart,
    summary: 'Get a service with its operator fields',
    params,
    reply: ManagedService,
    errors: ['service.not_found'],
  }),
  create: post('/console-api/v1/services', {
    ...byPart,
    summary:
      'Create a service; only operators of the whole institution may create one without an organisation',
    body: T.Interface([ServiceContent], { online: T.Boolean({ default: true }) }),
    reply: ManagedService,
    errors: ['service.number_taken'],
  }),
  update: put('/console-api/v1/services/{id}', {
    ...byPart,
    summary: 'Update a service',
    params,
    body: T.Interface([ServiceContent], { version: Version }),
    reply: ManagedService,
    errors: ['service.not_found', 'service.number_taken', 'service.changed_meanwhile'],
  }),
  publish: post('/console-api/v1/services/{id}/publish', {
    ...byPart,
    summary: 'Publish a service',
    params,
    body: versioned,
    reply: ManagedService,
    errors: ['service.not_found', 'service.changed_meanwhile'],
  }),
  withdraw: post('/console-api/v1/services/{id}/withdraw', {
    ...byPart,
    summary: 'Withdraw a service; favourites and usage records stay',
    params,
    body: versioned,
    reply: ManagedService,
    errors: ['service.not_found', 'service.changed_meanwhile'],
  }),
  remove: del('/console-api/v1/services/{id}', {
    ...byPart,
    summary: 'Delete a withdrawn service with all member data about it',
    params,
    query: versioned,
    reply: T.Null(),
    errors: [
      'service.not_found',
      'service.changed_meanwhile',
      'service.still_online',
      'service.in_use',
    ],
  }),
  readGuide: get('/console-api/v1/services/{id}/guide', {
    ...byPart,
    summary: 'Get the guide of a service; null if there is none',
    params,
    reply: Nullable(ManagedGuide),
    errors: ['service.not_found'],
  }),
  saveGuide: put('/console-api/v1/services/{id}/guide', {
    ...byPart,
    summary: 'Create or replace the guide of a service; a new guide is shown immediately',
    params,
    body: T.Interface([GuideText], { version: orNull(Version) }),
    reply: ManagedGuide,
    errors: ['service.not_found', 'service.changed_meanwhile'],
  }),
  removeGuide: del('/console-api/v1/services/{id}/guide', {
    ...byPart,
    summary: 'Delete the guide of a service',
    params,
    query: versioned,
    reply: T.Null(),
    errors: ['service.not_found', 'service.no_guide', 'service.changed_meanwhile'],
  }),
  saveOwners: put('/console-api/v1/services/{id}/owners', {
    ...byPart,
    summary: 'Replace the owners of a service',
    params,
    body: T.Object({
      usernames: T.Array(Username, { maxItems: 20 }),
      version: Version,
    }),
    reply: ManagedService,
    errors: ['service.not_found', 'service.changed_meanwhile'],
  }),
}

/** Import and export of the catalogue. */
export const serviceFiles = {
  import: post('/console-api/v1/service-imports', {
    ...whole,
    summary:
      'Import services from a CSV or JSON file; they are matched by service number, so that repeating it changes nothing',
    largest: 10_000_000,
    body: T.Object({
      text: T.String({ minLength: 1, description: 'content of the file' }),
      dryRun: T.Boolean({
        default: false,
        description: 'report what would happen, without writing',
      }),
      strict: T.Boolean({ default: false, description: 'write nothing if any row has an issue' }),
    }),
    reply: ServiceImport,
  }),
  exportCsv: post('/console-api/v1/exports/services', {
    ...whole,
    summary: 'Export all services as CSV in the import format',
    body: T.Object({}),
    reply: T.String(),
    media: 'text/csv',
  }),
  exportJson: post('/console-api/v1/exports/services.json', {
    ...whole,
    summary: 'Export all services as JSON in the import format',
    body: T.Object({}),
    reply: T.String(),
    media: 'application/json',
  }),
}

/** Services a member owns: texts and guides may be edited, target and audience may not. */
export const ownedServices = {
  list: get('/console-api/v1/owned-services', {
    summary: 'List the services the caller owns, including withdrawn ones',
    access: 'member',
    reply: T.Array(ManagedService),
  }),
  update: put('/console-api/v1/owned-services/{id}', {
    summary: 'Update the texts and the current notice of a service the caller owns',
    access: 'member',
    params,
    body: T.Interface([ServiceTexts], { version: Version }),
    reply: ManagedService,
    errors: ['service.not_found', 'service.changed_meanwhile'],
  }),
  readGuide: get('/console-api/v1/owned-services/{id}/guide', {
    summary: 'Get the guide of a service the caller owns; null if there is none',
    access: 'member',
    params,
    reply: Nullable(ManagedGuide),
    errors: ['service.not_found'],
  }),
  saveGuide: put('/console-api/v1/owned-services/{id}/guide', {
    summary: 'Create or replace the guide of a service the caller owns',
    access: 'member',
    params,
    body: T.Interface([GuideText], { version: orNull(Version) }),
    reply: ManagedGuide,
    errors: ['service.not_found', 'service.changed_meanwhile'],
  }),
}
