import type { ArticleLine } from '@atrium/contract/news'
import { sql } from 'kysely'
import { visibleTo } from '#platform/audience.ts'
import { type Db, prepared } from '#platform/db.ts'
import type { Viewer } from '#platform/guard.ts'
import { cursorPage, cursorShapes, exactTime, readCursor } from '#platform/paging.ts'
import type { PictureFile, Pictures } from '../images/pictures.ts'

export const listColumns = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('news_column')
    .select(['id', 'code as columnCode', 'name', 'name_en as nameEn', 'parent_id as parentId'])
    .where(visibleTo(viewer))
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Published articles in columns this viewer may read. */
const visible = (db: Db, viewer: Pick<Viewer, 'audiences'>) =>
  db
    .selectFrom('article')
    .innerJoin('news_column', 'news_column.id', 'article.column_id')
    .leftJoin('file as image', 'image.id', 'article.image_file_id')
    // In the text of the statement: behind a parameter PostgreSQL could not see that the index of published ones will do.
    .where('article.status', '=', sql.lit('published'))
    .where('article.published_at', '<=', sql<string>`now()`)
    .where(visibleTo(viewer, 'news_column.audience_id'))

const lineColumns = [
  'article.id',
  'article.column_id',
  'article.title',
  'article.title_en',
  'image.id as image_id',
  'image.is_public as image_public',
  'image.media_type as image_type',
  'article.department',
  'article.department_en',
  'article.published_at',
  'article.read_count',
  'article.pinned',
  'article.url',
] as const
type LineRow = Awaited<ReturnType<typeof selectLines>>[number]
const selectLines = (db: Db, viewer: Viewer) => visible(db, viewer).select(lineColumns).execute()

export const imageOf = (row: LineRow): PictureFile => ({
  id: row.image_id,
  is_public: row.image_public,
  media_type: row.image_type,
})

export const toLine =
  (pictures: Pictures) =>
  (row: LineRow): ArticleLine => ({
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
  })

type Page = {
  audiences: readonly number[]
  columnId?: string | undefined
  afterPinned?: string | undefined
  afterTime?: string | undefined
  afterId?: string | undefined
  limit: number
}
const selectPage = prepared((db, page: Page) => {
  const { columnId, afterPinned, afterTime, afterId } = page
  let query = visible(db, page)
    .select(lineColumns)
    .select(exactTime('article.published_at').as('exact'))
  if (columnId)
    query = query.where('article.column_id', '=', columnId).orderBy('article.pinned', 'desc')
  if (afterTime)
    query = query.where(
      columnId
        ? sql<boolean>`(article.pinned, article.published_at, article.id) < (${afterPinned}::boolean, ${afterTime}::timestamptz, ${afterId}::bigint)`
        : sql<boolean>`(article.published_at, article.id) < (${afterTime}::timestamptz, ${afterId}::bigint)`,
    )
  return query
    .orderBy('article.published_at', 'desc')
    .orderBy('article.id', 'desc')
    .limit(page.limit)
})

/**
 * Articles, newest first; within a column the pinned ones before. The cursor names a place between two articles, so new
 * ones that arrive meanwhile neither repeat nor skip any.
 */
export async function listArticles(
  db: Db,
  viewer: Viewer,
  pictures: Pictures,
  filter: { columnId?: string | undefined; cursor?: string | undefined; pageSize: number },
) {
  const { columnId, cursor, pageSize } = filter
  const shape = [cursorShapes.flag, cursorShapes.time, cursorShapes.id]
  const [afterPinned, afterTime, afterId] = readCursor(cursor, shape) ?? []
  const { audiences } = viewer
  const after = { afterPinned: columnId && afterPinned, afterTime, afterId }
  const rows = await selectPage(db, { audiences, columnId, ...after, limit: pageSize + 1 })
  return cursorPage(rows, pageSize, (row) => [row.pinned, row.exact, row.id], toLine(pictures))
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
  visible(db, viewer)
    .select(lineColumns)
    .select([
      'news_column.name as column_name',
      'news_column.name_en as column_name_en',
      'article.author',
      'article.summary',
      'article.body',
      'article.body_en',
    ])
    .where('article.id', '=', id)
    .executeTakeFirst()

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
    .where('starts_at', '<=', sql<string>`now()`)
    .where('ends_at', '>', sql<string>`now()`)
    .where(visibleTo(viewer))
    .orderBy('starts_at', 'desc')
    .limit(50)
    .execute()
