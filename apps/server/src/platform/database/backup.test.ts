import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { insertEvents } from '#domains/member/events/queries.ts'
import { rowOf } from '#domains/member/events/rules.ts'
import { openSecret } from '#platform/secret.ts'
import { openStorage } from '#platform/storage/open-storage.ts'
import { ownDatabase, ownFolder } from '../../../test/own-database.ts'
import { testSecret } from '../../../test/setup.ts'
import { createDatabase, migrateAt } from '../../database.ts'
import { checkBackup, entries, readFrames } from './backup-format.ts'
import { type Database, openDatabase, openPool } from './db.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { knownMigrations, migrateWithin } from './migrate.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

// Whole installations are written and read.
vi.setConfig({ testTimeout: 120_000 })

const { folder, write } = ownFolder()
const backup = path.join(folder, 'demo.backup')
const otherSecret = 'another secret of at least thirty-two characters'
const storage = await openStorage({ ATRIUM_DATA_DIR: inject('dataDir') })
const target = async (url: string, name: string, secret?: string) => ({
  url,
  dataDir: path.join(folder, name),
  storage: await openStorage({ ATRIUM_DATA_DIR: path.join(folder, name) }),
  secret,
})

/** Every row of every table as text, so that servers of two versions can be compared. */
async function contents(db: Database) {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() and tablename not like 'kysely%' order by 1`.execute(
    db,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ sum: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(line, chr(10) order by line collate "C")), '') as sum
      from (select t::text as line from ${sql.table(name)} t) lines`.execute(db)
    found[name] = rows[0]?.sum ?? ''
  }
  return found
}

let demo: Awaited<ReturnType<typeof ownDatabase>>
beforeAll(async () => {
  demo = await ownDatabase({ template: inject('template'), migrated: false })
  await demo.db
    .insertInto('signing_key')
    .values({
      kid: 'k1',
      public_jwk: '{}',
      sealed_private_jwk: openSecret(testSecret).encrypt('private'),
    })
    .execute()
  // A partitioned table with a partition that no migration creates.
  const { db } = demo
  // As in an old installation: its oldest partitions have different bounds than those of a new one.
  const { rows: bounds } = await sql<{ until: string }>`
    select split_part(pg_get_expr(relpartbound, oid), '''', 2) as until from pg_class where relname = 'message_delivery_past'`.execute(
    db,
  )
  await sql`drop table message_delivery_past`.execute(db)
  await sql`create table message_delivery_past partition of message_delivery for values from (minvalue) to ('2001-01-01T00:00:00Z')`.execute(
    db,
  )
  await sql`create table message_delivery_2001_01 partition of message_delivery
    for values from ('2001-01-01T00:00:00Z') to (${sql.lit(bounds[0]?.until)})`.execute(db)
  await sql`create table user_event_1999_12 partition of user_event for values from ('1999-12-01T00:00:00Z') to ('2000-01-01T00:00:00Z')`.execute(
    demo.db,
  )
  const event = { event_id: crypto.randomUUID(), occurred_at: '1999-12-31T12:00:00Z' }
  await insertEvents(demo.db, [{ ...rowOf(oldEvent, {}), ...event }], null, 'own')
  await writeBackup({ url: demo.url, secret: testSecret, storage }, backup)
})
const oldEvent = { eventCode: 'visitPortal', eventEnvOperationTime: '1999-12-31 20:00:00' }

test('a backup restores rows, sequences, files and the secret into an empty database', async () => {
  expect(statSync(backup).mode & 0o077).toBe(0)
  const own = await ownDatabase({ migrated: false })
  const to = await target(own.url, 'a')
  const manifest = await restoreBackup(to, backup)
  expect(manifest.demo).toBe(true)
  expect(await contents(own.db)).toEqual(await contents(demo.db))
  expect(readFileSync(path.join(to.dataDir, 'secret'), 'utf8')).toBe(testSecret)
  const { sha256 } = await own.db
    .selectFrom('file')
    .select('sha256')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(await to.storage.size(sha256)).toBeGreaterThan(0)
  // Triggers work again, and new rows get unused ids.
  const { unread } = await sql<{
    unread: number
  }>`select unread from message_box order by account_id, app_id limit 1`
    .execute(own.db)
    .then(({ rows }) => rows[0] as { unread: number })
  await sql`
    with new as (insert into message (app_id, title) select app_id, 'x' from message_box order by account_id, app_id limit 1 returning id, app_id)
    insert into message_delivery (account_id, message_id, app_id, sent_at)
    select (select account_id from message_box order by account_id, app_id limit 1), id, app_id, now() from new`.execute(
    own.db,
  )
  const { rows } = await sql<{
    unread: number
  }>`select unread from message_box order by account_id, app_id limit 1`.execute(own.db)
  expect(rows[0]?.unread).toBe(unread + 1)
})

test('restore refuses a database that is not empty unless told to replace it', async () => {
  const own = await ownDatabase()
  await own.db.insertInto('member_group').values({ code: 'g', name: 'g', name_en: 'g' }).execute()
  const before = await contents(own.db)
  await expect(restoreBackup(await target(own.url, 'b'), backup)).rejects.toThrow(
    /An Atrium server is using this database|is not empty/,
  )
  expect(await contents(own.db)).toEqual(before)
  await own.db.destroy()
  await expect(restoreBackup(await target(own.url, 'b'), backup)).rejects.toThrow(
    'The database is not empty (member_group has rows)',
  )
  await restoreBackup(await target(own.url, 'b'), backup, { replace: true })
  const db = openDatabase(openPool(own.url, 1))
  expect(await contents(db)).toEqual(await contents(demo.db))
  await db.destroy()
})

test('restore keeps the installation’s secret and re-encrypts the keys with it', async () => {
  const own = await ownDatabase({ migrated: false })
  await own.db.destroy()
  await restoreBackup(await target(own.url, 'c', otherSecret), backup)
  const db = openDatabase(openPool(own.url, 1))
  const key = await db
    .selectFrom('signing_key')
    .select('sealed_private_jwk')
    .where('kid', '=', 'k1')
    .executeTakeFirstOrThrow()
  expect(openSecret(otherSecret).decrypt(key.sealed_private_jwk)).toBe('private')
  await db.destroy()
  expect(existsSync(path.join(folder, 'c', 'secret'))).toBe(false)
})

test('restore rejects a damaged or foreign file before changing anything', async () => {
  const whole = readFileSync(backup)
  const flipped = Buffer.from(whole)
  flipped[whole.length >> 1] = (flipped[whole.length >> 1] as number) ^ 1
  const own = await ownDatabase()
  const before = await contents(own.db)
  for (const bytes of [
    whole.subarray(0, whole.length - 1),
    whole.subarray(0, whole.length >> 1),
    flipped,
    Buffer.from('hello'),
    Buffer.alloc(0),
  ]) {
    const file = write('damaged.backup', bytes)
    await expect(checkBackup(file)).rejects.toThrow('is not a complete Atrium backup')
    await expect(
      restoreBackup(await target(own.url, 'd'), file, { replace: true }),
    ).rejects.toThrow('is not a complete Atrium backup')
  }
  expect(await contents(own.db)).toEqual(before)
})

test('tar extracts a backup, and its files match SHA256SUMS', async () => {
  const opened = path.join(folder, 'opened')
  mkdirSync(opened)
  execFileSync('tar', ['-xzf', backup, '-C', opened])
  const sums = readFileSync(path.join(opened, entries.sums), 'utf8').trimEnd().split('\n')
  for (const line of sums) {
    const [sha256, name = ''] = line.split('  ')
    expect(hash('sha256', readFileSync(path.join(opened, name))), name).toBe(sha256)
  }
  const files = readdirSync(opened, { recursive: true, withFileTypes: true })
  expect(sums.length + 1).toBe(files.filter((one) => one.isFile()).length)
  const rows = readFileSync(path.join(opened, entries.rows('member_group', 1)), 'utf8')
  const { count } = await demo.db
    .selectFrom('member_group')
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  expect(rows.trimEnd().split('\n')).toHaveLength(count)
})

test('restore accepts a backup in format 1 and rejects a damaged one', async () => {
  const bytes = await asFrames(backup)
  const own = await ownDatabase({ migrated: false })
  for (const damaged of [bytes.subarray(0, -40), Buffer.concat([bytes, bytes])])
    await expect(checkBackup(write('damaged.frames', gzipSync(damaged)))).rejects.toThrow(
      'is not a complete Atrium backup',
    )
  const file = write('demo.frames', gzipSync(bytes))
  await restoreBackup(await target(own.url, 'g'), file)
  expect(await contents(own.db)).toEqual(await contents(demo.db))
})

/** The same backup in format 1. */
async function asFrames(file: string) {
  const frame = (kind: string, payload: Buffer) => {
    const head = Buffer.alloc(5)
    head.write(kind, 'latin1')
    head.writeUInt32BE(payload.length, 1)
    return Buffer.concat([head, payload])
  }
  const frames: Buffer[] = []
  for await (const { kind, payload } of readFrames(file)) frames.push(frame(kind, payload))
  const all = Buffer.concat(frames)
  return Buffer.concat([all, frame('Z', hash('sha256', all, 'buffer'))])
}

test('restore migrates a backup of an older schema', async () => {
  const known = await knownMigrations()
  const old = await ownDatabase({ migrated: false })
  await old.db.transaction().execute((db) => migrateWithin(db, known[known.length - 3]))
  await sql`insert into identity_type (code, name, name_en) values ('S01', '学生', 'Student')`.execute(
    old.db,
  )
  const file = path.join(folder, 'old.backup')
  const { manifest } = await writeBackup({ url: old.url, secret: testSecret, storage }, file)
  expect(manifest.schema).toEqual(known.slice(0, -2))
  const own = await ownDatabase({ migrated: false })
  await restoreBackup(await target(own.url, 'e'), file)
  expect(await migrateAt(own.url)).toEqual([])
  expect(await own.db.selectFrom('identity_type').select('name').execute()).toEqual([
    { name: '学生' },
  ])
})

test('backup requires the secret of the keys and does not overwrite a file', async () => {
  const file = path.join(folder, 'wrong.backup')
  await expect(writeBackup({ url: demo.url, secret: otherSecret, storage }, file)).rejects.toThrow(
    'The secret of this command does not decrypt the keys',
  )
  expect(existsSync(file)).toBe(false)
  expect(existsSync(`${file}.part`)).toBe(false)
  writeFileSync(file, 'mine')
  await expect(writeBackup({ url: demo.url, secret: testSecret, storage }, file)).rejects.toThrow(
    'exists already',
  )
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('a backup that cannot be written fails and leaves no file and no transaction', async () => {
  const source = { url: demo.url, secret: testSecret, storage }
  await expect(writeBackup(source, path.join(folder, 'nowhere', 'a.backup'))).rejects.toThrow()
  const file = path.join(folder, 'full.backup')
  symlinkSync('/dev/full', `${file}.part`)
  await expect(writeBackup(source, file)).rejects.toThrow()
  expect(existsSync(file)).toBe(false)
  const connections = async () => {
    const { rows } = await sql`
      select query from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and xact_start is not null`.execute(demo.db)
    return rows
  }
  await expect.poll(connections).toEqual([])
})

// The run against a server of another version restores the installation there and back.
describe.runIf(process.env.ATRIUM_TEST_DATABASE_URL)('between servers of two versions', () => {
  test('a backup restores into the embedded database and from there back into the server', async () => {
    const dataDir = path.join(folder, 'embedded')
    mkdirSync(dataDir)
    const embedded = await startEmbeddedPostgres(dataDir)
    try {
      await createDatabase(embedded.url('postgres'), 'atrium')
      await restoreBackup(await target(embedded.url('atrium'), 'embedded'), backup)
      const back = path.join(folder, 'back.backup')
      await writeBackup(
        {
          url: embedded.url('atrium'),
          secret: testSecret,
          storage: await openStorage({ ATRIUM_DATA_DIR: dataDir }),
        },
        back,
      )
      const own = await ownDatabase({ migrated: false })
      await restoreBackup(await target(own.url, 'f'), back)
      expect(await contents(own.db)).toEqual(await contents(demo.db))
    } finally {
      await embedded.stop()
    }
  })
})
