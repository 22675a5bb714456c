import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Secret } from '#platform/secret.ts'
import { openStorage, type StorageSettings } from './open-storage.ts'
import type { Storage } from './storage.ts'

/** A local file with its hash and size. */
export type Part = { path: string; sha256: string; byteSize: number }

/** Files stored by content, in the data folder or a bucket; the table `file` describes them. */
export type Files = {
  /** Stores bytes and returns the file id. The same content is stored once. */
  keep: (
    db: Db,
    bytes: Uint8Array,
    about: { mediaType: string; isPublic: boolean },
  ) => Promise<string>
  /** Like `keep`, for a local file. */
  keepPart: (db: Db, part: Part, about: { mediaType: string; isPublic: boolean }) => Promise<string>
  /**
   * Stores a member's upload. The same content with the same name is the same file of theirs.
   * @throws file.quota_full
   */
  keepUpload: (
    db: Db,
    part: Part,
    about: { mediaType: string; name: string; accountId: string; scanned: boolean; quota: number },
  ) => Promise<string>
  /** Stores bytes as a separate file with this name, without an owner. */
  keepNamed: (
    db: Db,
    part: Part,
    about: { mediaType: string; name: string; scanned: boolean },
  ) => Promise<string>
  /** Deletes a file that nothing refers to any more. */
  remove: (db: Db, id: string) => Promise<void>
  /** Deletes stored bytes unless a file uses them. @returns whether they were deleted */
  forget: (db: Db, sha256: string) => Promise<boolean>
  read: Storage['read']
  /** For piping into a socket only; see `openPieces`. */
  pour: Storage['pour']
  /**
   * The address for browsers: permanent for a public file, otherwise signed for five to ten minutes. A name is appended
   * for clients that rely on the extension.
   * @param expires end of the signature if an earlier permission limits it
   */
  address: (file: { id: string; is_public: boolean }, name?: string, expires?: string) => string
  isSigned: (id: string, expires: string | undefined, signature: string | undefined) => boolean
  storage: Storage
  /** local folder for incomplete and unchecked uploads */
  partsFolder: string
}

const signedFor = 600
/** Expires at a window's end instead of ten minutes from now: the address stays the same, so browsers can cache. */
function endOfWindow() {
  const window = signedFor / 2
  return String((Math.floor(Date.now() / 1000 / window) + 2) * window)
}

export async function openFiles(settings: StorageSettings, secret: Secret): Promise<Files> {
  const storage = await openStorage(settings)
  const partsFolder = path.join(settings.ATRIUM_DATA_DIR, 'uploads')
  mkdirSync(partsFolder, { recursive: true, mode: 0o700 })

  /**
   * Writes the bytes, inserts the row, then checks that the bytes are still there: a concurrent delete holds the same
   * lock and checks for the row.
   */
  async function store(
    db: Db,
    { sha256, byteSize }: Omit<Part, 'path'>,
    source: Uint8Array | string,
    insert: (db: Db) => Promise<string>,
  ) {
    const put = async () => {
      if ((await storage.size(sha256)) === undefined) await storage.put(sha256, source, byteSize)
    }
    await put()
    return inTransaction(db, async (db) => {
      await lockContent(db, sha256)
      const id = await insert(db)
      await put()
      return id
    })
  }

  function keep(
    db: Db,
    part: Omit<Part, 'path'>,
    source: Uint8Array | string,
    { mediaType, isPublic }: { mediaType: string; isPublic: boolean },
  ) {
    return store(db, part, source, async (db) => {
      const { id } = await db
        .insertInto('file')
        .values({
          sha256: part.sha256,
          media_type: mediaType,
          byte_size: part.byteSize,
          is_public: isPublic,
        })
        .onConflict((conflict) =>
          conflict.column('sha256').where('name', 'is', null).doUpdateSet({
            is_public: sql`file.is_public or excluded.is_public`,
            used_at: sql`now()`,
          }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    })
  }

  const forget = (db: Db, sha256: string) =>
    inTransaction(db, async (db) => {
      await lockContent(db, sha256)
      const used = await db
        .selectFrom('file')
        .select('id')
        .where('sha256', '=', sha256)
        .limit(1)
        .executeTakeFirst()
      if (used) return false
      await storage.remove(sha256)
      return true
    })

  return {
    storage,
    partsFolder,
    keep(db, bytes, about) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return keep(db, { sha256, byteSize: bytes.byteLength }, bytes, about)
    },
    keepPart: (db, part, about) => keep(db, part, part.path, about),
    keepUpload(db, part, { mediaType, name, accountId, scanned, quota }) {
      return store(db, part, part.path, async (db) => {
        await lockQuota(db, accountId)
        const known = await db
          .updateTable('file')
          .set({ used_at: sql`now()` })
          .where('sha256', '=', part.sha256)
          .where('name', '=', name)
          .where('id', 'in', (owned) =>
            owned.selectFrom('file_owner').select('file_id').where('account_id', '=', accountId),
          )
          .returning('id')
          .executeTakeFirst()
        if (known) return known.id
        if ((await usedBytes(db, accountId)) + part.byteSize > quota) fail('file.quota_full')
        const id = await insertNamed(db, part, { mediaType, name, scanned })
        await db.insertInto('file_owner').values({ file_id: id, account_id: accountId }).execute()
        return id
      })
    },
    keepNamed: (db, part, about) =>
      store(db, part, part.path, (db) => insertNamed(db, part, about)),
    async remove(db, id) {
      const gone = await db
        .deleteFrom('file')
        .where('id', '=', id)
        .returning('sha256')
        .executeTakeFirst()
      if (gone) await forget(db, gone.sha256)
    },
    forget,
    read: storage.read,
    pour: storage.pour,
    address({ id, is_public: isPublic }, name, expires = endOfWindow()) {
      const path = name ? `/files/${id}/${encodeURIComponent(name)}` : `/files/${id}`
      if (isPublic) return path
      return `${path}?expires=${expires}&signature=${secret.sign('file', `${id} ${expires}`)}`
    },
    isSigned: (id, expires, signature) =>
      !!expires &&
      !!signature &&
      Number(expires) * 1000 > Date.now() &&
      secret.verify('file', `${id} ${expires}`, signature),
  }
}

async function insertNamed(
  db: Db,
  part: Part,
  { mediaType, name, scanned }: { mediaType: string; name: string; scanned: boolean },
) {
  const { id } = await db
    .insertInto('file')
    .values({
      sha256: part.sha256,
      media_type: mediaType,
      byte_size: part.byteSize,
      is_public: false,
      name,
      scanned,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Bytes that a member's files use of their quota. */
export async function usedBytes(db: Db, accountId: string): Promise<number> {
  const { used } = await db
    .selectFrom('file_owner')
    .innerJoin('file', 'file.id', 'file_owner.file_id')
    .select(sql<string>`coalesce(sum(file.byte_size), 0)`.as('used'))
    .where('file_owner.account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(used)
}

/** Serialises quota checks for one member's concurrent uploads. */
export const lockQuota = (db: Db, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`file-quota ${accountId}`}, 0))`.execute(db)

const inTransaction = <T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run)

/** Serialises storing and deleting the same content. */
const lockContent = (db: Db, sha256: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`file ${sha256}`}, 0))`.execute(db)
