import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { mayOperate, permissionsAnywhere } from '#platform/permissions.ts'

/**
 * Restricts an operator to one department: their permissions there and below it, none elsewhere.
 * @param code of an organisation; undefined returns the operator unchanged
 * @throws workbench.department_not_found if they have no permission there
 */
export async function inDepartment(
  db: Db,
  viewer: Member,
  code: string | undefined,
): Promise<Member> {
  if (code === undefined) return viewer
  const place = await db
    .selectFrom('organization')
    .select('path')
    .where('code', '=', code)
    .executeTakeFirst()
  const own = place
    ? permissionsAnywhere(viewer).filter((permission) => mayOperate(viewer, permission, place.path))
    : []
  if (own.length === 0) fail('workbench.department_not_found')
  return {
    ...viewer,
    permissions: [],
    permissionsIn: Object.fromEntries(own.map((permission) => [permission, [code]])),
  }
}
