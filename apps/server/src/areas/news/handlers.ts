import type { news, notices } from '@atrium/contract/news'
import { fail } from '#platform/errors.ts'
import { pageSizeOf } from '#platform/paging.ts'
import type { Handlers } from '#platform/serve.ts'
import {
  findArticle,
  findColumnByCode,
  listArticles,
  listColumns,
  listNotices,
  toLine,
} from './queries.ts'

export const newsHandlers: Handlers<typeof news> = {
  columns: ({ db, viewer }) => listColumns(db, viewer),

  async list({ db, viewer, query, platform: { files } }) {
    const column = query.columnCode
      ? ((await findColumnByCode(db, viewer, query.columnCode)) ?? fail('news.column_not_found'))
      : undefined
    const columnId = query.columnId ?? column?.id
    return listArticles(db, viewer, files, {
      columnId,
      cursor: query.cursor,
      pageSize: pageSizeOf(query),
    })
  },

  async read({ db, viewer, params, platform: { files } }) {
    const row = (await findArticle(db, viewer, params.id)) ?? fail('news.not_found')
    return {
      ...toLine(files)(row),
      columnName: row.column_name,
      columnNameEn: row.column_name_en,
      author: row.author,
      contentDesc: row.summary,
      content: row.body,
      contentEn: row.body_en,
    }
  },

  async marquee({ db, viewer }) {
    return (await listNotices(db, viewer)).map(({ id, title, titleEn }) => ({ id, title, titleEn }))
  },
}

export const noticeHandlers: Handlers<typeof notices> = {
  list: ({ db, viewer }) => listNotices(db, viewer),
}
