import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Pack, pack } from 'tar-stream'
import { StartError } from '#platform/environment.ts'
import { sizeOf } from '#platform/ingest/text-file.ts'
import { openSecret } from '#platform/secret.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { version } from '#platform/version.ts'
import { explainBackupError } from './backup-error.ts'
import {
  checksumLine,
  entries,
  format,
  json,
  type Manifest,
  type TableHead,
} from './backup-format.ts'
import type { Db } from './db.ts'
import { appliedMigrations } from './migrate.ts'
import { withOwnTransaction } from './own-transaction.ts'
import { listSealed } from './sealed-columns.ts'

export type BackupProgress = { done: number; of: number; what: string }

/** Tables that belong to the migrations or to the running nodes, not to the institution. */
export const unmanagedTables = ['kysely_migration', 'kysely_migration_lock', 'running_node']
/** Mode of the entries in the archive: owner only. */
const mode = 0o600
/** Minimum size of an archive entry with rows, except a table's last. */
const pieceBytes = 4 * 1024 * 1024

// ---- writing ----

type BackupSource = { url: string; secret: string; storage: Storage }

/**
 * Writes a whole installation into one file: every table from one snapshot, the uploaded files, the secret. The file
 * gets its final name only when complete.
 * @returns the manifest, and the SHA-256 of files that the database refers to but storage does not have
 * @throws StartError
 */
export async function writeBackup(
  source: BackupSource,
  file: string,
  settings: { force?: boolean; onProgress?: (progress: BackupProgress) => void } = {},
): Promise<{ manifest: Manifest; missing: string[]; bytes: number }> {
  if (!settings.force && existsSync(file))
    throw new StartError(
      `${file} exists already. Choose another name, or overwrite it with --force.`,
    )
  const part = `${file}.part`
  try {
    const made = await withOwnTransaction(
      source.url,
      async ({ db, client }) => {
        await fixFormats(client)
        const manifest = await readManifest(db)
        const secret = openSecret(source.secret)
        if ((await listSealed(db)).some(({ sealed }) => secret.decrypt(sealed) === undefined)) {
          throw new StartError(
            'The secret of this command does not decrypt the keys in the database, so a backup would be useless. Give this command the ATRIUM_SECRET, or the data folder, of the server.',
          )
        }
        const missing: string[] = []
        // Owner only: it contains the secret and every member's data.
        const target = createWriteStream(part, { mode: 0o600, flush: true })
        const archive = pack()
        const filled = fill(archive, { db, client, source, manifest, missing }, settings.onProgress)
        // Whichever fails first ends the other; otherwise a running COPY would keep the transaction open.
        filled.catch((error) => archive.destroy(error))
        await pipeline(archive, createGzip({ level: 5 }), target).finally(() =>
          filled.catch(() => {}),
        )
        await filled
        return { manifest, missing }
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
    await rename(part, file)
    return { ...made, bytes: await sizeOf(file) }
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw explainBackupError(error, file)
  }
}

type BackupContent = {
  db: Db
  client: PoolClient
  source: BackupSource
  manifest: Manifest
  missing: string[]
}

/** Writes everything into the archive; adds to `missing` the SHA-256 of files that storage does not have. */
async function fill(
  archive: Pack,
  { db, client, source, manifest, missing }: BackupContent,
  onProgress: ((progress: BackupProgress) => void) | undefined,
) {
  const sums: string[] = []
  const mtime = new Date(manifest.createdAt)
  const put = async (name: string, bytes: Buffer) => {
    sums.push(checksumLine(name, createHash('sha256').update(bytes).digest('hex')))
    await new Promise<void>((resolve, reject) => {
      archive.entry({ name, mtime, mode }, bytes, (error) => (error ? reject(error) : resolve()))
    })
  }
  const of = manifest.tables.length + 1
  await put(entries.manifest, json(manifest))
  await put(entries.secret, Buffer.from(source.secret))
  for (const [done, { name }] of manifest.tables.entries()) {
    onProgress?.({ done, of, what: name })
    const columns = await listColumns(db, name)
    const head: TableHead = {
      name,
      columns,
      sequences: await listSequences(db, name),
      partitions: await listPartitions(db, name),
    }
    await put(entries.table(name), json(head))
    const copy = client.query(
      copyTo(
        // COPY of a partitioned table needs a select.
        `copy (select ${quoted(client, columns)} from ${client.escapeIdentifier(name)}) to stdout`,
      ),
    )
    let chunk = 0
    for await (const rows of inChunks(copy)) await put(entries.rows(name, ++chunk), rows)
  }
  onProgress?.({ done: manifest.tables.length, of, what: 'files' })
  const kept = await db.selectFrom('file').select('sha256').distinct().orderBy('sha256').execute()
  for (const { sha256 } of kept) {
    const size = await source.storage.size(sha256)
    if (size === undefined) {
      missing.push(sha256)
      continue
    }
    const hash = createHash('sha256')
    const name = entries.file(sha256)
    await pipeline(
      source.storage.read(sha256),
      async function* (bytes: AsyncIterable<Buffer>) {
        for await (const chunk of bytes) {
          hash.update(chunk)
          yield chunk
        }
      },
      archive.entry({ name, mtime, mode, size }),
    )
    sums.push(checksumLine(name, hash.digest('hex')))
  }
  await put(entries.sums, Buffer.from(sums.join('')))
  archive.finalize()
  onProgress?.({ done: of, of, what: 'done' })
}

/** Tar needs the size of an entry before its bytes, so rows are buffered until they fill a chunk. */
async function* inChunks(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let size = 0
  for await (const bytes of rows) {
    pending.push(bytes)
    size += bytes.length
    if (size < pieceBytes) continue
    yield Buffer.concat(pending)
    pending = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pending)
}

async function readManifest(db: Db): Promise<Manifest> {
  const schema = await appliedMigrations(db)
  if (schema.length === 0)
    throw new StartError('This database contains no Atrium data yet; there is nothing to back up.')
  const tables: Manifest['tables'] = []
  for (const name of await listTables(db)) {
    const { rows } = await sql<{
      rows: string
    }>`select count(*) as rows from ${sql.table(name)}`.execute(db)
    tables.push({ name, rows: Number(rows[0]?.rows) })
  }
  const { instance_id, demo } = await db
    .selectFrom('installation')
    .select(['instance_id', 'demo'])
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{
    postgres: string
  }>`select current_setting('server_version') as postgres`.execute(db)
  return {
    format,
    version,
    postgres: rows[0]?.postgres ?? '',
    schema,
    instanceId: instance_id,
    demo,
    createdAt: new Date().toISOString(),
    tables,
    files: await countContents(db),
  }
}

/** Several files can share the same content, which is stored once. */
async function countContents(db: Db) {
  const { rows } = await sql<{ count: number }>`
    select count(distinct sha256)::integer as count from file`.execute(db)
  return rows[0]?.count ?? 0
}

// ---- the schema, read from the catalogue ----

/** Our tables, referenced tables first. */
export async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; needs: string[] }>`
    select c.relname as name,
           coalesce(array_agg(distinct target.relname::text) filter (where target.relname is not null and target.oid <> c.oid), '{}') as needs
    from pg_class c
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
    left join pg_class target on target.oid = k.confrelid
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.relname
    order by c.relname`.execute(db)
  const waiting = rows.filter((row) => !unmanagedTables.includes(row.name))
  const sorted: string[] = []
  while (waiting.length > 0) {
    const next = waiting.findIndex((row) => row.needs.every((need) => sorted.includes(need)))
    if (next < 0)
      throw new Error(
        `foreign keys go round in a circle: ${waiting.map((row) => row.name).join(', ')}`,
      )
    sorted.push(...waiting.splice(next, 1).map((row) => row.name))
  }
  return sorted
}

/** The stored columns; generated columns are computed again on restore. */
async function listColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(db)
  return rows.map((row) => row.name)
}

async function listSequences(db: Db, table: string): Promise<TableHead['sequences']> {
  const { rows } = await sql<{ column: string; sequence: string | null }>`
    select attname as column, pg_get_serial_sequence(quote_ident(${table}), attname) as sequence from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(db)
  const found: TableHead['sequences'] = []
  for (const { column, sequence } of rows) {
    if (!sequence) continue
    const { rows: values } = await sql<{ next: string }>`
      select case when is_called then last_value + 1 else last_value end as next from ${sql.raw(sequence)}`.execute(
      db,
    )
    found.push({ column, next: String(values[0]?.next) })
  }
  return found
}

async function listPartitions(db: Db, table: string): Promise<{ name: string; bounds: string }[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    select relname as name, pg_get_expr(relpartbound, c.oid) as bounds
    from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = ${table}::regclass and relispartition order by relname`.execute(db)
  return rows
}

export const quoted = (client: PoolClient, names: readonly string[]) =>
  names.map((name) => client.escapeIdentifier(name)).join(', ')

/** Session settings under which values are written as text that every server reads the same way. */
export const fixFormats = (client: PoolClient) =>
  client.query(
    "set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8'",
  )
