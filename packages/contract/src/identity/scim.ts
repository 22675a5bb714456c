import { del, get, Id, Nullable, OneOf, post, put, type Static, T, Time } from '../define.ts'

const settings = {
  identities: T.Record(T.String({ maxLength: 100 }), T.String({ maxLength: 64 }), {
    default: {},
    description: 'maps values of userType to codes of identity types',
  }),
  identityElse: T.String({
    minLength: 1,
    maxLength: 64,
    description: 'code of the identity type for all other values',
  }),
  organizationElse: T.String({
    minLength: 1,
    maxLength: 64,
    description:
      'code of the organisation to use if neither department nor organization matches a known one',
  }),
  takeOver: OneOf(['nobody', 'members'], { default: 'nobody' }),
}
export const ScimSettings = T.Object(settings, { $id: 'ScimSettings' })
export type ScimSettings = Static<typeof ScimSettings>

export const ScimClient = T.Object(
  {
    id: Id,
    name: T.String(),
    settings: ScimSettings,
    hasToken: T.Boolean(),
    tokenMadeAt: Nullable(Time),
    lastUsedAt: Nullable(Time),
    users: T.Integer(),
    groups: T.Integer(),
  },
  { $id: 'ScimClient' },
)

const body = T.Object({
  name: T.String({ minLength: 1, maxLength: 100 }),
  settings: T.Object(settings),
})
const params = T.Object({ id: Id })
const operator = { access: 'operator', permission: 'identity' } as const

/** Systems that push people by SCIM 2.0 to /scim/v2, for operators. */
export const scimClients = {
  list: get('/console-api/v1/scim-clients', {
    summary: 'List the systems that push people and groups to /scim/v2',
    ...operator,
    reply: T.Array(ScimClient),
  }),
  create: post('/console-api/v1/scim-clients', {
    summary: 'Register a system that pushes people and groups; its token is created by makeToken',
    ...operator,
    body,
    reply: ScimClient,
  }),
  update: put('/console-api/v1/scim-clients/{id}', {
    summary: 'Update a system',
    ...operator,
    params,
    body,
    reply: ScimClient,
    errors: ['scim.client_not_found', 'operator.member_may_more'],
  }),
  remove: del('/console-api/v1/scim-clients/{id}', {
    summary: 'Delete a system; the people it pushed stay',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['scim.client_not_found', 'operator.member_may_more'],
  }),
  makeToken: post('/console-api/v1/scim-clients/{id}/token', {
    summary: 'Create a new token, returned only once; the previous one becomes invalid',
    ...operator,
    params,
    reply: T.Object({ token: T.String() }),
    errors: ['scim.client_not_found', 'operator.member_may_more'],
  }),
  revokeToken: del('/console-api/v1/scim-clients/{id}/token', {
    summary: 'Revoke the token',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['scim.client_not_found'],
  }),
}
