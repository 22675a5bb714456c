import { type Permission, permissions } from '@atrium/contract/define'
import type { Member } from '#platform/http/guard.ts'

/** A permission for an organisation and everything below it; `code: null` means everywhere. */
export type Grant = { permission: Permission; code: string | null }

/** Converts grants to the two fields of a member. `permissionsIn` omits permissions that apply everywhere. */
export function permissionsOf(
  grants: readonly Grant[],
): Pick<Member, 'permissions' | 'permissionsIn'> {
  const permissions = [
    ...new Set(grants.filter(({ code }) => code === null).map(({ permission }) => permission)),
  ]
  const permissionsIn: Partial<Record<Permission, string[]>> = {}
  for (const { permission, code } of grants)
    if (code !== null && !permissions.includes(permission)) {
      permissionsIn[permission] ??= []
      permissionsIn[permission].push(code)
    }
  return { permissions, permissionsIn }
}

type Operator = Pick<Member, 'permissions' | 'permissionsIn'>

/**
 * Whether an operator has a permission for something that belongs to an organisation.
 * @param path codes from the root down to that organisation; null: it belongs to none, which requires the permission
 * everywhere
 */
export const mayOperate = (
  viewer: Operator,
  permission: Permission,
  path: readonly string[] | null,
): boolean =>
  viewer.permissions.includes(permission) ||
  (path !== null && (viewer.permissionsIn[permission] ?? []).some((code) => path.includes(code)))

/**
 * Whether an operator has all of these permissions there. Nobody can grant, revoke or manage more than they have;
 * `system` exists only for the whole installation.
 * @param path of the organisation; null: everywhere
 */
export const hasAll = (
  viewer: Operator,
  permissions: readonly Permission[],
  path: readonly string[] | null,
): boolean =>
  permissions.every(
    (permission) =>
      mayOperate(viewer, permission, path) && (permission !== 'system' || path === null),
  )

/** Codes of the organisations for which an operator has a permission, for a query; null means all. */
export const operatedIn = (viewer: Operator, permission: Permission): readonly string[] | null =>
  viewer.permissions.includes(permission) ? null : (viewer.permissionsIn[permission] ?? [])

/** Permissions an operator has in at least one organisation. */
export const permissionsAnywhere = (viewer: Operator) =>
  permissions.filter(
    (one) => viewer.permissions.includes(one) || viewer.permissionsIn[one] !== undefined,
  )

export const isOperator = (viewer: Operator) =>
  viewer.permissions.length > 0 || Object.keys(viewer.permissionsIn).length > 0
