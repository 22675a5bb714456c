import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

const batchSize = 2000

/** Inserts rows into a temporary table by column name, holding at most one batch in memory. */
export async function stageRows(
  db: Db,
  table: string,
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
) {
  let buffer: Readonly<Record<string, unknown>>[] = []
  const write = async () => {
    const list = buffer
    buffer = []
    if (list.length > 0)
      await sql`
        insert into ${sql.table(table)} select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(list)}::json)`.execute(
        db,
      )
  }
  for await (const row of rows) {
    buffer.push(row)
    if (buffer.length >= batchSize) await write()
  }
  await write()
  await sql`analyze ${sql.table(table)}`.execute(db)
}
