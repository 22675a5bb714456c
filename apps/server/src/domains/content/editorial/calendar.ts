import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { managedArticles, summaryColumns, summaryExpressions } from './queries.ts'

const maxPlanned = 500
/** The calendar position: planned time if unpublished, otherwise publication time. */
const calendarTime = sql<string>`case when article.status = 'published' then article.published_at else work.planned_at end`

/**
 * Articles published or planned within a period, earliest first.
 * @param from ISO 8601
 * @param to exclusive
 */
export const listPlanned = (db: Db, viewer: Member, from: string, to: string) =>
  managedArticles(db, viewer)
    .select(summaryColumns)
    .select(summaryExpressions)
    .where(
      sql<boolean>`((article.status = 'published' and article.published_at >= ${from}::timestamptz
          and article.published_at < ${to}::timestamptz)
        or (article.status <> 'published' and work.planned_at >= ${from}::timestamptz and work.planned_at < ${to}::timestamptz))`,
    )
    .orderBy(calendarTime)
    .orderBy('article.id')
    .limit(maxPlanned)
    .execute()
