import { del, get, Nullable, OneOf, post, put, Secret, type Static, T, Time } from '../define.ts'

const address = T.String({ maxLength: 500, pattern: '^https?://\\S+$' })
const fields = {
  kind: OneOf(['oneroster', 'moodle']),
  name: T.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 150, default: '' }),
  address,
  tokenUrl: T.String({
    maxLength: 500,
    pattern: '^(https?://\\S+)?$',
    default: '',
    description: 'OneRoster: token endpoint',
  }),
  clientId: T.String({ maxLength: 200, default: '', description: 'OneRoster: client id' }),
  secret: T.Optional(Secret({ minLength: 1, maxLength: 500 })),
  everyMinutes: T.Integer({ minimum: 5, maximum: 10_080, default: 60 }),
  enabled: T.Boolean({ default: true }),
}
const { secret: _, ...shown } = fields
export const StudySource = T.Object(
  {
    code: T.String(),
    ...shown,
    hasSecret: T.Boolean({ description: 'a secret is stored; it is never returned' }),
    courses: T.Integer({ description: 'number of courses with content from this source' }),
    readAt: Nullable(Time),
    nextAt: Time,
    failures: T.Integer({
      description: 'consecutive failed imports; imported content stays visible',
    }),
    error: T.String({ description: 'error of the last import, in one sentence' }),
    added: T.Integer(),
    changed: T.Integer(),
    issues: T.Array(T.String(), { description: 'issues of the last import, the first 50' }),
  },
  { $id: 'StudySource' },
)
export type StudySource = Static<typeof StudySource>
export const StudySourceFields = T.Object(fields, { $id: 'StudySourceFields' })
export type StudySourceFields = Static<typeof StudySourceFields>

const params = T.Object({ code: T.String({ pattern: '^[a-z0-9][a-z0-9-]{0,59}$' }) })
const operator = { access: 'operator', permission: 'system' } as const

/** Systems from which courses, coursework and marks are imported. */
export const studySources = {
  list: get('/console-api/v1/study-sources', {
    ...operator,
    summary: 'List the import sources of courses, with their state',
    reply: T.Array(StudySource),
  }),
  put: put('/console-api/v1/study-sources/{code}', {
    ...operator,
    summary: 'Create or update a source; an omitted secret is kept while the hosts stay the same',
    params,
    body: StudySourceFields,
    reply: StudySource,
  }),
  read: post('/console-api/v1/study-sources/{code}/read', {
    ...operator,
    summary: 'Import from a source now; errors are reported in the response',
    params,
    body: T.Object({
      force: T.Boolean({
        default: false,
        description: 'allow removing more than a fifth of the existing content',
      }),
    }),
    reply: StudySource,
    errors: ['study.source_not_found'],
  }),
  remove: del('/console-api/v1/study-sources/{code}', {
    ...operator,
    summary: 'Delete a source; the imported content stays',
    params,
    reply: T.Null(),
    errors: ['study.source_not_found'],
  }),
}
