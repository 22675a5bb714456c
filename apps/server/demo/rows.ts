import { sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import type { Db } from '../src/platform/database/db.ts'

/** A row by column name; omitted columns get their defaults. */
export type Row = Record<string, unknown>

/** Inserts any number of rows in one statement: PostgreSQL reads them from JSON, using the table's column types. */
export async function insert(db: Db, table: string, rows: Row[]) {
  const [first] = rows
  if (!first) return
  const names = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  await sql`
    insert into ${sql.table(table)} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  )
  if ('id' in first) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${rows.length})`.execute(db)
  }
}

export async function idsBy(db: Db, table: 'account' | 'organization', key: 'username' | 'code') {
  const { rows } = await sql<{ key: string; id: string }>`
    select ${sql.ref(key)} as key, id from ${sql.table(table)}`.execute(db)
  return new Map(rows.map((row) => [row.key, row.id]))
}

export type Ids = Map<string, string>

/** Returns audience ids, looking up each set of rules once. */
export function audiences(
  db: Db,
): (rules: { effect: string; kind: string; target?: string }[]) => Promise<number> {
  const known = new Map<string, Promise<number>>()
  return (rules) => {
    const key = JSON.stringify(rules)
    const id = known.get(key) ?? audienceFor(db, rules as Rule[])
    known.set(key, id)
    return id
  }
}

/** Rows with ids from 1, in the order of the list. */
export const numbered = <T, R extends Row>(list: readonly T[], row: (item: T, id: number) => R) =>
  list.map((item, at) => ({ id: at + 1, ...row(item, at + 1) }))
