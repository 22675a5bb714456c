import { appGroups } from '@atrium/contract/content/app-groups'
import type { Endpoint } from '@atrium/contract/define'
import { home } from '@atrium/contract/shell/home'
import { type MessageApp, messages } from '@atrium/contract/work/messages'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pages, q, setAnswer } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { setCount } from '#shell/badge.ts'
import { ask, tell } from '#shell/container/container.ts'
import { clearNotifications } from '#shell/notifications.ts'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** The member's message applications. They bring the number for the badge along: muted ones do not count there. */
export function useMessageApps() {
  const apps = useQuery(q(messages.apps))
  const unread = apps.data && sum(apps.data.filter((app) => !app.disturbed))
  const at = apps.dataUpdatedAt
  useEffect(() => {
    if (unread !== undefined) setCount('unread', unread, at)
  }, [unread, at])
  return { apps, unread: unread ?? 0, unreadWithMuted: sum(apps.data ?? []) }
}

const sum = (apps: readonly MessageApp[]) => apps.reduce((all, app) => all + app.unreadCount, 0)

/** The groups into which the member sorted them, with names; the rest stands in none. */
export const useAppGroups = () => useQuery({ ...q(appGroups.read), staleTime: 5 * 60_000 })

export type MessageFilter = {
  appId?: string | undefined
  typeCode?: string | undefined
  unread?: boolean
  starred?: boolean
  keyWords?: string
}

export const useMessageList = ({ appId, typeCode, unread, starred, keyWords }: MessageFilter) =>
  useInfiniteQuery(
    pages(messages.list, {
      query: {
        ...(appId !== undefined && { appId }),
        ...(typeCode !== undefined && { typeCode }),
        ...(unread && { unread: true }),
        ...(starred && { starred: true }),
        ...(keyWords && { keyWords }),
      },
    }),
  )

export const useMessageKinds = (appId: string | undefined) =>
  useQuery({
    ...q(messages.kinds, { query: appId === undefined ? {} : { appId } }),
    staleTime: 5 * 60_000,
  })

/** What is out of date once messages have been read, starred, deleted. */
const changed = [messages.apps, messages.list, messages.unreadTotal, home.read] as const

export const useMarkAllRead = (done: (count: number) => void) =>
  useAction(messages.markAllRead, {
    refresh: changed,
    done(reply, given) {
      if (given.body?.appId === undefined) {
        takeNotificationsAway().catch(() => {})
        clearNotifications('all').catch(() => {})
      }
      done(reply.changed)
    },
  })

/** What a host app still shows on the device of messages that have been read here. */
async function takeNotificationsAway() {
  for (const { msgId } of (await ask('getAllMessage')).messages) tell('remove', { msgId })
}

export function useMarkRead(done?: () => void) {
  return useAction(messages.markRead, {
    refresh: changed,
    done(_, { body }) {
      for (const msgId of body.ids) tell('remove', { msgId })
      clearNotifications(body.ids).catch(() => {})
      done?.()
    },
  })
}

/** One message, which counts as read as soon as it is here. */
export function useMessage(id: string) {
  const options = q(messages.read, { query: { id } })
  const message = useQuery(options)
  const { mutate } = useAction(messages.markRead, {
    refresh: changed,
    done() {
      setAnswer(options, (now) => now && { ...now, read: true })
      tell('remove', { msgId: id })
    },
    // It stays unread then; that is no reason to disturb whoever is reading it.
    failed: () => true,
  })
  const unread = message.data?.read === false
  useEffect(() => {
    if (unread) mutate({ body: { ids: [id] } })
  }, [unread, id, mutate])
  // Also where it was read before, on another device.
  const shown = message.data !== undefined
  useEffect(() => {
    if (shown) clearNotifications([id]).catch(() => {})
  }, [shown, id])
  return message
}

export const useStar = () => useAction(messages.star, { refresh: [messages.list, messages.read] })

const given = [...changed, messages.read] as const

/** What a row gives a message that asks, for the outbox. */
export type Giving = {
  action: { text: string; textEn: string }
  endpoint: Endpoint
  input: object
  refreshes: readonly Endpoint[]
}
export const confirmationOf = (id: string): Giving => ({
  action: { text: m.messages_confirm(), textEn: m.messages_confirm() },
  endpoint: messages.confirm,
  input: { body: { id } },
  refreshes: given,
})
export const answerOf = (
  id: string,
  { value, text, textEn }: { value: string; text: string; textEn: string },
): Giving => ({
  action: { text, textEn },
  endpoint: messages.answer,
  input: { body: { id, value } },
  refreshes: given,
})

export const useConfirm = () =>
  useAction(messages.confirm, {
    refresh: given,
    done: () => toast(m.messages_confirmed()),
  })

export const useAnswer = () =>
  useAction(messages.answer, {
    refresh: given,
    done: () => toast(m.messages_answered()),
  })

function useRestore() {
  const { mutate } = useAction(messages.restore, { refresh: changed })
  return (deletedAt: string) => mutate({ body: { deletedAt } })
}

/** Deletes messages, and offers to take that back. */
export function useDelete(done?: () => void) {
  const restore = useRestore()
  return useAction(messages.remove, {
    refresh: changed,
    done(reply) {
      toast(m.messages_deleted({ count: reply.changed }), {
        label: m.messages_undo(),
        run: () => restore(reply.deletedAt),
      })
      done?.()
    },
  })
}

/** Takes an application off the list with all its messages, and offers to take that back. */
export function useDeleteApp(done?: () => void) {
  const restore = useRestore()
  return useAction(messages.removeApp, {
    refresh: changed,
    done(reply) {
      toast(m.messages_app_deleted(), {
        label: m.messages_undo(),
        run: () => restore(reply.deletedAt),
      })
      done?.()
    },
  })
}

/** Pins an application, or mutes it. */
export function useAppSettings() {
  const top = useAction(messages.top, { refresh: [messages.apps] })
  const topCancel = useAction(messages.topCancel, { refresh: [messages.apps] })
  const mute = useAction(messages.disturbed, {
    refresh: [...changed, messages.reason],
    done: (_, { body }) =>
      toast(body.disturbed ? m.messages_mute_done() : m.messages_unmute_done()),
  })
  return {
    pin: ({ appId, topped }: MessageApp) => (topped ? topCancel : top).mutate({ body: { appId } }),
    mute: (appId: string, disturbed: boolean) => mute.mutate({ body: { appId, disturbed } }),
  }
}
