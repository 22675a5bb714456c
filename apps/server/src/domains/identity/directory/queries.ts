import type { DirectorySettings } from '@atrium/contract/identity/directory'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

const columns = [
  'directory.id',
  'directory.code',
  'directory.sealed_password as sealedPassword',
  sql<DirectorySettings>`directory.settings`.as('settings'),
] as const

export type DirectoryRow = {
  id: string
  code: string
  sealedPassword: string | null
  settings: DirectorySettings
}

export const listDirectories = (db: Db): Promise<DirectoryRow[]> =>
  db.selectFrom('directory').select(columns).orderBy('code').execute()

export const findDirectory = (db: Db, by: { code: string } | { id: string }) =>
  db
    .selectFrom('directory')
    .select(columns)
    .where((where) => ('id' in by ? where('id', '=', by.id) : where('code', '=', by.code)))
    .executeTakeFirst()

/** @param sealedPassword undefined: unchanged */
export const saveDirectory = (
  db: Db,
  code: string,
  settings: DirectorySettings,
  sealedPassword: string | null | undefined,
) =>
  db
    .insertInto('directory')
    .values({ code, settings: JSON.stringify(settings), sealed_password: sealedPassword ?? null })
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet({
        settings: JSON.stringify(settings),
        updated_at: sql`now()`,
        ...(sealedPassword !== undefined && { sealed_password: sealedPassword }),
      }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()

export const deleteDirectory = (db: Db, id: string) =>
  db.deleteFrom('directory').where('id', '=', id).execute()

export const countEntries = async (db: Db, id: string): Promise<number> => {
  const { count } = await db
    .selectFrom('directory_entry')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('directory_id', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Query of the persons with accounts from a directory: somebody who controls the directory could sign in as any of
 * them.
 */
export const directoryPersons = (id: string) =>
  sql`select person_id from account join directory_entry entry on entry.account_id = account.id where entry.directory_id = ${id}`

/** Unlinks an account from the directory. @returns undefined if it was not linked */
export const deleteEntry = (db: Db, directoryId: string, username: string) =>
  db
    .deleteFrom('directory_entry')
    .using('account')
    .whereRef('account.id', '=', 'directory_entry.account_id')
    .where('directory_entry.directory_id', '=', directoryId)
    .where('account.username', '=', username.trim().toLowerCase())
    .returning('directory_entry.account_id as accountId')
    .executeTakeFirst()

/**
 * The directory that verifies an account's password, and the key of its entry. A password belongs to a person: if the
 * account itself has no entry, another account of the person decides. For an unknown name, always the same directory
 * and no key.
 */
export async function findPasswordDirectory(
  db: Db,
  {
    personId,
    accountId,
    name,
  }: { personId: string | null; accountId: string | null; name: string },
) {
  const { rows } = await sql<DirectoryRow & { externalKey: string | null }>`
    select d.id, d.code, d.settings, d.sealed_password as "sealedPassword", e.external_key as "externalKey"
    from directory d
    left join lateral (
      select entry.external_key, entry.account_id from directory_entry entry join account a on a.id = entry.account_id
      where entry.directory_id = d.id and a.person_id = ${personId}::bigint
      order by a.id = ${accountId}::bigint desc, a.id limit 1
    ) e on true
    where (d.settings ->> 'passwords')::boolean
    order by e.external_key is null, e.account_id is not distinct from ${accountId}::bigint desc, hashtext(d.code || ${name}::text)
    limit 1`.execute(db)
  return rows[0]
}

/** The directory that manages a person's password, if any. */
export async function findPasswordHome(db: Db, personId: string) {
  const row = await db
    .selectFrom('directory')
    .innerJoin('directory_entry', 'directory_entry.directory_id', 'directory.id')
    .innerJoin('account', 'account.id', 'directory_entry.account_id')
    .select(sql<DirectorySettings>`directory.settings`.as('settings'))
    .where('account.person_id', '=', personId)
    .where(sql<boolean>`(directory.settings ->> 'passwords')::boolean`)
    .orderBy('account.id')
    .executeTakeFirst()
  return (
    row && {
      name: row.settings.name,
      nameEn: row.settings.nameEn || row.settings.name,
      address: row.settings.passwordAddress,
    }
  )
}
