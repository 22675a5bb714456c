import { appGroups } from '@atrium/contract/content/app-groups'
import { home } from '@atrium/contract/shell/home'
import { type MessageApp, messages } from '@atrium/contract/work/messages'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pages, q } from '#lib/queries.ts'
import { setCount } from '#shell/badge.ts'
import { ask, tell } from '#shell/container/container.ts'
import { useAction } from '#shell/page/action.ts'

/** The member's message applications. They bring the number for the badge along: muted ones do not count there. */
export function useMessageApps() {
  const apps = useQuery(q(messages.apps))
  const unread = apps.data && sum(apps.data.filter((app) => !app.disturbed))
  useEffect(() => {
    if (unread !== undefined) setCount('unread', unread)
  }, [unread])
  return { apps, unread: unread ?? 0, unreadWithMuted: sum(apps.data ?? []) }
}

const sum = (apps: readonly MessageApp[]) => apps.reduce((all, app) => all + app.unreadCount, 0)

/** The groups into which the member sorted them, with names; the rest stands in none. */
export const useAppGroups = () => useQuery({ ...q(appGroups.read), staleTime: 5 * 60_000 })

export const useMessageList = (filter: { appId?: string | undefined; unread?: boolean }) =>
  useInfiniteQuery(
    pages(messages.list, {
      query: {
        ...(filter.appId !== undefined && { appId: filter.appId }),
        ...(filter.unread && { unread: true }),
      },
    }),
  )

/** What is out of date once messages have been read. */
const changed = [messages.apps, messages.list, messages.unreadTotal, home.read] as const

export const useMarkAllRead = (done: (count: number) => void) =>
  useAction(messages.markAllRead, {
    refresh: changed,
    done(reply, given) {
      if (given.body?.appId === undefined) void takeNotificationsAway().catch(() => {})
      done(reply.changed)
    },
  })

/** What a host app still shows on the device of messages that have been read here. */
async function takeNotificationsAway() {
  for (const { msgId } of (await ask('getAllMessage')).messages) tell('remove', { msgId })
}

/** One message, which counts as read as soon as it is here. */
export function useMessage(id: string) {
  const options = q(messages.read, { query: { id } })
  const message = useQuery(options)
  const client = useQueryClient()
  const { mutate } = useAction(messages.markRead, {
    refresh: changed,
    done() {
      client.setQueryData(options.queryKey, (now) => now && { ...now, read: true })
      tell('remove', { msgId: id })
    },
    // It stays unread then; that is no reason to disturb whoever is reading it.
    failed: () => true,
  })
  const unread = message.data?.read === false
  useEffect(() => {
    if (unread) mutate({ body: { ids: [id] } })
  }, [unread, id, mutate])
  return message
}
