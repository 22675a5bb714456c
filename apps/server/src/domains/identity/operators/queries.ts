import type { Permission } from '@atrium/contract/define'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'

// ---- roles ----

const roleColumns = ['id', 'code', 'name', 'name_en as nameEn', 'built_in as builtIn'] as const
const permissionList = sql<Permission[]>`permissions`.as('permissions')

export const listRoles = (db: Db) =>
  db.selectFrom('operator_role').select(roleColumns).select(permissionList).orderBy('id').execute()

/** Finds a role and locks it until the transaction ends, so that its permissions cannot change concurrently. */
export const findRole = (db: Db, by: { id: string } | { code: string }) =>
  db
    .selectFrom('operator_role')
    .select(roleColumns)
    .select(permissionList)
    .where((where) => ('id' in by ? where('id', '=', by.id) : where('code', '=', by.code)))
    .forUpdate()
    .executeTakeFirst()

type RoleFields = { name: string; nameEn: string; permissions: readonly Permission[] }

const roleValues = ({ name, nameEn, permissions }: RoleFields) => ({
  name,
  name_en: nameEn,
  permissions: [...new Set(permissions)] as string[],
})

/** @returns undefined if the code is taken */
export const insertRole = (db: Db, role: RoleFields & { code: string }) =>
  db
    .insertInto('operator_role')
    .values({ code: role.code, ...roleValues(role) })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning(roleColumns)
    .returning(permissionList)
    .executeTakeFirst()

export const updateRole = (db: Db, id: string, role: RoleFields) =>
  db
    .updateTable('operator_role')
    .set(roleValues(role))
    .where('id', '=', id)
    .returning(roleColumns)
    .returning(permissionList)
    .executeTakeFirstOrThrow()

export const deleteRole = (db: Db, id: string) =>
  db.deleteFrom('operator_role').where('id', '=', id).execute()

/** Makes every node reload the permissions of a role's holders. */
export async function announceRoleChange(db: Db, roleId: string) {
  const rows = await db
    .selectFrom('operator_grant')
    .select('account_id')
    .distinct()
    .where('role_id', '=', roleId)
    .execute()
  for (const { account_id } of rows) await announce(db, { kind: 'account', key: account_id })
}

// ---- grants ----

/** Grants with account and place. `path`: the organisation's; null for everywhere. */
export const listGrants = (db: Db, by: { id?: string } = {}) =>
  db
    .selectFrom('operator_grant')
    .innerJoin('account', 'account.id', 'operator_grant.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .leftJoin('operator_role', 'operator_role.id', 'operator_grant.role_id')
    .leftJoin('organization', 'organization.id', 'operator_grant.organization_id')
    .select([
      'operator_grant.id',
      'account.id as accountId',
      'person.id as personId',
      'account.username',
      'person.name',
      'person.name_en as nameEn',
      'operator_role.code as role',
      'organization.code as organizationCode',
      'organization.name as organizationName',
      'organization.name_en as organizationNameEn',
      'organization.path',
      'operator_grant.granted_at as grantedAt',
      sql<Permission[]>`coalesce(operator_role.permissions, array[operator_grant.permission])`.as(
        'permissions',
      ),
    ])
    .$if(by.id !== undefined, (query) => query.where('operator_grant.id', '=', by.id as string))
    .orderBy('account.username')
    .orderBy('operator_grant.id')
    .execute()

type NewGrant = {
  accountId: string
  what: { permission: Permission } | { roleId: string }
  organizationId?: string | null
}

/** Inserts a grant and notifies all nodes. @returns its id; undefined if the account already had it */
export async function insertGrant(db: Db, { accountId, what, organizationId = null }: NewGrant) {
  const added = await db
    .insertInto('operator_grant')
    .values({
      account_id: accountId,
      permission: 'permission' in what ? what.permission : null,
      role_id: 'roleId' in what ? what.roleId : null,
      organization_id: organizationId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  await announce(db, { kind: 'account', key: accountId })
  return added?.id
}

/** Grants permissions to an account and notifies all nodes. Returns those it did not have before. */
export async function insertGrants(
  db: Db,
  accountId: string,
  granted: readonly Permission[],
  organizationId: string | null = null,
): Promise<Permission[]> {
  const added: Permission[] = []
  for (const permission of granted)
    if (await insertGrant(db, { accountId, what: { permission }, organizationId }))
      added.push(permission)
  return added
}

/** Revokes permissions from an account in all places and notifies all nodes. Returns those it had. */
export async function deleteGrants(
  db: Db,
  accountId: string,
  revoked: readonly Permission[],
): Promise<Permission[]> {
  const deleted = await db
    .deleteFrom('operator_grant')
    .where('account_id', '=', accountId)
    .where('permission', '=', sql<string>`any(${revoked as string[]}::text[])`)
    .returning('permission')
    .execute()
  await announce(db, { kind: 'account', key: accountId })
  return [...new Set(deleted.map(({ permission }) => permission as Permission))]
}

/** @returns the codes of the revoked roles */
export async function deleteRoleGrants(db: Db, accountId: string): Promise<string[]> {
  const deleted = await db
    .deleteFrom('operator_grant')
    .using('operator_role')
    .whereRef('operator_role.id', '=', 'operator_grant.role_id')
    .where('operator_grant.account_id', '=', accountId)
    .returning('operator_role.code')
    .execute()
  await announce(db, { kind: 'account', key: accountId })
  return [...new Set(deleted.map(({ code }) => code))]
}

export async function deleteGrant(db: Db, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('operator_grant')
    .where('id', '=', id)
    .returning('account_id')
    .executeTakeFirst()
  if (deleted) await announce(db, { kind: 'account', key: deleted.account_id })
  return deleted !== undefined
}

/** Serialises permission changes, so that two concurrent ones cannot remove the last two system operators. */
export const lockGrants = (db: Db) => sql`select pg_advisory_xact_lock(7301, 20)`.execute(db)

/** Whether an active account has the `system` permission everywhere. */
export async function hasSystemOperator(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('operator_permission')
    .innerJoin('account', 'account.id', 'operator_permission.account_id')
    .select('account.id')
    .where('operator_permission.permission', '=', 'system')
    .where('operator_permission.organization_id', 'is', null)
    .where('account.status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export const findOrganization = (db: Db, code: string) =>
  db.selectFrom('organization').select(['id', 'path']).where('code', '=', code).executeTakeFirst()

// ---- members ----

/** LIKE pattern for a prefix, with wildcards escaped. */
const prefix = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** @param within organisation codes; null: everywhere */
export function listMembers(db: Db, words: string, within: readonly string[] | null) {
  const lower = words.toLowerCase()
  return db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'account.id as accountId',
      'account.username',
      'account.status',
      'account.identity_type_code as identityTypeCode',
      'person.name',
      'person.name_en as nameEn',
      'person.mobile',
      'person.email',
      'organization.code as organizationCode',
      'organization.name as organizationName',
      'organization.name_en as organizationNameEn',
    ])
    .select((query) =>
      query
        .selectFrom('session')
        .whereRef('session.account_id', '=', 'account.id')
        .select((max) => max.fn.max('session.created_at').as('at'))
        .as('lastSignInAt'),
    )
    .where((where) =>
      where.or([
        where('account.username', 'like', prefix(lower)),
        where('person.name', 'like', prefix(words)),
        where(sql<string>`lower(person.name_en)`, 'like', prefix(lower)),
      ]),
    )
    .$if(within !== null, (query) =>
      query.where(sql<boolean>`organization.path && ${within as string[]}::text[]`),
    )
    .orderBy('account.username')
    .limit(20)
    .execute()
}

// ---- audit log ----

type AuditFilter = {
  operator?: string
  action?: string
  outcome?: string
  from?: string
  to?: string
}

export const listAudit = (
  db: Db,
  { operator, action, outcome, from, to }: AuditFilter,
  before: string | undefined,
  limit: number,
) =>
  db
    .selectFrom('audit_entry')
    .select([
      'id',
      'happened_at as happenedAt',
      'channel',
      'operator',
      'operator_name as operatorName',
      'address',
      'request_id as requestId',
      'action',
      'details',
      'outcome',
      'hash',
    ])
    .$if(before !== undefined, (query) => query.where('id', '<', before as string))
    .$if(operator !== undefined, (query) =>
      query.where('operator', '=', (operator as string).toLowerCase()),
    )
    .$if(action !== undefined, (query) =>
      query.where(sql<boolean>`strpos(action, ${action as string}) > 0`),
    )
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome as string))
    .$if(from !== undefined, (query) => query.where('happened_at', '>=', from as string))
    .$if(to !== undefined, (query) => query.where('happened_at', '<', to as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
