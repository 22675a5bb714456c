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
    builtIn: T.Boolean({ description: 'predefined; cannot be changed' }),
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
    role: Nullable(
      T.String({ description: 'code of the granted role; null: a single permission' }),
    ),
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
    mobile: T.String({ description: 'middle digits masked' }),
    email: T.String({ description: 'partly masked' }),
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
    summary: 'List the operator roles: named sets of permissions',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    reply: T.Array(OperatorRole),
  }),
  create: post('/console-api/v1/roles', {
    summary: 'Create a role from permissions the caller has',
    access: 'operator',
    permission: 'system',
    body: T.Object({ code: T.String({ pattern: '^[a-z][a-z0-9-]{1,39}$' }), ...roleFields }),
    reply: OperatorRole,
    errors: ['operator.role_taken', 'operator.beyond_own'],
  }),
  update: put('/console-api/v1/roles/{id}', {
    summary: 'Update a role; its holders get the new permissions immediately',
    access: 'operator',
    permission: 'system',
    params: T.Object({ id: Id }),
    body: T.Object(roleFields),
    reply: OperatorRole,
    errors: ['operator.role_not_found', 'operator.beyond_own', 'operator.last_system'],
  }),
  remove: del('/console-api/v1/roles/{id}', {
    summary: 'Delete a role and all grants of it',
    access: 'operator',
    permission: 'system',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['operator.role_not_found', 'operator.beyond_own', 'operator.last_system'],
  }),
}

export const operators = {
  own: get('/portal-api/v1/operator/permissions', {
    summary: "List the caller's operator permissions, for the whole institution or parts of it",
    access: 'member',
    reply: T.Array(PermissionName),
  }),
  list: get('/console-api/v1/operators', {
    summary: 'List operator grants; department operators see those of their own departments',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    reply: T.Array(OperatorGrant),
  }),
  grant: post('/console-api/v1/operators', {
    summary: 'Grant a role or a permission that the caller has to an account',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    body: T.Object({
      username: Username,
      role: T.Optional(
        T.String({
          maxLength: 40,
          description: 'code of a role; give either `role` or `permission`',
        }),
      ),
      permission: T.Optional(PermissionName),
      organization: T.Optional(
        T.String({
          maxLength: 100,
          description: 'code of an organisation; absent: the whole institution',
        }),
      ),
    }),
    reply: OperatorGrant,
    errors: ['operator.account_not_found', 'operator.beyond_own', 'operator.granted_before'],
  }),
  revoke: del('/console-api/v1/operators/{id}', {
    summary: 'Revoke a grant, effective immediately on every node',
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
    summary: 'Find members by username or name; at most 20',
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
      description: 'username; on the command line, the user of the operating system',
    }),
    operatorName: T.String(),
    address: T.String(),
    requestId: T.String(),
    action: T.String(),
    details: T.Unknown({ description: 'parameters and body, without secrets' }),
    outcome: T.String({ description: '`ok`, or the error code' }),
    hash: T.String(),
  },
  { $id: 'AuditEntry' },
)

export const audit = {
  list: get('/console-api/v1/audit', {
    summary: 'List the actions of operators, newest first',
    access: 'operator',
    permission: 'system',
    query: T.Object({
      ...cursorQuery,
      operator: T.Optional(T.String({ maxLength: usernameMax, description: 'username' })),
      action: T.Optional(T.String({ maxLength: 100, description: 'part of the action name' })),
      outcome: T.Optional(T.String({ maxLength: 50 })),
      from: T.Optional(Time),
      to: T.Optional(Time),
    }),
    reply: CursorPage(AuditEntry),
  }),
  verify: get('/console-api/v1/audit/verify', {
    summary: 'Verify that the audit log is complete and unchanged, and where it is not',
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
