import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { mayOperate, permissionsAnywhere } from '#platform/permissions.ts'

/**
 * The operator as one of this department alone: what they may do there and below it, and nothing elsewhere.
 * @param code of an organisation; nothing: the operator as they are
 * @throws workbench.department_not_found where they look after nothing there
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
