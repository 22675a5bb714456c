import type { Candidate, Entry, Searchable } from '#platform/search-source.ts'
import { listSearchHits } from './queries.ts'
import { findArticles } from './search.ts'
import { excerptOf, parseSearchQuery, textOf } from './search-words.ts'

/** Maximum offset in a search of all kinds; the news search page has no such limit. */
const maxOffset = 300
/** Number of newest articles ranked when searching all kinds, where only a few are shown. */
const rankedInMixedSearch = 100

export const newsSearch: Searchable = {
  entries: [
    {
      kind: 'column',
      topics: ['news'],
      async entries({ db }) {
        const rows = await db
          .selectFrom('news_column')
          .select(['id', 'code', 'name', 'name_en', 'audience_id'])
          .execute()
        return rows.map(
          (row): Entry => ({
            id: row.id,
            title: row.name,
            titleEn: row.name_en,
            to: `/pages/channel/channel?${new URLSearchParams({ columnCode: row.code })}`,
            shownTo: { audienceId: row.audience_id },
          }),
        )
      },
    },
  ],
  records: [
    {
      kind: 'news',
      access: 'guest',
      async find({ db, pool }, viewer, { text, words }, { limit, offset, alone }) {
        if (offset >= maxOffset) return []
        // Question words do not occur in articles, so only the extracted words are used.
        const searchQuery = await parseSearchQuery(
          /["“”«»「」『』]/.test(text) ? text : words.join(' '),
        )
        if (!searchQuery) return []
        const filter = {
          order: 'relevance',
          pageSize: offset + limit,
          ...(!alone && { ranked: rankedInMixedSearch }),
        } as const
        const { ids } = await findArticles(pool, viewer, searchQuery, filter)
        const rows = await listSearchHits(db, viewer, ids.slice(offset))
        return rows.map((row): Candidate => {
          const excerpt = excerptOf(
            [row.summary, textOf(row.body), textOf(row.body_en)],
            searchQuery.words,
          )
          return {
            id: row.id,
            title: row.title,
            titleEn: row.title_en,
            text: excerpt,
            at: row.published_at,
            to: `/pagesA/news/detail?${new URLSearchParams({ id: row.id, columnId: row.column_id })}`,
          }
        })
      },
    },
  ],
}
