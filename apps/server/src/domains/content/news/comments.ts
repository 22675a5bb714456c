import type { OwnComment, ReviewedComment } from '@atrium/contract/content/comments'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { cursorPage, cursorShapes, exactTime, readCursor } from '#platform/http/paging.ts'
import { visibleArticles } from './queries.ts'

type Status = OwnComment['status']
export type CommentMode = 'off' | 'approved' | 'open'

/** The effective comment mode of an article, for a query that joins the article and its column. */
const commentMode = sql<CommentMode>`coalesce(article.comment_mode, news_column.comment_mode)`

/** Limits per member: comments per minute, comments awaiting review, reports per hour. */
const maxInAMinute = 5
const maxWaiting = 20
const maxReportsInAnHour = 30

// ---- likes ----

export const findOpinions = (db: Db, viewer: Viewer, articleId: string) =>
  visibleArticles(db, viewer)
    .select('article.like_count as likes')
    .select(
      sql<number>`case when ${commentMode} = 'off' then 0 else article.comment_count end`.as(
        'comments',
      ),
    )
    .select(
      sql<boolean>`exists (
        select from article_like where article_id = article.id and account_id = ${viewer.accountId}::bigint
      )`.as('liked'),
    )
    .where('article.id', '=', articleId)
    .executeTakeFirst()

/** A trigger maintains the counts. */
export const setLike = (db: Db, accountId: string, articleId: string, liked: boolean) =>
  liked
    ? sql`insert into article_like (article_id, account_id) values (${articleId}, ${accountId}) on conflict do nothing`.execute(
        db,
      )
    : sql`delete from article_like where article_id = ${articleId} and account_id = ${accountId}`.execute(
        db,
      )

// ---- comments ----

/** The comment mode of an article; undefined if the viewer may not read it. */
export const findCommentMode = async (
  db: Db,
  viewer: Viewer,
  articleId: string,
): Promise<CommentMode | undefined> =>
  (
    await visibleArticles(db, viewer)
      .select(commentMode.as('mode'))
      .where('article.id', '=', articleId)
      .executeTakeFirst()
  )?.mode

const selectComments = (db: Db) =>
  db
    .selectFrom('article_comment as comment')
    .innerJoin('account', 'account.id', 'comment.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select([
      'comment.id',
      'person.name as userName',
      'person.name_en as userNameEn',
      'comment.content',
      'comment.created_at as createdAt',
    ])

type Page = { cursor?: string | undefined; pageSize: number }
const placeShape = [cursorShapes.time, cursorShapes.id]

/** Public comments, newest first, without those of members the viewer has blocked. */
export async function listComments(db: Db, viewer: Viewer, articleId: string, page: Page) {
  const [time, id] = readCursor(page.cursor, placeShape) ?? []
  let query = selectComments(db)
    .select(exactTime('comment.created_at').as('exact'))
    .where('comment.article_id', '=', articleId)
    .where('comment.status', '=', sql.lit('shown'))
  if (viewer.signedIn)
    query = query.where(
      sql<boolean>`not exists (
        select from member_block where account_id = ${viewer.accountId}::bigint and blocked_account_id = comment.account_id
      )`,
    )
  if (time)
    query = query.where(
      sql<boolean>`(comment.created_at, comment.id) < (${time}::timestamptz, ${id}::bigint)`,
    )
  const rows = await query
    .orderBy('comment.created_at', 'desc')
    .orderBy('comment.id', 'desc')
    .limit(page.pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    page.pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _, ...comment }) => comment,
  )
}

export const listOwnComments = (db: Db, accountId: string, articleId: string) =>
  selectComments(db)
    .select([sql<Status>`comment.status`.as('status'), 'comment.reason'])
    .where('comment.account_id', '=', accountId)
    .where('comment.article_id', '=', articleId)
    .orderBy('comment.created_at', 'desc')
    .orderBy('comment.id', 'desc')
    .limit(50)
    .execute()

/** Adds a comment; undefined if the member is over the limit. */
export async function insertComment(
  db: Db,
  accountId: string,
  articleId: string,
  content: string,
  mode: 'approved' | 'open',
): Promise<OwnComment | undefined> {
  // Lock the account: concurrent requests of one member must not exceed the limit.
  await sql`select from account where id = ${accountId} for update`.execute(db)
  const { rows } = await sql<{ id: string }>`
    insert into article_comment (article_id, account_id, content, status)
    select ${articleId}::bigint, ${accountId}::bigint, ${content}, ${mode === 'open' ? 'shown' : 'waiting'}
    where (select count(*) from article_comment
           where account_id = ${accountId}::bigint and created_at > now() - interval '1 minute') < ${maxInAMinute}::integer
      and (select count(*) from article_comment
           where account_id = ${accountId}::bigint and status = 'waiting') < ${maxWaiting}::integer
    returning id`.execute(db)
  const [added] = rows
  if (!added) return undefined
  return selectComments(db)
    .select([sql<Status>`comment.status`.as('status'), 'comment.reason'])
    .where('comment.id', '=', added.id)
    .executeTakeFirstOrThrow()
}

export async function deleteOwnComment(db: Db, accountId: string, id: string) {
  const { numDeletedRows } = await db
    .deleteFrom('article_comment')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A comment by somebody else that is visible to this viewer. */
export const findOthersComment = (db: Db, viewer: Viewer, id: string) =>
  visibleArticles(db, viewer)
    .innerJoin('article_comment as comment', 'comment.article_id', 'article.id')
    .select('comment.id')
    .where('comment.id', '=', id)
    .where('comment.status', '=', 'shown')
    .where(commentMode, '<>', 'off')
    .where('comment.account_id', '<>', viewer.accountId ?? '0')
    .executeTakeFirst()

/** @returns false if the member has made too many reports within an hour */
export async function insertReport(db: Db, accountId: string, id: string, reason: string) {
  await sql`select from account where id = ${accountId} for update`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from article_comment_report
    where account_id = ${accountId} and created_at > now() - interval '1 hour'`.execute(db)
  if ((rows[0]?.count ?? 0) >= maxReportsInAnHour) return false
  await sql`
    insert into article_comment_report (comment_id, account_id, reason) values (${id}, ${accountId}, ${reason})
    on conflict do nothing`.execute(db)
  return true
}

// ---- for operators ----

export async function listToReview(db: Db, kind: Status | 'reported', { cursor, pageSize }: Page) {
  const [time, id] = readCursor(cursor, placeShape) ?? []
  // Pending comments are listed oldest first, decided ones newest first.
  const forward = kind === 'waiting' || kind === 'reported'
  let query = selectComments(db)
    .innerJoin('article', 'article.id', 'comment.article_id')
    .select([
      sql<Status>`comment.status`.as('status'),
      'comment.reason',
      'account.username',
      'article.id as articleId',
      'article.title as articleTitle',
      'comment.report_count as reportCount',
      'comment.decided_at as decidedAt',
    ])
    .select(
      sql<string[]>`array(
        select reason from article_comment_report where comment_id = comment.id and decided_at is null and reason <> ''
        order by created_at desc limit 10
      )`.as('reports'),
    )
    .select(exactTime('comment.created_at').as('exact'))
  query =
    kind === 'reported'
      ? query.where('comment.report_count', '>', 0).where('comment.status', '=', sql.lit('shown'))
      : query.where('comment.status', '=', kind)
  if (time)
    query = query.where(
      sql<boolean>`(comment.created_at, comment.id) ${sql.raw(forward ? '>' : '<')} (${time}::timestamptz, ${id}::bigint)`,
    )
  const direction = forward ? 'asc' : 'desc'
  const rows = await query
    .orderBy('comment.created_at', direction)
    .orderBy('comment.id', direction)
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _, ...comment }): ReviewedComment => comment,
  )
}

/**
 * Decides on a comment, replacing any earlier decision, and closes its reports. They are not deleted here: they count
 * towards the limit of reports per member.
 */
export async function decideComment(
  db: Db,
  operatorId: string,
  id: string,
  status: 'shown' | 'refused',
  reason: string,
) {
  const { numUpdatedRows } = await db
    .updateTable('article_comment')
    .set({ status, reason, decided_at: sql`now()`, decided_account_id: operatorId })
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('article_comment_report')
    .set({ decided_at: sql`now()` })
    .where('comment_id', '=', id)
    .where('decided_at', 'is', null)
    .execute()
  return true
}

/** Deletes decided reports that no longer count towards a limit. */
export const deleteDecidedReports = (db: Db) =>
  db
    .deleteFrom('article_comment_report')
    .where('decided_at', 'is not', null)
    .where('created_at', '<', sql<string>`now() - interval '1 hour'`)
    .execute()

export async function setCommentMode(
  db: Db,
  of: { columnId: string } | { articleId: string },
  mode: CommentMode | null,
) {
  const update =
    'columnId' in of
      ? db
          .updateTable('news_column')
          .set({ comment_mode: mode ?? 'approved' })
          .where('id', '=', of.columnId)
      : db.updateTable('article').set({ comment_mode: mode }).where('id', '=', of.articleId)
  return (await update.executeTakeFirst()).numUpdatedRows > 0n
}
