import { home } from '@atrium/contract/home'
import { messages } from '@atrium/contract/messages'
import { news } from '@atrium/contract/news'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '#lib/queries.ts'
import { useSettings } from '#shell/config.ts'
import { setUnread } from '#shell/tab-bar.tsx'

/** Everything home shows, in one answer; the number of unread messages goes to the tab bar with it. */
export function useHome() {
  const query = useQuery(q(home.read))
  const { data, dataUpdatedAt } = query
  useEffect(() => {
    // An answer that was kept from an earlier start says nothing of now.
    if (data && dataUpdatedAt >= performance.timeOrigin) setUnread(data.unread, dataUpdatedAt)
  }, [data, dataUpdatedAt])
  return query
}

/** The unread messages the tab bar knows of; home does not ask on its own. */
export function useKnownUnread() {
  const { data = 0 } = useQuery({ ...q(messages.unreadTotal), enabled: false })
  return useSettings().muteBadge === '1' ? 0 : data
}

/** The beginning of a column of news. The news area's own queries page through lists: more than the first screen has to know. */
export const useColumnStart = (columnId: string, pageSize: number) =>
  useQuery(q(news.list, { query: { columnId, pageSize } }))
