import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { withOwnTransaction } from '#platform/database/own-transaction.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { sha256OfKey } from '#platform/storage/storage.ts'
import { listMentioned, listReferences } from './queries.ts'

/** Hours for which an interrupted upload can be resumed. */
export const resumableHours = 24
const hour = 3_600_000

/** Deletes unreferenced data: files past their grace period, bytes without a file, and abandoned partial uploads. */
export async function collectFiles(platform: Platform): Promise<void> {
  const { uploadGraceHours } = await currentSettings(platform)
  const hours = Math.max(1, Number(uploadGraceHours))
  const files = await collectRows(platform, hours)
  const bytes = await collectBytes(platform, hours)
  const parts = await deleteStaleParts(platform.files.partsFolder)
  platform.log.info({ files, bytes, parts }, 'unused files were deleted')
}

async function collectRows(platform: Platform, hours: number): Promise<number> {
  const { files } = platform
  let deletedCount = 0
  // A separate connection: scanning every text column takes longer than a request may.
  const unused = await withOwnTransaction(
    platform.url,
    async ({ db }) => {
      const references = await listReferences(db)
      const { rows } = await sql<{ id: string }>`
        select id from file f where used_at < now() - make_interval(hours => ${hours})
          and ${sql.join(
            references.map(
              ({ table, column }) =>
                sql`not exists (select from ${sql.table(table)} r where r.${sql.ref(column)} = f.id)`,
            ),
            sql` and `,
          )}
        order by id`.execute(db)
      if (rows.length === 0) return []
      const mentioned = await listMentioned(db)
      return rows.map(({ id }) => id).filter((id) => !mentioned.has(id))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  for (const id of unused) {
    const removed = await platform.db
      .transaction()
      .execute(async (db) => {
        // A concurrent upload of the same content has updated `used_at`; a new reference blocks the delete by its
        // foreign key.
        const row = await db
          .deleteFrom('file')
          .where('id', '=', id)
          .where('used_at', '<', sql<string>`now() - make_interval(hours => ${hours})`)
          .returning('sha256')
          .executeTakeFirst()
        if (row) await files.forget(db, row.sha256)
        return row !== undefined
      })
      .catch(() => false)
    if (removed) deletedCount++
  }
  return deletedCount
}

/** Deletes bytes whose file row was never written, and parts left incomplete by a full disk. */
async function collectBytes({ db, files }: Platform, hours: number): Promise<number> {
  let deletedCount = 0
  for await (const { key, at } of files.storage.list()) {
    if (at.getTime() > Date.now() - hours * hour) continue
    const sha256 = sha256OfKey(key)
    if (sha256) {
      if (await files.forget(db, sha256)) deletedCount++
    } else if (key.endsWith('.part')) {
      await files.storage.removeKey(key)
      deletedCount++
    }
  }
  return deletedCount
}

async function deleteStaleParts(folder: string): Promise<number> {
  let deletedCount = 0
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const file = path.join(folder, name)
    const stats = await stat(file).catch(() => undefined)
    if (!stats?.isFile() || stats.mtimeMs > Date.now() - resumableHours * hour) continue
    await rm(file, { force: true })
    deletedCount++
  }
  return deletedCount
}
