import { createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartError } from '#platform/environment.ts'
import { sizeOf } from '#platform/ingest/text-file.ts'
import { openSecret, secretFile } from '#platform/secret.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { explainBackupError } from './backup-error.ts'
import {
  checkBackup,
  type FileHead,
  type Frame,
  type Manifest,
  readFrames,
  type TableHead,
} from './backup-format.ts'
import type { Db } from './db.ts'
import { appliedMigrations, migrateWithin } from './migrate.ts'
import { withOwnTransaction } from './own-transaction.ts'
import { listSealed } from './sealed-columns.ts'
import {
  type BackupProgress,
  fixFormats,
  listTables,
  quoted,
  unmanagedTables,
} from './write-backup.ts'

export type RestoreTarget = {
  url: string
  dataDir: string
  storage: Storage
  secret: string | undefined
}

/**
 * Replaces this installation's content with the backup and migrates it, all or nothing.
 * @throws StartError
 */
export async function restoreBackup(
  target: RestoreTarget,
  file: string,
  settings: { replace?: boolean; onProgress?: (progress: BackupProgress) => void } = {},
): Promise<Manifest> {
  const manifest = await checkBackup(file)
  try {
    await withOwnTransaction(target.url, async ({ db, client }) => {
      await fixFormats(client)
      await assertFree(db, settings.replace ?? false)
      await dropEverything(db)
      await migrateWithin(db, manifest.schema.at(-1))
      await load(db, client, target, file, manifest, settings.onProgress)
      await migrateWithin(db)
      await sql`analyze`.execute(db)
    })
  } catch (error) {
    throw explainBackupError(error, file)
  }
  return manifest
}

async function assertFree(db: Db, replace: boolean) {
  const { rows } = await sql<{ encoding: string; others: number }>`
    select current_setting('server_encoding') as encoding,
           (select count(*)::integer from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and application_name like 'atrium%') as others`.execute(
    db,
  )
  if (rows[0]?.encoding !== 'UTF8')
    throw new StartError(
      `The database has the encoding ${rows[0]?.encoding}; Atrium needs UTF8. Create it with: create database … encoding 'UTF8' template template0`,
    )
  if ((rows[0]?.others ?? 0) > 0)
    throw new StartError('An Atrium server is using this database. Stop every node, then restore.')
  if (replace) return
  const ours = (await appliedMigrations(db)).length > 0
  const tables = ours ? await listTables(db) : []
  for (const table of tables) {
    // Tables that a first start fills by itself.
    if (['installation', 'signing_key', 'openid_rsa_key', 'topic_version'].includes(table)) continue
    const { rows: found } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (found.length > 0)
      throw new StartError(
        `The database is not empty (${table} has rows). Restore into an empty one, or delete its content with --replace.`,
      )
  }
  const { rows: foreign } = await sql<{
    name: string
  }>`select relname as name from pg_class
       where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`.execute(
    db,
  )
  const stranger = foreign.find(
    ({ name }) => !tables.includes(name) && !unmanagedTables.includes(name),
  )
  if (stranger)
    throw new StartError(
      `The database contains a table of another program (${stranger.name}). Restore into a database that only Atrium uses.`,
    )
}

async function dropEverything(db: Db) {
  const { rows } = await sql<{ statement: string }>`
    select format('drop table if exists %I cascade', relname) as statement from pg_class c
    where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    union all
    select format('drop function if exists %s cascade', oid::regprocedure) from pg_proc p
    where pronamespace = current_schema()::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    -- waiting jobs belong to what is replaced; the server makes the schema again
    select 'drop schema if exists pgboss cascade'`.execute(db)
  for (const { statement } of rows) await sql.raw(statement).execute(db)
}

async function load(
  db: Db,
  client: PoolClient,
  target: RestoreTarget,
  file: string,
  manifest: Manifest,
  onProgress: ((progress: BackupProgress) => void) | undefined,
) {
  const tables = await listTables(db)
  // Migrations may have inserted rows. Triggers are off because the counters they maintain are restored too.
  await client.query(`truncate ${quoted(client, tables)}`)
  for (const table of tables)
    await client.query(`alter table ${client.escapeIdentifier(table)} disable trigger user`)
  const frames = readFrames(file)
  const of = manifest.tables.length + 1
  let done = 0
  let secret: string | undefined
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    const { kind, payload } = next.value
    if (kind === 'S') secret = payload.toString('utf8')
    if (kind === 'T') {
      const head = JSON.parse(payload.toString('utf8')) as TableHead
      onProgress?.({ done: done++, of, what: head.name })
      await loadTable(db, client, head, frames)
    }
    if (kind === 'F') {
      onProgress?.({ done, of, what: 'files' })
      await loadFile(target, JSON.parse(payload.toString('utf8')) as FileHead, frames)
    }
  }
  for (const table of tables)
    await client.query(`alter table ${client.escapeIdentifier(table)} enable trigger user`)
  if (secret) await adoptSecret(db, target, secret)
  onProgress?.({ done: of, of, what: 'done' })
}

/** The data chunks up to the end of the current table or file. */
async function* chunks(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
  for (
    let next = await frames.next();
    !next.done && next.value.kind === 'D';
    next = await frames.next()
  )
    yield next.value.payload
}

async function loadTable(
  db: Db,
  client: PoolClient,
  { name, columns, sequences, partitions = [] }: TableHead,
  frames: AsyncGenerator<Frame>,
) {
  const table = client.escapeIdentifier(name)
  // Partitions created by a newer installation may overlap with those of the backup.
  if (partitions.length > 0) await dropPartitions(client, name)
  for (const part of partitions)
    await client.query(
      `create table if not exists ${client.escapeIdentifier(part.name)} partition of ${table} ${part.bounds}`,
    )
  await pipeline(
    Readable.from(chunks(frames), { objectMode: true }),
    client.query(copyFrom(`copy ${table} (${quoted(client, columns)}) from stdin`)),
  )
  for (const { column, next } of sequences) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), greatest(${next}::bigint, (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(name)})), false)`.execute(
      db,
    )
  }
}

async function dropPartitions(client: PoolClient, name: string) {
  const { rows } = await client.query<{ part: string }>(
    'select inhrelid::regclass::text as part from pg_inherits where inhparent = $1::regclass',
    [name],
  )
  for (const { part } of rows) await client.query(`drop table ${part}`)
}

/** Writes to the local disk first: storage accepts complete files only, and S3 needs the length. */
async function loadFile(
  { storage, dataDir }: RestoreTarget,
  { sha256 }: FileHead,
  frames: AsyncGenerator<Frame>,
) {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a file in the backup has no proper key')
  mkdirSync(path.join(dataDir, 'uploads'), { recursive: true, mode: 0o700 })
  const part = path.join(dataDir, 'uploads', `restored-${sha256}.part`)
  try {
    await pipeline(Readable.from(chunks(frames), { objectMode: true }), createWriteStream(part))
    await storage.put(sha256, part, await sizeOf(part))
  } finally {
    await rm(part, { force: true })
  }
}

/**
 * If this installation has no secret yet, it takes the backup's. Otherwise it keeps its own, and everything sealed with
 * the backup's secret (columns named sealed_…) is sealed again.
 */
async function adoptSecret(db: Db, target: RestoreTarget, secret: string) {
  const secretPath = secretFile(target.dataDir)
  if (!target.secret && !existsSync(secretPath)) {
    mkdirSync(target.dataDir, { recursive: true })
    await writeFile(secretPath, secret, { mode: 0o600, flag: 'wx' })
    return
  }
  const own =
    target.secret ??
    (
      await open(secretPath).then((handle) => handle.readFile('utf8').finally(() => handle.close()))
    ).trim()
  if (own === secret) return
  const before = openSecret(secret)
  const after = openSecret(own)
  for (const { table, column, sealed } of await listSealed(db)) {
    const text = before.decrypt(sealed)
    if (text === undefined)
      throw new StartError(
        `The backup contains a value in ${table} that its own secret does not decrypt. Nothing was changed.`,
      )
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after.encrypt(text)} where ${sql.ref(column)} = ${sealed}`.execute(
      db,
    )
  }
}
