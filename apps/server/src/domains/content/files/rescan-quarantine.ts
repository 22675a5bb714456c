import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Platform } from '#platform/platform.ts'
import { clamdAddress, scanFile } from '#platform/storage/clamd.ts'

/** Scans files uploaded while the scanner was unavailable: clean ones are released, all others are deleted. */
export async function rescanQuarantined(platform: Platform): Promise<void> {
  const { db, env, files, log } = platform
  const address = env.ATRIUM_CLAMD ? clamdAddress(env.ATRIUM_CLAMD) : undefined
  if (!address) return
  let after = '0'
  for (;;) {
    const file = await db
      .selectFrom('file')
      .select(['id', 'sha256'])
      .where('scanned', '=', false)
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!file) return
    after = file.id
    const part = path.join(files.partsFolder, `${randomUUID()}.part`)
    try {
      await pipeline(files.read(file.sha256), createWriteStream(part, { mode: 0o600 }))
      const verdict = await scanFile(address, part)
      if (verdict.clean) {
        await db.updateTable('file').set({ scanned: true }).where('id', '=', file.id).execute()
        continue
      }
      log.warn({ file: file.id, found: verdict.found }, 'a held upload is infected and is deleted')
      // If the row is already referenced, it stays, quarantined for good, and only its bytes are deleted.
      await files.remove(db, file.id).catch(() => files.storage.remove(file.sha256))
    } catch (error) {
      // Still unavailable: the next run retries.
      log.warn({ reason: (error as Error).message }, 'held uploads could not be scanned')
      return
    } finally {
      await rm(part, { force: true })
    }
  }
}
