import {
  CursorPage,
  cursorQuery,
  del,
  get,
  Id,
  Nullable,
  OneOf,
  permissions,
  post,
  put,
  type Static,
  T,
  Time,
  Username,
  usernameMax,
} from '../define.ts'

const PermissionName = OneOf(permissions)

export const OperatorRole = T.Object(
  {
    id: Id,
    code: T.String(),
    name: T.String(),
    nameEn: T.String(),
    permissions: T.Array(PermissionName),
    builtIn: T.Boolean({ description: 'comes with the portal and stays as it is' }),
  },
  { $id: 'OperatorRole' },
)

const OrganizationName = T.Object(
  { code: T.String(), name: T.String(), nameEn: T.String() },
  { $id: 'OrganizationName' },
)

export const OperatorGrant = T.Object(
  {
    id: Id,
    accountId: Id,
    username: T.String(),
    name: T.String(),
    nameEn: T.String(),
    role: Nullable(T.String({ description: 'code of the role, where one was granted' })),
    permissions: T.Array(PermissionName),
    /** this organisation and all below it; null: no restriction */
    organization: Nullable(OrganizationName),
    grantedAt: Time,
  },
  { $id: 'OperatorGrant' },
)
export type OperatorGrant = Static<typeof OperatorGrant>

export const FoundMember = T.Object(
  {
    accountId: Id,
    username: T.String(),
    name: T.String(),
    nameEn: T.String(),
    identityTypeCode: T.String(),
    status: OneOf(['inactive', 'active', 'disabled']),
    organization: OrganizationName,
    mobile: T.String({ description: 'middle digits hidden' }),
    email: T.String({ description: 'partly hidden' }),
    lastSignInAt: Nullable(Time),
  },
  { $id: 'FoundMember' },
)

const roleFields = {
  name: T.String({ minLength: 1, maxLength: 50 }),
  nameEn: T.String({ maxLength: 50, default: '' }),
  permissions: T.Array(PermissionName, { minItems: 1, maxItems: permissions.length }),
}

export const roles = {
  list: get('/console-api/v1/roles', {
    summary: 'What operators can be: named sets of permissions',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    reply: T.Array(OperatorRole),
  }),
  create: post('/console-api/v1/roles', {
    summary: 'A role of your own, of permissions you have',
    access: 'operator',
    permission: 'system',
    body: T.Object({ code: T.String({ pattern: '^[a-z][a-z0-9-]{1,39}$' }), ...roleFields }),
    reply: OperatorRole,
    errors: ['operator.role_taken', 'operator.beyond_own'],
  }),
  update: put('/console-api/v1/roles/{id}', {
    summary: 'The role as it is to be; whoever has it may do the new set at once',
    access: 'operator',
    permission: 'system',
    params: T.Object({ id: Id }),
    body: T.Object(roleFields),
    reply: OperatorRole,
    errors: ['operator.role_not_found', 'operator.beyond_own', 'operator.last_system'],
  }),
  remove: del('/console-api/v1/roles/{id}', {
    summary: 'No such role any more; whoever had it has it no longer',
    access: 'operator',
    permission: 'system',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['operator.role_not_found', 'operator.beyond_own', 'operator.last_system'],
  }),
}

export const operators = {
  own: get('/portal-api/v1/operator/permissions', {
    summary: 'What the caller may do as an operator, of the whole institution or of parts of it',
    access: 'member',
    reply: T.Array(PermissionName),
  }),
  list: get('/console-api/v1/operators', {
    summary: 'Who may do what; an operator of a part sees the grants of that part',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    reply: T.Array(OperatorGrant),
  }),
  grant: post('/console-api/v1/operators', {
    summary: 'Give an account a role or a permission, of no more than you have yourself',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    body: T.Object({
      username: Username,
      role: T.Optional(T.String({ maxLength: 40, description: 'code of a role, or a permission' })),
      permission: T.Optional(PermissionName),
      organization: T.Optional(
        T.String({ maxLength: 100, description: 'code; left out: for everything' }),
      ),
    }),
    reply: OperatorGrant,
    errors: ['operator.account_not_found', 'operator.beyond_own', 'operator.granted_before'],
  }),
  revoke: del('/console-api/v1/operators/{id}', {
    summary: 'Take a grant away, at once on every node',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: [
      'operator.grant_not_found',
      'operator.beyond_own',
      'operator.member_may_more',
      'operator.last_system',
    ],
  }),
}

export const members = {
  find: get('/console-api/v1/members', {
    summary: 'Members by username or name, twenty at most',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    query: T.Object({ q: T.String({ minLength: 2, maxLength: 50 }) }),
    reply: T.Array(FoundMember),
  }),
}

export const AuditEntry = T.Object(
  {
    id: Id,
    happenedAt: Time,
    channel: OneOf(['api', 'cli', 'job']),
    operator: T.String({
      description: 'username, or the user of the machine on the command line',
    }),
    operatorName: T.String(),
    address: T.String(),
    requestId: T.String(),
    action: T.String(),
    details: T.Unknown({ description: 'parameters and body, without secrets' }),
    outcome: T.String({ description: 'ok, or the error' }),
    hash: T.String(),
  },
  { $id: 'AuditEntry' },
)

export const audit = {
  list: get('/console-api/v1/audit', {
    summary: 'What operators did, the newest first',
    access: 'operator',
    permission: 'system',
    query: T.Object({
      ...cursorQuery,
      operator: T.Optional(T.String({ maxLength: usernameMax, description: 'username' })),
      action: T.Optional(T.String({ maxLength: 100, description: 'a part of it' })),
      outcome: T.Optional(T.String({ maxLength: 50 })),
      from: T.Optional(Time),
      to: T.Optional(Time),
    }),
    reply: CursorPage(AuditEntry),
  }),
  verify: get('/console-api/v1/audit/verify', {
    summary: 'Whether nothing was changed, taken out or cut off, and where if so',
    access: 'operator',
    permission: 'system',
    reply: T.Object({
      intact: T.Boolean(),
      broken: Nullable(T.Object({ id: Id, reason: OneOf(['changed', 'missing', 'checkpoint']) })),
      entries: T.String(),
      head: Nullable(T.Object({ id: Id, hash: T.String() })),
      checkpoints: T.Integer(),
    }),
  }),
}
