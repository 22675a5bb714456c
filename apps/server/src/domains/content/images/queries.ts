import type { Db } from '#platform/database/db.ts'

/** A file that may be shown; quarantined files count as missing. */
export const findFile = (db: Db, id: string) =>
  db
    .selectFrom('file')
    .select(['sha256', 'media_type', 'byte_size', 'is_public'])
    .where('id', '=', id)
    .where('scanned', '=', true)
    .executeTakeFirst()
