import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

const filesWithOwners = (db: Db) =>
  db
    .selectFrom('file')
    .leftJoin('file_owner', 'file_owner.file_id', 'file.id')
    .select([
      'file.id',
      'file.sha256',
      'file.media_type',
      'file.byte_size',
      'file.is_public',
      'file.name',
      'file.scanned',
      'file.created_at',
      'file_owner.account_id as owner_account_id',
    ])

export const findFile = (db: Db, id: string) =>
  filesWithOwners(db).where('file.id', '=', id).executeTakeFirst()
export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>

export const listOwnFiles = (
  db: Db,
  accountId: string,
  before: string | undefined,
  limit: number,
) =>
  filesWithOwners(db)
    .where('file_owner.account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('file_owner.file_id', '<', before as string))
    .orderBy('file_owner.file_id', 'desc')
    .limit(limit)
    .execute()

type Reference = { table: string; column: string }

/** Columns that reference files, except those whose rows are deleted with the file. */
export async function listReferences(db: Db): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select c.relname as table, a.attname as column
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = 'file'::regclass and k.confdeltype <> 'c' and not c.relispartition`.execute(
    db,
  )
  return rows
}

/** Whether a row references the file. Mentions in texts are found by the nightly job. */
export async function isReferenced(db: Db, id: string): Promise<boolean> {
  for (const { table, column } of await listReferences(db)) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id} limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}

/**
 * Removes the file from the member's list and quota immediately; the nightly job deletes it, unless a text names it.
 */
export async function disownFile(db: Db, id: string) {
  await db.deleteFrom('file_owner').where('file_id', '=', id).execute()
  await db.updateTable('file').set({ used_at: sql`to_timestamp(0)` }).where('id', '=', id).execute()
}

/** Logs and our own file tables: naming a file there does not keep it. */
const ignoredTables = /^(user_event|audit_|authentication_log|topic_|file$|file_|kysely_)/

/**
 * Ids of files whose address occurs in any text: an article, a setting, a slide, a favourite. All text columns are
 * scanned, so new tables are covered automatically.
 */
export async function listMentioned(db: Db): Promise<Set<string>> {
  const { rows: texts } = await sql<Reference>`
    select c.relname as table, a.attname as column
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid::regtype::text in ('text', 'character varying', 'jsonb', 'json', 'text[]')`.execute(
    db,
  )
  const ids = new Set<string>()
  for (const { table, column } of texts) {
    if (ignoredTables.test(table)) continue
    const { rows } = await sql<{ id: string }>`
      select distinct found.id[1] as id
      from ${sql.table(table)} t, regexp_matches(t.${sql.ref(column)}::text, '/files/([0-9]{1,18})', 'g') as found(id)
      where t.${sql.ref(column)}::text like '%/files/%'`.execute(db)
    for (const { id } of rows) ids.add(id)
  }
  return ids
}
