import { rm } from 'node:fs/promises'
import { formatOfName } from '@atrium/rules/file-kinds'
import { sql } from 'kysely'
import { checkContent } from '#domains/content/files/check-content.ts'
import { reencodeImage } from '#domains/content/files/re-encode-image.ts'
import { partOf } from '#domains/content/files/receive.ts'
import { scan } from '#domains/content/files/take-upload.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import type { Part } from '#platform/storage/files.ts'

/** Pixels per side: twice the largest display size. */
const side = 512

/**
 * Sets the member's portrait: cropped to a square and re-encoded, which removes metadata such as camera and location.
 * Deletes the uploaded part; the previous portrait is removed by the next garbage collection.
 */
export async function setPortrait(
  platform: Platform,
  viewer: Member,
  part: Part & { name: string },
): Promise<void> {
  const square = `${part.path}.redrawn.part`
  try {
    const format = formatOfName(part.name)
    if (format?.kind !== 'image') return fail('file.type_refused')
    if (part.byteSize === 0) fail('file.empty')
    await checkContent(part.path, format)
    // A portrait is never quarantined: refuse it if the scanner is down.
    if (!(await scan(platform, part.path))) fail('file.scanner_down', { retryAfter: 60 })
    const { mediaType } = await reencodeImage(part.path, square, side)
    const drawn = await partOf(square)
    await platform.db.transaction().execute(async (db) => {
      const id = await platform.files.keepPart(db, drawn, { mediaType, isPublic: false })
      await sql`
        update person set portrait_file_id = ${id} from account
        where account.id = ${viewer.accountId} and person.id = account.person_id`.execute(db)
    })
  } finally {
    await rm(part.path, { force: true })
    await rm(square, { force: true })
  }
}
