import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Counts, Import } from './import.ts'

// ---- writing ----

export type Cell = string | number | boolean | null | readonly string[]

/** Writes rows into a table with COPY, the fastest way. @returns the number of rows */
export async function copyInto(
  client: PoolClient,
  table: string,
  columns: readonly string[],
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
) {
  async function* chunks() {
    let text = ''
    for await (const row of rows) {
      text += `${row.map(copyText).join('\t')}\n`
      if (text.length > 64 * 1024) {
        yield text
        text = ''
      }
    }
    if (text) yield text
  }
  const stream = client.query(
    copyFrom(
      `copy ${table} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')}) from stdin`,
    ),
  )
  await pipeline(Readable.from(chunks(), { objectMode: true }), stream)
  return stream.rowCount
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
function copyText(cell: Cell): string {
  if (cell === null) return '\\N'
  const text =
    typeof cell === 'object'
      ? `{${cell.map((part) => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
      : String(cell)
  return text.replaceAll(/[\\\n\r\t]/g, (character) => escapes[character] ?? character)
}

/**
 * Inserts rows with new keys and updates those that differ in one of these columns.
 * @param target `columns`: including the key, without those missing in the file; `also`: set on every update
 * @returns the written rows by id, and the counts
 */
export async function upsertRows<R>(
  { db, client }: Pick<Import, 'db' | 'client'>,
  target: {
    table: string
    key: readonly string[]
    columns: readonly string[]
    id?: string
    also?: RawBuilder<unknown>
  },
  rows: readonly R[],
  values: (row: R) => readonly Cell[],
): Promise<Counts & { ids: { id: string; added: boolean }[] }> {
  const { table, key, columns, id = 'id', also } = target
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  const staged = `staged_${table}`
  await sql`create temp table ${sql.table(staged)} on commit drop as select ${list(columns)} from ${sql.table(table)} limit 0`.execute(
    db,
  )
  await copyInto(client, staged, columns, rows.map(values))
  const changing = columns.filter((column) => !key.includes(column))
  const stored = sql.join(changing.map((column) => sql.ref(`${table}.${column}`)))
  const wanted = sql.join(changing.map((column) => sql.ref(`excluded.${column}`)))
  const assignments = sql.join(
    changing.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`),
  )
  const { rows: written } = await sql<{ id: string; added: boolean }>`
    insert into ${sql.table(table)} (${list(columns)}) select ${list(columns)} from ${sql.table(staged)}
    on conflict (${list(key)}) do update set ${assignments}${also ?? sql``}
    where (${stored}) is distinct from (${wanted})
    returning ${sql.ref(`${table}.${id}`)} as id, ${sql.raw(`${table}.xmax = 0`)} as added`.execute(
    db,
  )
  await sql`drop table ${sql.table(staged)}`.execute(db)
  const added = written.filter((row) => row.added).length
  return {
    added,
    changed: written.length - added,
    unchanged: rows.length - written.length,
    ids: written,
  }
}
