import type { Permission } from '@atrium/contract/define'
import type { Member } from '#platform/guard.ts'
import { mayOperate } from '#platform/permissions.ts'

/**
 * Whether an operator may give or take these, there: nobody passes on more than they have, and the running of the
 * installation is passed on whole only, by who has it.
 * @param path of the organisation; null: everywhere
 */
export const mayPassOn = (
  viewer: Pick<Member, 'permissions' | 'permissionsIn'>,
  passed: readonly Permission[],
  path: readonly string[] | null,
): boolean =>
  passed.every(
    (permission) =>
      mayOperate(viewer, permission, path) && (permission !== 'system' || path === null),
  )
