import type { SendingDraft } from '@atrium/contract/work/sending'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { fileIssues } from '#platform/storage/file-use.ts'

type AttachedFiles = SendingDraft['files']

/**
 * The files to attach, each once: uploading the same file again yields the same id.
 * @throws request.invalid naming the files the sender may not attach
 */
export async function checkFiles(
  db: Db,
  viewer: Member,
  files: AttachedFiles,
): Promise<AttachedFiles> {
  const fields = await fileIssues(
    db,
    viewer,
    new Map(files.map(({ fileId }, index) => [fileId, `files.${index}.fileId`])),
  )
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  return uniqueFiles(files)
}

/** The files that still exist, each once. They are locked, so that none is deleted before the transaction ends. */
export async function lockFiles(db: Db, files: AttachedFiles): Promise<AttachedFiles> {
  if (files.length === 0) return []
  const rows = await db
    .selectFrom('file')
    .select('id')
    .where('id', '=', sql<string>`any(${files.map(({ fileId }) => fileId)}::bigint[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const existing = new Set(rows.map(({ id }) => id))
  return uniqueFiles(files).filter(({ fileId }) => existing.has(fileId))
}

const uniqueFiles = (files: AttachedFiles): AttachedFiles => [
  ...new Map(files.map((file) => [file.fileId, file])).values(),
]
