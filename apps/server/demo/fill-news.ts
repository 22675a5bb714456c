import type { Db } from '../src/platform/database/db.ts'
import { articlesAt, columns } from './news.ts'
import { organization } from './organizations.ts'
import { type audiences, type Ids, insert, numbered, type Row } from './rows.ts'
import { noticesAt } from './settings.ts'

export async function fillNews(
  db: Db,
  today: Date,
  imageIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const rows: Row[] = []
  for (const [at, column] of columns.entries()) {
    rows.push({
      id: at + 1,
      code: column.code,
      name: column.name,
      name_en: column.nameEn,
      audience_id: await audienceOf(column.audience),
      position: at + 1,
    })
  }
  await insert(db, 'news_column', rows)
  const columnIds = new Map(columns.map(({ code }, at) => [code, at + 1]))
  // The oldest article gets the lowest id, as if they had been written in order.
  await insert(
    db,
    'article',
    numbered(articlesAt(today).reverse(), (article) => ({
      column_id: columnIds.get(article.columnCode),
      source: 'demo',
      source_key: article.key,
      title: article.title,
      title_en: article.titleEn,
      summary: article.summary,
      body: article.body,
      body_en: article.bodyEn,
      author: article.author,
      department: organization(article.departmentCode).name,
      department_en: organization(article.departmentCode).nameEn,
      image_file_id: article.picture ? (imageIds.get(article.picture) ?? null) : null,
      url: '',
      pinned: article.pinned,
      status: 'published',
      published_at: article.publishedAt,
      read_count: article.reads,
    })),
  )
  const everybody = await audienceOf([
    { effect: 'include', kind: 'everybody' },
    { effect: 'include', kind: 'guests' },
  ])
  await insert(
    db,
    'notice',
    numbered(noticesAt(today), (notice) => ({
      title: notice.title,
      title_en: notice.titleEn,
      content: notice.content,
      content_en: notice.contentEn,
      starts_at: notice.startsAt,
      ends_at: notice.endsAt,
      audience_id: everybody,
    })),
  )
}
