import type { ArticleSummary } from '@atrium/contract/content/news'
import { sql } from 'kysely'
import { visibleTo } from '#platform/audience.ts'
import { type Db, prepared } from '#platform/database/db.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { cursorPage, cursorShapes, exactTime, readCursor } from '#platform/http/paging.ts'
import type { PictureFile, Pictures } from '#platform/images/pictures.ts'
import { forGuests, signedFiles } from '#platform/storage/file-use.ts'

type CommentMode = 'off' | 'approved' | 'open'

export const listColumns = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('news_column')
    .select(['id', 'code as columnCode', 'name', 'name_en as nameEn', 'parent_id as parentId'])
    .where(visibleTo(viewer))
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Published articles in columns this viewer may read. */
export const visibleArticles = (db: Db, viewer: Pick<Viewer, 'audiences'>) =>
  db
    .selectFrom('article')
    .innerJoin('news_column', 'news_column.id', 'article.column_id')
    .leftJoin('file as image', 'image.id', 'article.image_file_id')
    // A literal: with a parameter PostgreSQL could not use the partial index on published articles.
    .where('article.status', '=', sql.lit('published'))
    .where('article.published_at', '<=', sql<string>`now()`)
    .where(visibleTo(viewer, 'news_column.audience_id'))

export const summaryColumns = [
  'article.id',
  'article.column_id',
  'article.title',
  'article.title_en',
  'image.id as image_id',
  // No signature if guests may see the article: the column's audience covers the picture.
  sql<boolean>`(image.is_public or ${forGuests('news_column.audience_id')})`.as('image_public'),
  'image.media_type as image_type',
  'article.image_focus_x',
  'article.image_focus_y',
  'article.department',
  'article.department_en',
  'article.published_at',
  'article.read_count',
  'article.pinned',
  'article.url',
  // Compares lengths only, so PostgreSQL does not fetch the texts.
  sql<boolean>`article.body <> ''`.as('has_zh'),
  sql<boolean>`article.body_en <> ''`.as('has_en'),
] as const
type SummaryRow = Awaited<ReturnType<typeof selectSummaries>>[number]
const selectSummaries = (db: Db, viewer: Viewer) =>
  visibleArticles(db, viewer).select(summaryColumns).execute()

export const imageOf = (row: SummaryRow): PictureFile => ({
  id: row.image_id,
  is_public: row.image_public,
  media_type: row.image_type,
  ...(row.image_focus_x !== null &&
    row.image_focus_y !== null && { focus: { x: row.image_focus_x, y: row.image_focus_y } }),
})

export const toSummary =
  (pictures: Pictures) =>
  (row: SummaryRow): ArticleSummary => ({
    id: row.id,
    columnId: row.column_id,
    title: row.title,
    titleEn: row.title_en,
    titleImage: pictures.address('thumbnail', imageOf(row)),
    releaseDeptName: row.department,
    releaseDeptNameEn: row.department_en,
    releaseStartTime: row.published_at,
    readCount: row.read_count,
    pinned: row.pinned,
    url: row.url,
    languages: [...(row.has_zh ? ['zh' as const] : []), ...(row.has_en ? ['en' as const] : [])],
  })

type Page = {
  audiences: readonly number[]
  columnId?: string | undefined
  columnIds?: readonly string[] | undefined
  afterPinned?: string | undefined
  afterTime?: string | undefined
  afterId?: string | undefined
  limit: number
  offset?: number | undefined
}
const selectPage = prepared((db, page: Page) => {
  const { columnId, columnIds, afterPinned, afterTime, afterId, limit } = page
  let query = visibleArticles(db, page)
    .select(summaryColumns)
    .select(exactTime('article.published_at').as('exact'))
  if (columnId)
    query = query.where('article.column_id', '=', columnId).orderBy('article.pinned', 'desc')
  // The newest of each column, pinned and unpinned separately, straight from the column list's index; then the newest
  // of these.
  if (columnIds)
    query = query.where(
      'article.id',
      '=',
      sql<string>`any(array(
        select newest.id
        from news_column wanted
        cross join (values (true), (false)) as half (pinned)
        cross join lateral (
          select id, published_at from article one
          where one.column_id = wanted.id and one.pinned = half.pinned and one.status = 'published'
            and one.published_at <= now() ${
              afterTime
                ? sql`and (one.published_at, one.id) < (${afterTime}::timestamptz, ${afterId}::bigint)`
                : sql``
            }
          order by one.published_at desc, one.id desc limit ${limit}
        ) newest
        where wanted.id = any(${columnIds}::bigint[]) and ${visibleTo(page, 'wanted.audience_id')}
        order by newest.published_at desc, newest.id desc limit ${limit}
      ))`,
    )
  else if (afterTime)
    query = query.where(
      columnId
        ? sql<boolean>`(article.pinned, article.published_at, article.id) < (${afterPinned}::boolean, ${afterTime}::timestamptz, ${afterId}::bigint)`
        : sql<boolean>`(article.published_at, article.id) < (${afterTime}::timestamptz, ${afterId}::bigint)`,
    )
  return query
    .orderBy('article.published_at', 'desc')
    .orderBy('article.id', 'desc')
    .limit(limit)
    .$if(page.offset !== undefined, (numbered) => numbered.offset(page.offset ?? 0))
})

/**
 * Articles, newest first; within a column pinned ones come first. The cursor marks a position between two articles, so
 * articles published during paging are neither repeated nor skipped.
 */
export async function listArticles(
  db: Db,
  viewer: Viewer,
  pictures: Pictures,
  filter: {
    columnId?: string | undefined
    columnIds?: readonly string[] | undefined
    cursor?: string | undefined
    pageNo?: number | undefined
    pageSize: number
  },
) {
  const { columnId, columnIds, cursor, pageNo = 1, pageSize } = filter
  const shape = [cursorShapes.flag, cursorShapes.time, cursorShapes.id]
  const [afterPinned, afterTime, afterId] = readCursor(cursor, shape) ?? []
  const { audiences } = viewer
  const after = { afterPinned: columnId && afterPinned, afterTime, afterId }
  const rows = await selectPage(db, {
    audiences,
    columnId,
    // Paging several columns by number would read all earlier pages; such callers use the cursor.
    columnIds: columnId ? undefined : columnIds,
    ...after,
    limit: pageSize + 1,
    offset: pageNo > 1 && !cursor && !columnIds ? (pageNo - 1) * pageSize : undefined,
  })
  return cursorPage(rows, pageSize, (row) => [row.pinned, row.exact, row.id], toSummary(pictures))
}

export const findColumnByCode = (db: Db, viewer: Viewer, code: string) =>
  db
    .selectFrom('news_column')
    .select('id')
    .where('code', '=', code)
    .where(visibleTo(viewer))
    .executeTakeFirst()

/** The article if this viewer may see it; a hidden one looks the same as a missing one. */
export const findArticle = (db: Db, viewer: Viewer, id: string) =>
  visibleArticles(db, viewer)
    .select(summaryColumns)
    .select([
      'news_column.name as column_name',
      'news_column.name_en as column_name_en',
      'article.author',
      'article.kind',
      'article.summary',
      'article.body',
      'article.body_en',
      'article.source_name',
      'article.needs_confirmation',
      signedFiles(
        'news_column.audience_id',
        sql`(article_id, article_version) = (
          select article_id, live_version from article_work work where work.article_id = article.id)`,
      ),
      sql<CommentMode>`coalesce(article.comment_mode, news_column.comment_mode)`.as('comment_mode'),
    ])
    .where('article.id', '=', id)
    .executeTakeFirst()

export const isVisible = async (db: Db, viewer: Viewer, id: string) =>
  (await visibleArticles(db, viewer)
    .select('article.id')
    .where('article.id', '=', id)
    .executeTakeFirst()) !== undefined

/** The previous and next article in the column's list order. */
export async function findNeighbours(db: Db, id: string) {
  const { rows } = await sql<{
    side: 'previous' | 'next'
    id: string
    title: string
    titleEn: string
  }>`
    with own as materialized (select column_id, pinned, published_at, id from article where id = ${id})
    (select 'previous' as side, one.id, one.title, one.title_en as "titleEn" from article one
     where one.column_id = (select column_id from own) and one.status = 'published' and one.published_at <= now()
       and (one.pinned, one.published_at, one.id) > ((select pinned from own), (select published_at from own), (select id from own))
     order by one.pinned, one.published_at, one.id limit 1)
    union all
    (select 'next', one.id, one.title, one.title_en from article one
     where one.column_id = (select column_id from own) and one.status = 'published' and one.published_at <= now()
       and (one.pinned, one.published_at, one.id) < ((select pinned from own), (select published_at from own), (select id from own))
     order by one.pinned desc, one.published_at desc, one.id desc limit 1)`.execute(db)
  const neighbour = (position: string) => {
    const found = rows.find(({ side }) => side === position)
    return found ? { id: found.id, title: found.title, titleEn: found.titleEn } : null
  }
  return { previous: neighbour('previous'), next: neighbour('next') }
}

export const listAttachments = (db: Db, articleId: string) =>
  db
    .selectFrom('article_attachment as attachment')
    .innerJoin('file', 'file.id', 'attachment.file_id')
    .select([
      'attachment.id',
      'attachment.name',
      'file.id as file_id',
      'file.media_type',
      'file.byte_size',
      'file.is_public',
    ])
    .where('attachment.article_id', '=', articleId)
    .orderBy('attachment.position')
    .orderBy('attachment.id')
    .limit(100)
    .execute()

/** Summaries of these articles in this order, without those the viewer may not see. */
export async function listSummaries(
  db: Db,
  viewer: Viewer,
  pictures: Pictures,
  ids: readonly string[],
) {
  const rows = await selectByIds(db, viewer, ids).select(summaryColumns).execute()
  return inOrder(rows, ids).map(toSummary(pictures))
}

const selectByIds = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  visibleArticles(db, viewer).where(
    'article.id',
    '=',
    sql<string>`any(${ids as string[]}::bigint[])`,
  )

function inOrder<Row extends { id: string }>(rows: readonly Row[], ids: readonly string[]) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** These articles with their texts, cut to 20,000 characters, for excerpts. */
export async function listSearchHits(db: Db, viewer: Viewer, ids: readonly string[]) {
  const rows = await selectByIds(db, viewer, ids)
    .select(summaryColumns)
    .select([
      'news_column.name as column_name',
      'news_column.name_en as column_name_en',
      'article.summary',
      sql<string>`left(article.body, 20000)`.as('body'),
      sql<string>`left(article.body_en, 20000)`.as('body_en'),
    ])
    .execute()
  return inOrder(rows, ids)
}

/** The most read articles of the last days that the viewer may read. */
export const listPopular = async (db: Db, viewer: Viewer, pictures: Pictures, limit: number) =>
  (
    await visibleArticles(db, viewer)
      .innerJoin('article_popular as popular', 'popular.article_id', 'article.id')
      .select(summaryColumns)
      .orderBy('popular.reads', 'desc')
      .orderBy('popular.article_id', 'desc')
      .limit(limit)
      .execute()
  ).map(toSummary(pictures))

const maxRelated = 3

/**
 * Keys of related articles: of the newest in the same column and overall, those sharing most words with this title.
 * Articles of the same column get 1.5 times the rank and fill up the list.
 */
export async function listRelated(db: Db, viewer: Viewer, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as materialized (
      select id, column_id, (
        select string_agg(quote_literal(lexeme), ' | ')::tsquery from unnest(search)
        where 'A' = any(weights) and lexeme ~ '^\\w{2,}$'
      ) as words
      from article where id = ${id}
    ), near as (
      (select a.id, a.column_id, a.published_at, a.search from article a
       where a.column_id = (select column_id from own) and a.status = 'published' and a.published_at <= now()
       order by a.pinned desc, a.published_at desc, a.id desc limit 300)
      union
      (select a.id, a.column_id, a.published_at, a.search from article a
       where a.status = 'published' and a.published_at <= now()
       order by a.published_at desc, a.id desc limit 300)
    )
    select near.id from own cross join near
    join news_column c on c.id = near.column_id and ${visibleTo(viewer, 'c.audience_id')}
    cross join lateral (
      select coalesce(ts_rank(near.search, own.words), 0) as rank, near.column_id = own.column_id as of_column
    ) fit
    where near.id <> own.id and (fit.rank > 0 or fit.of_column)
    order by fit.rank * case when fit.of_column then 1.5 else 1 end desc, near.published_at desc, near.id desc
    limit ${maxRelated}`.execute(db)
  return rows.map((row) => row.id)
}

/** Departments with an article the viewer may read, found by skipping through the index from one name to the next. */
export async function listDepartments(db: Db, viewer: Viewer) {
  const { rows } = await sql<{ name: string; nameEn: string }>`
    with recursive names as (
      (select department from article where status = 'published' and department > '' order by department limit 1)
      union all
      (select (select next.department from article next
               where next.status = 'published' and next.department > names.department
               order by next.department limit 1)
       from names where names.department is not null)
    )
    select found.department as name, found.department_en as "nameEn"
    from names cross join lateral (
      select a.department, a.department_en from article a
      join news_column c on c.id = a.column_id
      where a.department = names.department and a.status = 'published' and a.published_at <= now()
        and ${visibleTo(viewer, 'c.audience_id')}
      order by a.published_at desc limit 1
    ) found limit 200`.execute(db)
  return rows
}

export const listNotices = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('notice')
    .select([
      'id',
      'title',
      'title_en as titleEn',
      'content',
      'content_en as contentEn',
      'starts_at as startsAt',
      'ends_at as endsAt',
    ])
    .select(signedFiles('notice.audience_id', sql`notice_id = notice.id`))
    .where('starts_at', '<=', sql<string>`now()`)
    .where('ends_at', '>', sql<string>`now()`)
    .where(visibleTo(viewer))
    .orderBy('starts_at', 'desc')
    .limit(50)
    .execute()

export const insertNotice = async (db: Db, notice: NoticeRow) =>
  (await db.insertInto('notice').values(notice).returning('id').executeTakeFirstOrThrow()).id

export const updateNotice = async (db: Db, id: string, notice: NoticeRow) =>
  (
    await db
      .updateTable('notice')
      .set(notice)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
  )?.id

type NoticeRow = {
  title: string
  title_en: string
  content: string
  content_en: string
  starts_at: string
  ends_at: string
  audience_id: number
}
