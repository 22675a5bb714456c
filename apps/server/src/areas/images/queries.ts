import type { Db } from '#platform/db.ts'

export const findFile = (db: Db, id: string) =>
  db
    .selectFrom('file')
    .select(['sha256', 'media_type', 'byte_size', 'is_public'])
    .where('id', '=', id)
    .executeTakeFirst()
