import { home } from '@atrium/contract/home'
import { messages } from '@atrium/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '#lib/queries.ts'
import { useSettings } from '#shell/config.ts'
import { setUnread } from '#shell/tab-bar.tsx'

/** Everything home shows, in one answer; the number of unread messages goes to the tab bar with it. */
export function useHome() {
  const query = useQuery(q(home.read))
  const { data, isFetchedAfterMount } = query
  useEffect(() => {
    if (data && isFetchedAfterMount) setUnread(data.unread)
  }, [data, isFetchedAfterMount])
  return query
}

/** The unread messages the tab bar knows of; home does not ask on its own. */
export function useKnownUnread() {
  const { data = 0 } = useQuery({ ...q(messages.unreadTotal), enabled: false })
  return useSettings().muteBadge === '1' ? 0 : data
}
