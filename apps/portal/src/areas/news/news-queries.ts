import { news, notices } from '@atrium/contract/news'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { pages, q } from '#lib/queries.ts'

export const useColumns = () => useQuery({ ...q(news.columns), staleTime: 5 * 60_000 })

/** The beginning of a column. */
export const useNewest = (columnId: string, pageSize: number, wanted = true) =>
  useQuery({ ...q(news.list, { query: { columnId, pageSize } }), enabled: wanted })

/** Articles of a column, or of all. */
export const useArticles = (columnId: string | undefined) =>
  useInfiniteQuery(pages(news.list, { query: { columnId } }))

export const useArticle = (id: string, columnId: string | undefined) =>
  useQuery({
    ...q(news.read, { params: { id }, query: { columnId } }),
    staleTime: 5 * 60_000,
  })

export const useNotices = () => useQuery(q(notices.list))
