import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { lineFacts, managed, summaryColumns } from './queries.ts'

const maxPlanned = 500
/** What nobody has published is where it is meant to be, the rest where it appears or appeared. */
const moment = sql<string>`case when article.status = 'published' then article.published_at else work.planned_at end`

/**
 * What appears or is meant to appear from one moment until another, the earliest first.
 * @param from ISO 8601
 * @param to not included
 */
export const listPlanned = (db: Db, viewer: Member, from: string, to: string) =>
  managed(db, viewer)
    .select(summaryColumns)
    .select(lineFacts)
    .where(
      sql<boolean>`((article.status = 'published' and article.published_at >= ${from}::timestamptz
          and article.published_at < ${to}::timestamptz)
        or (article.status <> 'published' and work.planned_at >= ${from}::timestamptz and work.planned_at < ${to}::timestamptz))`,
    )
    .orderBy(moment)
    .orderBy('article.id')
    .limit(maxPlanned)
    .execute()
