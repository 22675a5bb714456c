import { news } from '@atrium/contract/content/news'
import { home } from '@atrium/contract/shell/home'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '#lib/queries.ts'
import { setCount } from '#shell/badge.ts'

/** Everything home shows, in one request; also updates the tab bar's counts. */
export function useHome() {
  const query = useQuery(q(home.read))
  const { data, dataUpdatedAt } = query
  useEffect(() => {
    // An answer stored by an earlier start says nothing about the current counts.
    if (!data || dataUpdatedAt < performance.timeOrigin) return
    setCount('unread', data.unread, dataUpdatedAt)
    if (data.todo) setCount('todo', data.todo.total, dataUpdatedAt)
  }, [data, dataUpdatedAt])
  return query
}

/**
 * The first articles of a column. The news area's own queries paginate, which is more code than the first screen needs.
 */
export const useColumnStart = (columnId: string, pageSize: number) =>
  useQuery(q(news.list, { query: { columnId, pageSize } }))
