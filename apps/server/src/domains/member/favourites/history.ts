import type { VisitedArticle } from '@atrium/contract/member/favourites'
import { sql } from 'kysely'
import {
  summaryColumns as articleColumns,
  toSummary,
  visibleArticles,
} from '#domains/content/news/queries.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { cursorShapes, exactTime, hybridPage, hybridPageOf } from '#platform/http/paging.ts'
import type { Pictures } from '#platform/images/pictures.ts'
import { countHidden } from './queries.ts'

/** Maximum articles kept per member; the oldest are deleted first. */
export const maxVisits = 10_000

export async function listVisits(
  db: Db,
  viewer: Member,
  pictures: Pictures,
  query: { pageNo?: number; pageSize?: number; cursor?: string },
) {
  const turn = hybridPageOf(query, [cursorShapes.time, cursorShapes.id])
  const found = visibleArticles(db, viewer)
    .innerJoin('article_visit as visit', 'visit.article_id', 'article.id')
    .where('visit.account_id', '=', viewer.accountId)
  let page = found
    .select(articleColumns)
    .select('visit.visited_at')
    .select(exactTime('visit.visited_at').as('exact'))
  if (turn.after) {
    const [time, id] = turn.after
    page = page.where(
      sql<boolean>`(visit.visited_at, article.id) < (${time}::timestamptz, ${id}::bigint)`,
    )
  }
  const [{ total }, rows] = await Promise.all([
    found.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow(),
    page
      .orderBy('visit.visited_at', 'desc')
      .orderBy('article.id', 'desc')
      .limit(turn.limit)
      .offset(turn.offset)
      .execute(),
  ])
  const line = toSummary(pictures)
  return {
    ...(await countHidden(db, viewer.accountId, 'article_visit', query, total)),
    ...hybridPage(
      turn,
      total,
      rows,
      (row) => [row.exact, row.id],
      (row): VisitedArticle => ({ ...line(row), visitedAt: row.visited_at }),
    ),
  }
}

/** Records a visit; an article visited before moves to the top. Visits beyond the maximum are deleted. */
export async function recordVisit(db: Db, accountId: string, articleId: string) {
  await db
    .insertInto('article_visit')
    .values({ account_id: accountId, article_id: articleId })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'article_id']).doUpdateSet({ visited_at: sql`now()` }),
    )
    .execute()
  await sql`
    delete from article_visit where account_id = ${accountId} and (visited_at, article_id) <= (
      select visited_at, article_id from article_visit where account_id = ${accountId}
      order by visited_at desc, article_id desc offset ${maxVisits} limit 1)`.execute(db)
}

export const deleteVisit = (db: Db, accountId: string, articleId: string) =>
  db
    .deleteFrom('article_visit')
    .where('account_id', '=', accountId)
    .where('article_id', '=', articleId)
    .execute()

export const deleteVisits = (db: Db, accountId: string) =>
  db.deleteFrom('article_visit').where('account_id', '=', accountId).execute()
