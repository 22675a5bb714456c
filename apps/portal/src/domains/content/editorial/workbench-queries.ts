import { announcementConsole } from '@atrium/contract/content/announcements'
import {
  type ManagedArticleLine as LineSchema,
  type ManagedArticle,
  type ManagedColumn,
  newsConsole,
} from '@atrium/contract/content/editorial.operator'
import { articleReview } from '@atrium/contract/content/editorial-review.operator'
import { news } from '@atrium/contract/content/news'
import { workbench } from '@atrium/contract/content/workbench.operator'
import type { Static } from '@atrium/contract/define'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { inDepartment } from '#domains/content/workbench/workbench-queries.ts'
import { pages, q, queryClient, setAnswer } from '#lib/queries.ts'

export type Kind = 'article' | 'announcement'
export type ArticleLine = Static<typeof LineSchema>
export type Managed = Static<typeof ManagedArticle>
export type Filter =
  | 'all'
  | 'draft'
  | 'review'
  | 'refused'
  | 'approved'
  | 'shown'
  | 'withdrawn'
  | 'confirming'

export const useArticles = (kind: Kind, filter: Filter, department: string | undefined) =>
  useInfiniteQuery(
    pages(newsConsole.list, {
      query: {
        kind,
        ...inDepartment(department),
        ...chosen(filter),
      },
    }),
  )

function chosen(filter: Filter) {
  if (filter === 'all') return {}
  if (filter === 'confirming') return { confirming: true }
  return filter === 'shown' || filter === 'withdrawn' ? { showing: filter } : { state: filter }
}

export const useManaged = (id: string) =>
  useQuery({ ...q(newsConsole.read, { params: { id } }), enabled: id !== '' })

export const ownColumns = (department?: string) =>
  q(newsConsole.columns, { query: inDepartment(department) })
export const useOwnColumns = (department?: string) => useQuery(ownColumns(department))
export const useVersions = (id: string) => useQuery(q(newsConsole.versions, { params: { id } }))
export const useDifference = (id: string, number: number) =>
  useQuery(q(newsConsole.difference, { params: { id, number }, query: {} }))
export const useReaders = (id: string) =>
  useQuery(q(announcementConsole.statistics, { params: { id } }))

/** Endpoints to invalidate after an article has changed. */
export const changed = [
  newsConsole.list,
  articleReview.calendar,
  newsConsole.versions,
  newsConsole.difference,
  workbench.read,
  announcementConsole.statistics,
  news.list,
  news.read,
] as const

/** The article as last received: it may have been saved since the page was rendered. */
export const latestManaged = (article: Managed): Managed =>
  queryClient.getQueryData(q(newsConsole.read, { params: { id: article.id } }).queryKey) ?? article

/** Stores an answer that contains the article's current state. */
export const cacheManaged = (article: Managed) =>
  setAnswer(q(newsConsole.read, { params: { id: article.id } }), article)

export type Column = Static<typeof ManagedColumn>
/** Endpoints to invalidate after a column has changed. */
export const changedColumns = [
  newsConsole.columns,
  news.columns,
  news.list,
  workbench.read,
] as const
