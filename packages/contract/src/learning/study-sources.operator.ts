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
    description: 'of OneRoster: where its tokens are made',
  }),
  clientId: T.String({ maxLength: 200, default: '', description: 'of OneRoster' }),
  secret: T.Optional(Secret({ minLength: 1, maxLength: 500 })),
  everyMinutes: T.Integer({ minimum: 5, maximum: 10_080, default: 60 }),
  enabled: T.Boolean({ default: true }),
}
const { secret: _, ...shown } = fields
export const StudySource = T.Object(
  {
    code: T.String(),
    ...shown,
    hasSecret: T.Boolean({ description: 'it is never shown' }),
    courses: T.Integer({ description: 'that it brings something to' }),
    readAt: Nullable(Time),
    nextAt: Time,
    failures: T.Integer({ description: 'in a row; what is shown stays meanwhile' }),
    error: T.String({ description: 'why it could not be read, in a sentence' }),
    added: T.Integer(),
    changed: T.Integer(),
    issues: T.Array(T.String(), { description: 'of the last reading, the first 50' }),
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
    summary: 'All of them, and how they are',
    reply: T.Array(StudySource),
  }),
  put: put('/console-api/v1/study-sources/{code}', {
    ...operator,
    summary:
      'A source as it is to be; without a secret it keeps its own, while it goes to the same hosts',
    params,
    body: StudySourceFields,
    reply: StudySource,
  }),
  read: post('/console-api/v1/study-sources/{code}/read', {
    ...operator,
    summary: 'Reads it now; what went wrong stands in the answer',
    params,
    body: T.Object({
      force: T.Boolean({
        default: false,
        description: 'take away more than a fifth of what is there',
      }),
    }),
    reply: StudySource,
    errors: ['study.source_not_found'],
  }),
  remove: del('/console-api/v1/study-sources/{code}', {
    ...operator,
    summary: 'Reads it no more; what came from it stays',
    params,
    reply: T.Null(),
    errors: ['study.source_not_found'],
  }),
}
