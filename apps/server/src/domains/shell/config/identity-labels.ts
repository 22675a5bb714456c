import type { Db } from '#platform/database/db.ts'

/** What tabs may be named by, beside the codes: the label of each identity type that has one. */
export async function readIdentityLabels(db: Db): Promise<Record<string, string>> {
  const rows = await db.selectFrom('identity_type').select(['code', 'label']).execute()
  return Object.fromEntries(rows.flatMap(({ code, label }) => (label ? [[code, label]] : [])))
}
