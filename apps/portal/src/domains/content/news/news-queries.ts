import { appGroups } from '@atrium/contract/content/app-groups'
import { comments } from '@atrium/contract/content/comments'
import { news, notices } from '@atrium/contract/content/news'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { pages, q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { useOptimisticAction } from '#shell/page/action.ts'
import { arranged } from './columns.ts'

export const useColumns = () => useQuery({ ...q(news.columns), staleTime: 5 * 60_000 })

/** The columns as the member arranged them; disabled for visitors. */
export const useOwnColumns = () =>
  useQuery({ ...q(news.ownColumns), enabled: useSession() !== null, staleTime: 5 * 60_000 })

/** Saves subscriptions and order of the given columns. */
export const useArrangeColumns = () =>
  useOptimisticAction(news.arrangeColumns, {
    query: q(news.ownColumns),
    update: (columns, { body }) => arranged(columns, body.columns),
    queue: 'own columns',
  })

/** Articles of one column, of several, or of all. */
export const useArticles = (columns: readonly string[]) => useInfiniteQuery(articlePages(columns))

export const articlePages = (columns: readonly string[]) =>
  pages(news.list, {
    query: columns.length > 1 ? { columnIds: columns.join() } : { columnId: columns[0] },
  })

export const useArticle = (id: string) =>
  useQuery({
    ...q(news.read, { params: { id } }),
    staleTime: 5 * 60_000,
  })

export const useRelated = (id: string) =>
  useQuery({ ...q(news.related, { params: { id } }), staleTime: 5 * 60_000 })

export const useNotices = () => useQuery(q(notices.list))

export const usePopular = () => useQuery({ ...q(news.popular), staleTime: 5 * 60_000 })

export const useDepartments = () => useQuery({ ...q(news.departments), staleTime: 5 * 60_000 })

type ArticleSearch = {
  keyWords: string
  columnId: string | undefined
  department: string | undefined
  from: string | undefined
  to: string | undefined
  order: 'relevance' | 'newest'
}
export const useArticleSearch = (search: ArticleSearch) =>
  useInfiniteQuery({
    ...pages(news.search, { query: search }),
    placeholderData: keepPreviousData,
  })

export const useOpinions = (id: string) => useQuery(q(comments.opinions, { params: { id } }))
export const useComments = (id: string) =>
  useInfiniteQuery(pages(comments.list, { params: { id } }))
export const useOwnComments = (id: string) =>
  useQuery({ ...q(comments.own, { params: { id } }), enabled: useSession() !== null })

export const useAppGroups = () => useQuery(q(appGroups.read))
