import type { Db } from '#platform/database/db.ts'

/** Labels of identity types by code; tabs can refer to either. */
export async function readIdentityLabels(db: Db): Promise<Record<string, string>> {
  const rows = await db.selectFrom('identity_type').select(['code', 'label']).execute()
  return Object.fromEntries(rows.flatMap(({ code, label }) => (label ? [[code, label]] : [])))
}
