import type { UploadedFile } from '@atrium/contract/content/files'
import { kindOfFile } from '@atrium/rules/file-kinds'
import type { Files } from '#platform/storage/files.ts'
import type { FileRow } from './queries.ts'

/** A file as its owner sees it. */
export function describeFile(files: Files, row: FileRow): UploadedFile {
  const name = row.name ?? row.id
  return {
    id: row.id,
    name,
    mediaType: row.media_type,
    kind: kindOfFile(name, row.media_type),
    byteSize: row.byte_size,
    createdAt: row.created_at,
    url: files.address(row),
    held: !row.scanned,
  }
}
