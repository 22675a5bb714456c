import { type Permission, permissions } from '@atrium/contract/define'
import type { Member } from '#platform/http/guard.ts'

/** A permission somebody has: in the organisation of this code and all below it, or everywhere. */
export type Grant = { permission: Permission; code: string | null }

/** Grants as the two fields of a member. What somebody may do everywhere is not listed by part. */
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
 * Whether an operator may do this to what belongs to an organisation.
 * @param path codes from the root down to that organisation; null: it is of no organisation, which needs the whole
 */
export const mayOperate = (
  viewer: Operator,
  permission: Permission,
  path: readonly string[] | null,
): boolean =>
  viewer.permissions.includes(permission) ||
  (path !== null && (viewer.permissionsIn[permission] ?? []).some((code) => path.includes(code)))

/**
 * Whether an operator has all of these there. Nobody passes on, takes or rules more than they have; the running of the
 * installation counts as a whole only.
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

/** Codes of the organisations an operator may do this in, for a query; null: in all of them. */
export const operatedIn = (viewer: Operator, permission: Permission): readonly string[] | null =>
  viewer.permissions.includes(permission) ? null : (viewer.permissionsIn[permission] ?? [])

/** What an operator may do somewhere at least. */
export const permissionsAnywhere = (viewer: Operator) =>
  permissions.filter(
    (one) => viewer.permissions.includes(one) || viewer.permissionsIn[one] !== undefined,
  )

export const isOperator = (viewer: Operator) =>
  viewer.permissions.length > 0 || Object.keys(viewer.permissionsIn).length > 0
