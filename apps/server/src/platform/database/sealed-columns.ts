import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Every value sealed with the secret, from all columns named sealed_…. */
export async function listSealed(
  db: Db,
): Promise<{ table: string; column: string; sealed: string }[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and column_name like 'sealed\\_%'`.execute(db)
  const found: { table: string; column: string; sealed: string }[] = []
  for (const { table, column } of columns) {
    const { rows } = await sql<{
      sealed: string
    }>`select distinct ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      db,
    )
    found.push(...rows.map(({ sealed }) => ({ table, column, sealed })))
  }
  return found
}
