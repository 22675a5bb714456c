import type { news, notices } from '@atrium/contract/news'
import { fail } from '#platform/errors.ts'
import { pageSizeOf } from '#platform/paging.ts'
import type { Handlers } from '#platform/serve.ts'
import { picturesOf } from '../images/pictures.ts'
import {
  findArticle,
  findColumnByCode,
  imageOf,
  listArticles,
  listColumns,
  listNotices,
  toLine,
} from './queries.ts'
import { withOwnPictures } from './rules.ts'

export const newsHandlers: Handlers<typeof news> = {
  columns: ({ db, viewer }) => listColumns(db, viewer),

  async list({ db, viewer, query, platform }) {
    const column = query.columnCode
      ? ((await findColumnByCode(db, viewer, query.columnCode)) ?? fail('news.column_not_found'))
      : undefined
    const columnId = query.columnId ?? column?.id
    return listArticles(db, viewer, await picturesOf(platform), {
      columnId,
      cursor: query.cursor,
      pageSize: pageSizeOf(query),
    })
  },

  async read({ db, viewer, params, platform }) {
    const row = (await findArticle(db, viewer, params.id)) ?? fail('news.not_found')
    const pictures = await picturesOf(platform)
    const content = withOwnPictures(row.body, 'zh', pictures.ofText)
    const contentEn = withOwnPictures(row.body_en, 'en', pictures.ofText)
    return {
      ...toLine(pictures)(row),
      // A text that shows its title picture itself names the file: so a page can tell.
      titleImage: content.includes(`"/files/${row.image_id}"`)
        ? `/files/${row.image_id}`
        : pictures.address('wide', imageOf(row)),
      columnName: row.column_name,
      columnNameEn: row.column_name_en,
      author: row.author,
      contentDesc: row.summary,
      content,
      contentEn,
    }
  },

  async marquee({ db, viewer }) {
    return (await listNotices(db, viewer)).map(({ id, title, titleEn }) => ({ id, title, titleEn }))
  },
}

export const noticeHandlers: Handlers<typeof notices> = {
  async list({ db, viewer, platform }) {
    const pictures = await picturesOf(platform)
    return (await listNotices(db, viewer)).map((notice) => ({
      ...notice,
      content: withOwnPictures(notice.content, 'zh', pictures.ofText),
      contentEn: withOwnPictures(notice.contentEn, 'en', pictures.ofText),
    }))
  },
}
