import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Secret } from './secret.ts'

/** Files by content under the data folder; the table `file` says what they are. */
export type Files = {
  /** Keeps the bytes, once however often they come, and answers their key. */
  keep: (
    db: Db,
    bytes: Uint8Array,
    about: { mediaType: string; isPublic: boolean },
  ) => Promise<string>
  /** Takes a file away that nothing refers to any more. */
  remove: (db: Db, id: string) => Promise<void>
  read: (sha256: string) => ReturnType<typeof createReadStream>
  /**
   * Where a browser finds it: a public file at a lasting address, any other at one signed for ten minutes. With a name at
   * its end for those who go by the extension.
   */
  address: (file: { id: string; is_public: boolean }, name?: string) => string
  isSigned: (id: string, expires: string | undefined, signature: string | undefined) => boolean
  folder: string
}

const signedFor = 600

/** Where the folder of files has one: backups read and write it there. */
export const filePath = (folder: string, sha256: string) =>
  path.join(folder, sha256.slice(0, 2), sha256)

export function openFiles(dataDir: string, secret: Secret): Files {
  const folder = path.join(dataDir, 'files')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (sha256: string) => filePath(folder, sha256)
  return {
    folder,
    async keep(db, bytes, { mediaType, isPublic }) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const target = pathOf(sha256)
      if (!(await stat(target).catch(() => undefined))) {
        mkdirSync(path.dirname(target), { recursive: true })
        // Written beside and renamed: a full disk leaves no half a file under a name that promises the whole.
        await writeFile(`${target}.part`, bytes)
        await rename(`${target}.part`, target)
      }
      const { id } = await db
        .insertInto('file')
        .values({ sha256, media_type: mediaType, byte_size: bytes.byteLength, is_public: isPublic })
        .onConflict((conflict) =>
          conflict
            .column('sha256')
            .doUpdateSet({ is_public: sql`file.is_public or excluded.is_public` }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async remove(db, id) {
      const gone = await db
        .deleteFrom('file')
        .where('id', '=', id)
        .returning('sha256')
        .executeTakeFirst()
      if (gone) await rm(pathOf(gone.sha256), { force: true })
    },
    read: (sha256) => createReadStream(pathOf(sha256)),
    address({ id, is_public: isPublic }, name) {
      const path = name ? `/files/${id}/${name}` : `/files/${id}`
      if (isPublic) return path
      // The end of the window, not ten minutes from now: within it the address stays the same and the browser's cache works.
      const window = signedFor / 2
      const expires = (Math.floor(Date.now() / 1000 / window) + 2) * window
      return `${path}?expires=${expires}&signature=${secret.sign('file', `${id} ${expires}`)}`
    },
    isSigned: (id, expires, signature) =>
      !!expires &&
      !!signature &&
      Number(expires) * 1000 > Date.now() &&
      secret.verify('file', `${id} ${expires}`, signature),
  }
}
