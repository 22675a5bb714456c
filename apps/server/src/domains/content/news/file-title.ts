import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { visibleArticles } from './queries.ts'

/** The newest visible article with this file as its picture, as an attachment or in its text. */
export const findArticleOfFile = (db: Db, viewer: Viewer, fileId: string) =>
  visibleArticles(db, viewer)
    .select(['article.title', 'article.title_en as titleEn'])
    .where(
      sql<boolean>`article.id in (
        select pictured.id from article pictured where pictured.image_file_id = ${fileId}
        union all select attachment.article_id from article_attachment attachment where attachment.file_id = ${fileId}
        union all select used.article_id from file_use used
        join article_work work on work.article_id = used.article_id and work.live_version = used.article_version
        where used.file_id = ${fileId})`,
    )
    .orderBy('article.published_at', 'desc')
    .orderBy('article.id', 'desc')
    .limit(1)
    .executeTakeFirst()
