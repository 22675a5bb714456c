import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { StartError } from '#platform/environment.ts'
import { fileIssue, sizeOf } from '#platform/ingest/text-file.ts'
import { openSecret, secretFile } from '#platform/secret.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { version } from '#platform/version.ts'
import { type Db, sqlState } from './db.ts'
import { appliedMigrations, knownMigrations, migrateWithin } from './migrate.ts'
import { isOutage } from './outage.ts'
import { withOwnTransaction } from './own-transaction.ts'

/**
 * A backup is one gzip stream of frames: a letter, the payload's length in four bytes, the payload.
 * M manifest · S secret · T a table begins · F a file begins · D a piece of it · E its end · Z the SHA-256 of all before.
 * Tables stand in the order in which foreign keys allow them to be loaded.
 */
const format = 1
type Kind = 'M' | 'S' | 'T' | 'F' | 'D' | 'E' | 'Z'
type Frame = { kind: Kind; payload: Buffer }

export type Manifest = {
  format: number
  /** of Atrium, and of the PostgreSQL it was made from */
  version: string
  postgres: string
  /** every migration the database had been through */
  schema: string[]
  instanceId: string
  demo: boolean
  createdAt: string
  tables: { name: string; rows: number }[]
  files: number
}
type TableHead = {
  name: string
  columns: string[]
  sequences: { column: string; next: string }[]
  /** Of a table in parts: which parts there are, as PostgreSQL words their bounds. */
  partitions?: { name: string; bounds: string }[]
}
type FileHead = { sha256: string; bytes: number }
export type BackupProgress = { done: number; of: number; what: string }

/** Tables that belong to the migrations or to the nodes that run, not to the institution. */
const notOurs = ['kysely_migration', 'kysely_migration_lock', 'running_node']
const largestFrame = 16 * 1024 * 1024

// ---- writing ----

type BackupSource = { url: string; secret: string; storage: Storage }

/**
 * Writes everything of an installation into one file: every table as one moment saw it, the uploaded files, the secret.
 * The file appears under its name when it is complete.
 * @returns what it holds, and the keys of files that the database names and the storage has not
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
            'The secret here does not open the keys in the database, so a backup would be of no use. Give this command the ATRIUM_SECRET, or the data folder, that the server runs with.',
          )
        }
        const missing: string[] = []
        // It holds the secret and every member's data: for this user alone.
        const target = createWriteStream(part, { mode: 0o600, flush: true })
        await pipeline(
          Readable.from(backupBytes(db, client, source, manifest, missing, settings.onProgress), {
            objectMode: true,
          }),
          createGzip({ level: 5 }),
          target,
        )
        return { manifest, missing }
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
    await rename(part, file)
    return { ...made, bytes: await sizeOf(file) }
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw explain(error, file)
  }
}

async function* backupBytes(
  db: Db,
  client: PoolClient,
  source: BackupSource,
  manifest: Manifest,
  missing: string[],
  onProgress: ((progress: BackupProgress) => void) | undefined,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const of = manifest.tables.length + 1
  for await (const { kind, payload } of backupFrames(
    db,
    client,
    source,
    manifest,
    missing,
    (done, what) => onProgress?.({ done, of, what }),
  )) {
    const bytes = frameBytes(kind, payload)
    hash.update(bytes)
    yield bytes
  }
  yield frameBytes('Z', hash.digest())
}

async function* backupFrames(
  db: Db,
  client: PoolClient,
  source: BackupSource,
  manifest: Manifest,
  missing: string[],
  tell: (done: number, what: string) => void,
): AsyncGenerator<Frame> {
  yield { kind: 'M', payload: json(manifest) }
  yield { kind: 'S', payload: Buffer.from(source.secret) }
  for (const [index, { name }] of manifest.tables.entries()) {
    tell(index, name)
    const columns = await listColumns(db, name)
    yield {
      kind: 'T',
      payload: json({
        name,
        columns,
        sequences: await listSequences(db, name),
        partitions: await listPartitions(db, name),
      } satisfies TableHead),
    }
    const copy = client.query(
      copyTo(
        // A select, because a table in parts cannot be copied by its name.
        `copy (select ${quoted(client, columns)} from ${client.escapeIdentifier(name)}) to stdout`,
      ),
    )
    for await (const payload of copy) yield { kind: 'D', payload: payload as Buffer }
    yield { kind: 'E', payload: json({ rows: copy.rowCount }) }
  }
  tell(manifest.tables.length, 'files')
  const kept = await db.selectFrom('file').select('sha256').distinct().orderBy('sha256').execute()
  for (const { sha256 } of kept) {
    const bytes = await source.storage.size(sha256)
    if (bytes === undefined) {
      missing.push(sha256)
      continue
    }
    yield { kind: 'F', payload: json({ sha256, bytes } satisfies FileHead) }
    for await (const payload of source.storage.read(sha256))
      yield { kind: 'D', payload: payload as Buffer }
    yield { kind: 'E', payload: json({}) }
  }
  tell(manifest.tables.length + 1, 'done')
}

async function readManifest(db: Db): Promise<Manifest> {
  const schema = await appliedMigrations(db)
  if (schema.length === 0)
    throw new StartError('This database holds no Atrium yet; there is nothing to back up.')
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

/** Several files may be made of the same bytes, which are stored once. */
async function countContents(db: Db) {
  const { rows } = await sql<{ count: number }>`
    select count(distinct sha256)::integer as count from file`.execute(db)
  return rows[0]?.count ?? 0
}

const frameBytes = (kind: Kind, payload: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(kind, 'latin1')
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

// ---- the schema as the database itself describes it ----

/** Our tables, those that others refer to first. */
async function listTables(db: Db): Promise<string[]> {
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
  const waiting = rows.filter((row) => !notOurs.includes(row.name))
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

/** The columns that hold something: generated ones make themselves again. */
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

const quoted = (client: PoolClient, names: readonly string[]) =>
  names.map((name) => client.escapeIdentifier(name)).join(', ')

/** Texts that mean the same to every server that reads them. */
const fixFormats = (client: PoolClient) =>
  client.query(
    "set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8'",
  )

// ---- reading ----

/** The frames of a backup. @throws StartError when the file is damaged */
async function* readFrames(file: string): AsyncGenerator<Frame> {
  const gunzip = createGunzip()
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  const pending: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of gunzip) {
      pending.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size < 5) continue
      let bytes = Buffer.concat(pending)
      for (;;) {
        if (bytes.length < 5) break
        const length = bytes.readUInt32BE(1)
        if (length > largestFrame) throw damaged(file)
        if (bytes.length < 5 + length) break
        yield {
          kind: bytes.toString('latin1', 0, 1) as Kind,
          payload: bytes.subarray(5, 5 + length),
        }
        bytes = bytes.subarray(5 + length)
      }
      pending.splice(0, pending.length, bytes)
      size = bytes.length
    }
    if (size > 0) throw damaged(file)
  } catch (error) {
    if (['Z_BUF_ERROR', 'Z_DATA_ERROR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw damaged(file)
    throw error
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}
const damaged = (file: string) =>
  new StartError(
    `${file} is not a complete Atrium backup: it was cut off or changed. Nothing was touched; use another copy.`,
  )

/**
 * Reads a backup from its beginning to its end and checks every byte of it.
 * @throws StartError when it is damaged, or made by a newer Atrium
 */
export async function checkBackup(file: string): Promise<Manifest> {
  await sizeOf(file)
  const hash = createHash('sha256')
  let manifest: Manifest | undefined
  let complete = false
  for await (const { kind, payload } of readFrames(file)) {
    if (complete) throw damaged(file)
    if (!manifest) {
      if (kind !== 'M') throw damaged(file)
      manifest = JSON.parse(payload.toString('utf8')) as Manifest
      if (manifest.format > format)
        throw new StartError(
          `${file} was made by Atrium ${manifest.version}, which is newer than this one (${version}). Restore it with that version.`,
        )
    }
    if (kind === 'Z') complete = hash.digest().equals(payload)
    else hash.update(frameBytes(kind, payload))
  }
  if (!manifest || !complete) throw damaged(file)
  const known = await knownMigrations()
  if (manifest.schema.some((name, index) => known[index] !== name)) {
    throw new StartError(
      `${file} was made by Atrium ${manifest.version}, whose database this one (${version}) does not know. Restore it with that version or a newer one.`,
    )
  }
  return manifest
}

export type RestoreTarget = {
  url: string
  dataDir: string
  storage: Storage
  secret: string | undefined
}

/**
 * Makes this installation what the backup holds, and brings it up to date. All of it, or on any failure nothing.
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
    throw explain(error, file)
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
    throw new StartError(
      'An Atrium server works with this database. Stop every node of it, then restore.',
    )
  if (replace) return
  const ours = (await appliedMigrations(db)).length > 0
  const tables = ours ? await listTables(db) : []
  for (const table of tables) {
    // What a first start alone writes.
    if (['installation', 'signing_key', 'openid_rsa_key', 'topic_version'].includes(table)) continue
    const { rows: found } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (found.length > 0)
      throw new StartError(
        `The database is not empty (${table} has rows). Restore into an empty one, or give up what it holds with --replace.`,
      )
  }
  const { rows: foreign } = await sql<{
    name: string
  }>`select relname as name from pg_class
       where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`.execute(
    db,
  )
  const stranger = foreign.find(({ name }) => !tables.includes(name) && !notOurs.includes(name))
  if (stranger)
    throw new StartError(
      `The database holds a table of another program (${stranger.name}). Restore into a database of Atrium’s own.`,
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
  // Migrations may have filled tables; and rows that were counted once must not be counted again.
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

/** The pieces of what began, up to its end. */
async function* pieces(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
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
  for (const part of partitions)
    await client.query(
      `create table if not exists ${client.escapeIdentifier(part.name)} partition of ${table} ${part.bounds}`,
    )
  await pipeline(
    Readable.from(pieces(frames), { objectMode: true }),
    client.query(copyFrom(`copy ${table} (${quoted(client, columns)}) from stdin`)),
  )
  for (const { column, next } of sequences) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), greatest(${next}::bigint, (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(name)})), false)`.execute(
      db,
    )
  }
}

/** Written to this machine first: storage takes what is whole, and a bucket wants to know its length. */
async function loadFile(
  { storage, dataDir }: RestoreTarget,
  { sha256 }: FileHead,
  frames: AsyncGenerator<Frame>,
) {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a file in the backup has no proper key')
  mkdirSync(path.join(dataDir, 'uploads'), { recursive: true, mode: 0o700 })
  const part = path.join(dataDir, 'uploads', `restored-${sha256}.part`)
  try {
    await pipeline(Readable.from(pieces(frames), { objectMode: true }), createWriteStream(part))
    await storage.put(sha256, part, await sizeOf(part))
  } finally {
    await rm(part, { force: true })
  }
}

/**
 * Where this installation has no secret yet it takes the backup's. Where it has one, that stays, and whatever the backup's
 * secret sealed (columns named sealed_…) is sealed again with it.
 */
async function adoptSecret(db: Db, target: RestoreTarget, secret: string) {
  const keptIn = secretFile(target.dataDir)
  if (!target.secret && !existsSync(keptIn)) {
    mkdirSync(target.dataDir, { recursive: true })
    await writeFile(keptIn, secret, { mode: 0o600, flag: 'wx' })
    return
  }
  const own =
    target.secret ??
    (
      await open(keptIn).then((handle) => handle.readFile('utf8').finally(() => handle.close()))
    ).trim()
  if (own === secret) return
  const before = openSecret(secret)
  const after = openSecret(own)
  for (const { table, column, sealed } of await listSealed(db)) {
    const text = before.decrypt(sealed)
    if (text === undefined)
      throw new StartError(
        `The backup holds something in ${table} that its own secret does not open. Nothing was changed.`,
      )
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after.encrypt(text)} where ${sql.ref(column)} = ${sealed}`.execute(
      db,
    )
  }
}

/** Whatever was sealed with the secret: columns named sealed_… */
async function listSealed(db: Db): Promise<{ table: string; column: string; sealed: string }[]> {
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

function explain(error: unknown, file: string): unknown {
  if (error instanceof StartError) return error
  if (sqlState(error) === '53100')
    return new StartError(
      'The disk of the database is full. Nothing was changed; free some space there and try again.',
    )
  if (isOutage(error) && !('path' in (error as object)))
    return new StartError(
      `The connection to the database was lost (${(error as Error).message}). Nothing was changed.`,
    )
  if (sqlState(error) === '42501')
    return new StartError(
      `The database user may not do this (${(error as Error).message}). Nothing was changed; it must own the database.`,
    )
  if ((error as NodeJS.ErrnoException).syscall)
    return new StartError(fileIssue((error as NodeJS.ErrnoException).path ?? file, error))
  return error
}
