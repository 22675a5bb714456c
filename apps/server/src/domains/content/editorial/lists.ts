import type { Showing } from '@atrium/contract/content/editorial.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import {
  cursorPage,
  cursorShapes,
  exactTime,
  pageSizeOf,
  pattern,
  readCursor,
} from '#platform/http/paging.ts'
import { managedArticles, showing, summaryColumns, summaryExpressions } from './queries.ts'

export type ListFilter = {
  columnId?: string
  kind?: string
  state?: string
  showing?: Showing
  confirming?: boolean
  q?: string
  cursor?: string
  pageSize?: number
}

function filtered(db: Db, viewer: Member, filter: ListFilter) {
  const { columnId, kind, state } = filter
  const text = filter.q?.trim()
  let query = managedArticles(db, viewer)
  if (columnId) query = query.where('article.column_id', '=', columnId)
  if (kind) query = query.where(sql`coalesce(newest.content ->> 'kind', article.kind)`, '=', kind)
  // Articles never edited here count as approved; the other states are few, and found without scanning all articles.
  if (state === 'approved') query = query.where(sql`coalesce(work.state, 'approved')`, '=', state)
  else if (state) query = query.where('work.state', '=', state)
  if (filter.showing) query = query.where(showing, '=', filter.showing)
  // Filters by the published text, not by the newest one.
  if (filter.confirming)
    query = query
      .where('article.needs_confirmation', '=', true)
      .where('article.kind', '=', 'announcement')
      .where(showing, '=', 'shown')
  if (text)
    query = query.where(
      sql<boolean>`(coalesce(newest.content ->> 'title', article.title) ilike ${pattern(text)}
        or coalesce(newest.content ->> 'titleEn', article.title_en) ilike ${pattern(text)})`,
    )
  return query
}

/** Total number of articles for `listManaged`. */
export async function countManaged(db: Db, viewer: Member, filter: ListFilter): Promise<number> {
  const { count } = await filtered(db, viewer, filter)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function listManaged(db: Db, viewer: Member, filter: ListFilter) {
  const [time, id] = readCursor(filter.cursor, [cursorShapes.time, cursorShapes.id]) ?? []
  const pageSize = pageSizeOf(filter)
  let query = filtered(db, viewer, filter)
    .select(summaryColumns)
    .select(summaryExpressions)
    .select(exactTime('article.updated_at').as('exact'))
  if (time)
    query = query.where(
      sql<boolean>`(article.updated_at, article.id) < (${time}::timestamptz, ${id}::bigint)`,
    )
  const rows = await query
    .orderBy('article.updated_at', 'desc')
    .orderBy('article.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _exact, ...line }) => line,
  )
}
