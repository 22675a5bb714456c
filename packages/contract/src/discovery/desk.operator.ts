import { del, get, Id, Nullable, post, put, type Static, T, Username } from '../define.ts'
import { AudienceRule } from '../shell/launch.operator.ts'

const revision = T.Integer({ minimum: 1, maximum: 1_000_000_000 })
const fields = {
  name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 60, default: '' }),
  organization: T.Union([T.String({ minLength: 1, maxLength: 100 }), T.Null()], { default: null }),
  audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
  hours: T.String({
    maxLength: 200,
    default: '',
    description: 'such as Mo-Fr 08:30-17:00; empty: always open',
  }),
  online: T.Boolean({ default: true }),
  position: T.Integer({ minimum: 0, maximum: 9999, default: 0 }),
  agents: T.Array(Username, { maxItems: 100, description: 'usernames of the agents' }),
}

export const ManagedDesk = T.Object(
  {
    id: Id,
    revision,
    name: T.String(),
    nameEn: T.String(),
    organization: Nullable(
      T.String({ description: 'code of the department it belongs to; null: the institution' }),
    ),
    audience: T.Array(AudienceRule),
    hours: T.String(),
    online: T.Boolean(),
    position: T.Integer(),
    agents: T.Array(T.String()),
    waiting: T.Integer(),
    rated: T.Integer({ description: 'number of ratings in the last 90 days' }),
    score: Nullable(T.Number({ description: 'average rating, 1 to 5' })),
  },
  { $id: 'ManagedDesk' },
)
export type ManagedDesk = Static<typeof ManagedDesk>

const params = T.Object({ id: Id })
const operator = { access: 'operator', permission: 'messages', delegated: true } as const

export const deskConsole = {
  list: get('/console-api/v1/desks', {
    ...operator,
    summary: 'List the service desks the caller manages',
    reply: T.Array(ManagedDesk),
  }),
  create: post('/console-api/v1/desks', {
    ...operator,
    summary: 'Create a service desk',
    body: T.Object(fields),
    reply: ManagedDesk,
  }),
  update: put('/console-api/v1/desks/{id}', {
    ...operator,
    summary: 'Update a service desk',
    params,
    body: T.Object({ revision, ...fields }),
    reply: ManagedDesk,
    errors: ['desk.not_found', 'desk.changed_meanwhile'],
  }),
  remove: del('/console-api/v1/desks/{id}', {
    ...operator,
    summary: 'Delete a service desk; one with open dialogs fails with desk.in_use',
    params,
    reply: T.Null(),
    errors: ['desk.not_found', 'desk.in_use'],
  }),
}
