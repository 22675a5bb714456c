import type { news, notices } from '@atrium/contract/content/news'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { openAudienceCheck } from '#platform/audience-text.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import {
  fileIssues,
  filesNamedIn,
  listUses,
  replaceUses,
  withPlainAddresses,
  withShownFiles,
} from '#platform/storage/file-use.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'
import { arrangeColumns, listOwnColumns } from './columns.ts'
import {
  findArticle,
  findColumnByCode,
  findNeighbours,
  imageOf,
  insertNotice,
  isVisible,
  listArticles,
  listAttachments,
  listColumns,
  listDepartments,
  listNotices,
  listPopular,
  listRelated,
  listSearchHits,
  listSummaries,
  toSummary,
  updateNotice,
} from './queries.ts'
import { recordReading } from './reads.ts'
import { dayBounds, embedsFile, leadOf, withOwnMedia } from './rules.ts'
import { findArticles } from './search.ts'
import { excerptOf, parseSearchQuery, textOf } from './search-words.ts'
import { shownText } from './shown-text.ts'

/** Maximum search results per page: each includes an excerpt of its text. */
const maxSearchPageSize = 50

export const newsHandlers: Handlers<typeof news> = {
  columns: ({ db, viewer }) => listColumns(db, viewer),

  async list({ db, viewer, query, platform }) {
    const column = query.columnCode
      ? ((await findColumnByCode(db, viewer, query.columnCode)) ?? fail('news.column_not_found'))
      : undefined
    const columnId = query.columnId ?? column?.id
    const pictures = await picturesOf(platform)
    const { cursor, pageNo } = query
    const pageSize = pageSizeOf(query)
    if (query.keyWords) {
      const searchQuery = await parseSearchQuery(query.keyWords)
      if (!searchQuery) return { list: [], nextCursor: null }
      const filter = { columnId, order: 'newest' as const, cursor, pageSize }
      const { ids, nextCursor } = await findArticles(platform.pool, viewer, searchQuery, filter)
      return { list: await listSummaries(db, viewer, pictures, ids), nextCursor }
    }
    const columnIds = query.columnIds?.split(',')
    return listArticles(db, viewer, pictures, { columnId, columnIds, cursor, pageNo, pageSize })
  },

  async read({ db, viewer, params, platform }) {
    const row = (await findArticle(db, viewer, params.id)) ?? fail('news.not_found')
    const [pictures, neighbours, attachments] = await Promise.all([
      picturesOf(platform),
      findNeighbours(db, row.id),
      listAttachments(db, row.id),
    ])
    const content = shownText(platform, pictures, row.signed, row.body, 'zh')
    const contentEn = shownText(platform, pictures, row.signed, row.body_en, 'en')
    return {
      ...toSummary(pictures)(row),
      // A text may contain its title picture itself; the page then does not show it twice.
      titleImage: embedsFile(content, row.image_id)
        ? platform.files.address({ id: row.image_id ?? '', is_public: row.image_public ?? false })
        : pictures.address('wide', imageOf(row)),
      columnName: row.column_name,
      columnNameEn: row.column_name_en,
      author: row.author,
      contentDesc: row.summary,
      lead: row.kind === 'announcement' ? leadOf(row.summary, row.body) : '',
      content,
      contentEn,
      sourceName: row.source_name,
      commentMode: row.comment_mode,
      needsConfirmation: row.needs_confirmation,
      attachments: attachments.map(({ id, name, media_type, byte_size, file_id, is_public }) => ({
        id,
        name,
        mediaType: media_type,
        size: byte_size,
        url: platform.files.address({ id: file_id, is_public }),
      })),
      ...neighbours,
    }
  },

  async countRead({ db, viewer, params: { id }, platform, request }) {
    if (!(await isVisible(db, viewer, id))) fail('news.not_found')
    await recordReading(platform, viewer, id, request)
    return null
  },

  async related({ db, viewer, params: { id }, platform }) {
    if (!(await isVisible(db, viewer, id))) fail('news.not_found')
    const ids = await listRelated(db, viewer, id)
    return listSummaries(db, viewer, await picturesOf(platform), ids)
  },

  popular: async ({ db, viewer, query, platform }) =>
    listPopular(db, viewer, await picturesOf(platform), query.pageSize ?? 10),

  async search({ db, viewer, query, platform }) {
    const searchQuery = await parseSearchQuery(query.keyWords)
    if (!searchQuery) return { list: [], nextCursor: null, words: [] }
    const { timeZone } = await currentSettings(platform)
    const { ids, nextCursor } = await findArticles(platform.pool, viewer, searchQuery, {
      columnId: query.columnId,
      department: query.department,
      ...dayBounds(query.from, query.to, timeZone),
      order: query.order,
      cursor: query.cursor,
      pageSize: Math.min(pageSizeOf(query), maxSearchPageSize),
    })
    const pictures = await picturesOf(platform)
    const rows = await listSearchHits(db, viewer, ids)
    return {
      list: rows.map((row) => ({
        ...toSummary(pictures)(row),
        columnName: row.column_name,
        columnNameEn: row.column_name_en,
        excerpt: excerptOf([row.summary, textOf(row.body), textOf(row.body_en)], searchQuery.words),
      })),
      nextCursor,
      words: searchQuery.words,
    }
  },

  departments: ({ db, viewer }) => listDepartments(db, viewer),

  ownColumns: ({ db, viewer }) => listOwnColumns(db, viewer),

  arrangeColumns: ({ platform, viewer, body }) =>
    platform.db.transaction().execute(async (db) => {
      if (!(await arrangeColumns(db, viewer, body.columns))) fail('news.column_not_found')
      return listOwnColumns(db, viewer)
    }),

  async marquee({ db, viewer }) {
    return (await listNotices(db, viewer)).map(({ id, title, titleEn }) => ({ id, title, titleEn }))
  },
}

export const noticeHandlers: Handlers<typeof notices> = {
  async list({ db, viewer, platform }) {
    const pictures = await picturesOf(platform)
    return (await listNotices(db, viewer)).map(({ signed, ...notice }) => {
      const render = (html: string) => withShownFiles(platform.files, html, signed)
      return {
        ...notice,
        content: withOwnMedia(render(notice.content), 'zh', pictures.ofText),
        contentEn: withOwnMedia(render(notice.contentEn), 'en', pictures.ofText),
      }
    })
  },

  async save({ platform, viewer, body: { id, audience, ...notice } }) {
    if (Date.parse(notice.endsAt) <= Date.parse(notice.startsAt))
      fail('request.invalid', { fields: { endsAt: 'order' } })
    const rules = audience.map(
      ({ effect, kind, target }): Rule =>
        kind === 'everybody' || kind === 'guests' ? { effect, kind } : { effect, kind, target },
    )
    if (!rules.some(({ effect }) => effect === 'include'))
      fail('request.invalid', { fields: { audience: 'nobody' } })
    const unknown = await openAudienceCheck(platform.db)
    rules.forEach((rule, index) => {
      if (unknown([rule]))
        fail('request.invalid', { fields: { [`audience.${index}.target`]: 'unknown' } })
    })
    const sanitize = (html: string) => withPlainAddresses(cleanRichText(html), platform.isOwnOrigin)
    const content = sanitize(notice.content)
    const contentEn = sanitize(notice.contentEn)
    const files = filesNamedIn({ content, contentEn })
    const existingUses = id ? await listUses(platform.db, { notice_id: id }) : []
    const fields = await fileIssues(
      platform.db,
      viewer,
      files,
      new Set(existingUses.map((file) => file.id)),
    )
    if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
    const saved = await platform.db.transaction().execute(async (db) => {
      const row = {
        title: notice.title,
        title_en: notice.titleEn,
        content,
        content_en: contentEn,
        starts_at: notice.startsAt,
        ends_at: notice.endsAt,
        audience_id: await audienceFor(db, rules),
      }
      const key = id ? await updateNotice(db, id, row) : await insertNotice(db, row)
      if (!key) return fail('news.notice_not_found')
      await replaceUses(db, { notice_id: key }, [...files.keys()])
      await invalidate(db, 'notices')
      return key
    })
    return { ...notice, id: saved, content, contentEn }
  },
}
