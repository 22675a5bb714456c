import { cleanFileName, formatOfName } from '@atrium/rules/file-kinds'
import { sql } from 'kysely'
import { boundaryOf } from '#domains/content/files/multipart.ts'
import { receiveFile } from '#domains/content/files/receive.ts'
import { checkUpload, uploadLimits } from '#domains/content/files/take-upload.ts'
import type { Db } from '#platform/database/db.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'

/** Maximum bytes of a system's files that are not attached to a message yet. */
const maxUnattachedBytes = 1024 ** 3

type Upload = { headers: Record<string, unknown>; raw: AsyncIterable<Buffer> }

/** Receives a file from a system, with the same checks as for members' files. */
export async function receiveSystemFile(platform: Platform, system: string, request: Upload) {
  const type = request.headers['content-type']
  const boundary =
    boundaryOf(typeof type === 'string' ? type : undefined) ?? fail('request.unsupported_media')
  const { largest } = await uploadLimits(platform)
  // Refuse early if the declared size is too large; the allowance covers the form's own bytes.
  if (Number(request.headers['content-length'] ?? 0) > largest + 100_000) fail('file.too_large')
  const part = await receiveFile(request.raw, boundary, {
    field: 'file',
    folder: platform.files.partsFolder,
    maxBytes: largest,
  })
  const fileId = await checkUpload(platform, part, {
    async admit() {
      const name = cleanFileName(part.name)
      if (!formatOfName(name)) fail('file.type_refused')
      if (part.byteSize === 0) fail('file.empty')
      return name
    },
    keep: (checked, about) =>
      platform.db.transaction().execute(async (db) => {
        await lockSystem(db, system)
        if ((await countUnattachedBytes(db, system)) + checked.byteSize > maxUnattachedBytes)
          fail('file.quota_full')
        const id = await platform.files.keepNamed(db, checked, about)
        await db.insertInto('message_file').values({ file_id: id, system }).execute()
        return id
      }),
  })
  const [file] = await listFiles(platform.db, system, [fileId])
  return file ?? fail('file.upload_broken')
}

/** Serialises uploads of a system, for the quota. */
const lockSystem = (db: Db, system: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`message-files ${system}`}, 0))`.execute(db)

async function countUnattachedBytes(db: Db, system: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('message_file as sent')
    .innerJoin('file', 'file.id', 'sent.file_id')
    .select(sql<string>`coalesce(sum(file.byte_size), 0)`.as('bytes'))
    .where('sent.system', '=', system)
    .where(
      sql<boolean>`not exists (select from message_attachment used where used.file_id = sent.file_id)`,
    )
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

const listFiles = (db: Db, system: string, ids: readonly string[]) =>
  db
    .selectFrom('message_file as sent')
    .innerJoin('file', 'file.id', 'sent.file_id')
    .select([
      'file.id as fileId',
      sql<string>`coalesce(file.name, '')`.as('name'),
      'file.media_type as mediaType',
      'file.byte_size as size',
    ])
    .where('sent.system', '=', system)
    .where('file.id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()

/** The files a call attaches, in its order. @throws request.invalid for a file the system does not own */
export async function attachmentsOf(
  db: Db,
  system: string,
  attachments: readonly { fileId: string }[],
): Promise<{ fileId: string; name: string }[]> {
  if (attachments.length === 0) return []
  const found = new Map(
    (
      await listFiles(
        db,
        system,
        attachments.map(({ fileId }) => fileId),
      )
    ).map((file) => [file.fileId, file]),
  )
  const issues = attachments.flatMap(({ fileId }, index): [string, IssueKind][] =>
    found.has(fileId) ? [] : [[`attachments.${index}.fileId`, 'unknown']],
  )
  if (issues.length > 0) fail('request.invalid', { fields: Object.fromEntries(issues) })
  return [...new Set(attachments.map(({ fileId }) => fileId))].map((fileId) => ({
    fileId,
    name: found.get(fileId)?.name ?? '',
  }))
}
