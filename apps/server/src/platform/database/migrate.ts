import { promises as fs } from 'node:fs'
import path from 'node:path'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { StartError } from '#platform/environment.ts'
import type { Database, Db } from './db.ts'

const folder = path.join(import.meta.dirname, '../../../migrations')

/**
 * Applies all missing migrations in one transaction; a second node starting concurrently waits.
 * @returns the names of the applied migrations
 * @throws StartError if a migration fails or the database was made by a newer Atrium
 */
export async function migrate(db: Database): Promise<string[]> {
  await assertNotNewer(db)
  const { error, results = [] } = await migrator(db).migrateToLatest()
  if (error) {
    const failed = results.find((result) => result.status === 'Error')?.migrationName
    throw new StartError(
      `The database could not be migrated${failed ? ` (${failed})` : ''}: ${(error as Error).message}. Nothing was changed.`,
      { cause: error },
    )
  }
  return results
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName)
}

/** Migrates to this migration, or to the newest, within the caller's transaction. */
export async function migrateWithin(transaction: Db, name?: string): Promise<void> {
  const { error } = name
    ? await migrator(transaction).migrateTo(name)
    : await migrator(transaction).migrateToLatest()
  if (error) throw error
}

/** Names of migrations not yet applied to the database. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const all = await migrator(db).getMigrations()
  return all.filter((migration) => !migration.executedAt).map((migration) => migration.name)
}

async function assertNotNewer(db: Database) {
  const known = new Set(await knownMigrations())
  const unknown = (await appliedMigrations(db)).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new StartError(
      `This database was made by a newer Atrium (${unknown[0]} is unknown here). Start that version, or restore a backup made before it.`,
    )
  }
}

/** Names of the applied migrations, oldest first; the last name is the schema version. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const rows = await db
    .selectFrom('kysely_migration' as never)
    .select('name' as never)
    .orderBy('name' as never)
    .execute()
  return (rows as unknown as { name: string }[]).map((row) => row.name)
}

export const knownMigrations = async () =>
  (await fs.readdir(folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
    .sort()

const migrator = (db: Db) =>
  new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder: folder }) })
