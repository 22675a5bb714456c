import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

export const noCounts = { added: 0, changed: 0, unchanged: 0 }
/** Codes by key: an imported entry keeps its code, because audiences refer to it. */
export async function listImportedCodes(
  db: Db,
  kind: 'organization' | 'group',
  directoryId: string,
) {
  const { rows } = await (kind === 'organization'
    ? sql<{ key: string; code: string }>`
        select external_key as key, code from directory_organization join organization on organization.id = organization_id
        where directory_id = ${directoryId}`.execute(db)
    : sql<{ key: string; code: string }>`
        select external_key as key, code from directory_group join member_group on member_group.id = group_id
        where directory_id = ${directoryId}`.execute(db))
  return new Map(rows.map(({ key, code }) => [key, code]))
}

/** Directory codes by the organisation or group codes they own. */
export async function listCodeOwners(db: Db, kind: 'organization' | 'group') {
  const { rows } = await (kind === 'organization'
    ? sql<{ code: string; of: string }>`
        select organization.code, directory.code as of from directory_organization
        join organization on organization.id = organization_id join directory on directory.id = directory_id`.execute(
        db,
      )
    : sql<{ code: string; of: string }>`
        select member_group.code, directory.code as of from directory_group
        join member_group on member_group.id = group_id join directory on directory.id = directory_id`.execute(
        db,
      ))
  return new Map(rows.map(({ code, of }) => [code, of]))
}
