import { messages } from '@atrium/contract/work/messages'
import { tasks } from '@atrium/contract/work/tasks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#lib/api.ts'
import { q, queryClient } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { isTab } from '#shell/navigation/screens.ts'
import { startFlags } from '#shell/start/start-flags.ts'
import { useSettings } from './config.ts'

/** Counts on the messages tab: unread messages of applications that are not muted, and tasks to handle. */
const counts = {
  unread: {
    queryKey: q(messages.unreadTotal).queryKey,
    fetchCount: (signal: AbortSignal) => call(messages.unreadTotal, undefined, signal),
    storageKey: 'totalCount',
  },
  // The key extends that of tasks.counts, so that invalidating tasks.counts also refreshes this count.
  todo: {
    queryKey: [...q(tasks.counts).queryKey, 'todo'],
    fetchCount: async (signal: AbortSignal) => (await call(tasks.counts, undefined, signal)).myTodo,
    storageKey: 'cache_taskNum',
  },
} as const
type CountKind = keyof typeof counts

const countQuery = (kind: CountKind) =>
  queryOptions<number>({
    queryKey: counts[kind].queryKey,
    queryFn: ({ signal }) => counts[kind].fetchCount(signal),
    initialData: () => read(counts[kind].storageKey) ?? 0,
    initialDataUpdatedAt: 0,
    staleTime: 5000,
  })

/** Polls both counts and stores them for the next start. Called once, by the tab bar. */
export function usePolledCounts() {
  usePolledCount('unread')
  usePolledCount('todo')
}

function usePolledCount(kind: CountKind) {
  const session = useSession()
  const isEnabled = session !== null && !startFlags.noLogin
  const { data, isError, refetch } = useQuery({
    ...countQuery(kind),
    enabled: isEnabled,
    // The first screen usually brings the number along; poll quickly only while it has not arrived.
    refetchOnMount: false,
    refetchInterval: ({ state }) => (state.dataUpdateCount === 0 ? 3000 : 60_000),
    refetchOnWindowFocus: false,
  })
  // Refetches when the app becomes visible, and when it is hidden, for the number on its icon.
  useEffect(() => {
    if (!isEnabled) return
    const refetchCount = () => void refetch()
    document.addEventListener('visibilitychange', refetchCount)
    return () => document.removeEventListener('visibilitychange', refetchCount)
  }, [isEnabled, refetch])
  useEffect(() => {
    if (session) write(counts[kind].storageKey, isError ? 0 : data)
  }, [kind, data, isError, session])
}

/** The count in the cache; does not fetch. Zero if it could not be read. */
function useCount(kind: CountKind) {
  const { data, isError } = useQuery({ ...countQuery(kind), enabled: false })
  const muted = useSettings().muteBadge === '1'
  return useSession() && !muted && !isError ? data : 0
}

export const useUnread = () => useCount('unread')

/** The numbers on the messages tab and on the app icon. Tasks count only if the task page is a tab. */
export function useBadge() {
  const { isShowBadge, newtaskRoute = newTaskPath } = useSettings()
  const unread = useUnread()
  const todo = useCount('todo')
  if (isShowBadge === 'none') return { unread: 0, todo: 0 }
  return { unread, todo: isTab(pathOf(newtaskRoute)) ? todo : 0 }
}
const newTaskPath = '/pages/msgCenterTab/newtask/newtask'

/**
 * Stores a count that a page received anyway, which saves a call.
 * @param at server time of the count in ms; a newer stored count is kept
 */
export function setCount(kind: CountKind, count: number, at = Date.now()) {
  const { queryKey } = countQuery(kind)
  if ((queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0) < at)
    queryClient.setQueryData(queryKey, count, { updatedAt: at })
}
