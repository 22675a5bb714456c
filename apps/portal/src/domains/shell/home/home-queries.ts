import { news } from '@atrium/contract/content/news'
import { home } from '@atrium/contract/shell/home'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '#lib/queries.ts'
import { setCount } from '#shell/badge.ts'

/** Everything home shows, in one answer; what waits goes to the tab bar with it. */
export function useHome() {
  const query = useQuery(q(home.read))
  const { data, dataUpdatedAt } = query
  useEffect(() => {
    // An answer that was kept from an earlier start says nothing of now.
    if (!data || dataUpdatedAt < performance.timeOrigin) return
    setCount('unread', data.unread, dataUpdatedAt)
    if (data.todo) setCount('todo', data.todo.total, dataUpdatedAt)
  }, [data, dataUpdatedAt])
  return query
}

/** The beginning of a column of news. The news area's own queries page through lists: more than the first screen has to know. */
export const useColumnStart = (columnId: string, pageSize: number) =>
  useQuery(q(news.list, { query: { columnId, pageSize } }))
