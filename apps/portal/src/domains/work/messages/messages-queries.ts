import { appGroups } from '@atrium/contract/content/app-groups'
import type { Endpoint } from '@atrium/contract/define'
import { home } from '@atrium/contract/shell/home'
import { type MessageApp, messages } from '@atrium/contract/work/messages'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatNumber } from '#lib/format.ts'
import { pages, q, setAnswer } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { setCount } from '#shell/badge.ts'
import { callContainer, notifyContainer } from '#shell/container/container.ts'
import { clearNotifications } from '#shell/notifications.ts'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** The member's message applications. Also sets the badge, which does not count muted ones. */
export function useMessageApps() {
  const apps = useQuery(q(messages.apps))
  const unread = apps.data && sum(apps.data.filter((app) => !app.disturbed))
  const updatedAt = apps.dataUpdatedAt
  useEffect(() => {
    if (unread !== undefined) setCount('unread', unread, updatedAt)
  }, [unread, updatedAt])
  return { apps, unread: unread ?? 0, unreadWithMuted: sum(apps.data ?? []) }
}

const sum = (apps: readonly MessageApp[]) => apps.reduce((all, app) => all + app.unreadCount, 0)

/** The member's named groups of applications; others are in none. */
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

/** Endpoints to invalidate after messages were read, starred or deleted. */
const changed = [messages.apps, messages.list, messages.unreadTotal, home.read] as const

export const useMarkAllRead = (done: (count: number) => void) =>
  useAction(messages.markAllRead, {
    invalidates: changed,
    done(reply, input) {
      if (input.body?.appId === undefined) {
        removeHostNotifications().catch(() => {})
        clearNotifications('all').catch(() => {})
      }
      done(reply.changed)
    },
  })

/** Removes a host app's notifications for messages that have been read here. */
async function removeHostNotifications() {
  for (const { msgId } of (await callContainer('getAllMessage')).messages)
    notifyContainer('remove', { msgId })
}

export function useMarkRead(done?: () => void) {
  return useAction(messages.markRead, {
    invalidates: changed,
    done(_, { body }) {
      for (const msgId of body.ids) notifyContainer('remove', { msgId })
      clearNotifications(body.ids).catch(() => {})
      done?.()
    },
  })
}

/** One message; marked as read once loaded. */
export function useMessage(id: string) {
  const options = q(messages.read, { query: { id } })
  const message = useQuery(options)
  const { mutate } = useAction(messages.markRead, {
    invalidates: changed,
    done() {
      setAnswer(options, (now) => now && { ...now, read: true })
      notifyContainer('remove', { msgId: id })
    },
    // It stays unread; the failure need not disturb the reader.
    failed: () => true,
  })
  const unread = message.data?.read === false
  useEffect(() => {
    if (unread) mutate({ body: { ids: [id] } })
  }, [unread, id, mutate])
  // Also if it was read earlier on another device.
  const isLoaded = message.data !== undefined
  useEffect(() => {
    if (isLoaded) clearNotifications([id]).catch(() => {})
  }, [isLoaded, id])
  return message
}

export const useStar = () =>
  useAction(messages.star, { invalidates: [messages.list, messages.read] })

const answered = [...changed, messages.read] as const

/** The outbox action for answering a message in its row. */
export type RequestAnswer = {
  action: { text: string; textEn: string }
  endpoint: Endpoint
  input: object
  refreshes: readonly Endpoint[]
}
export const confirmationOf = (id: string): RequestAnswer => ({
  action: {
    text: m.messages_confirm({}, { locale: 'zh' }),
    textEn: m.messages_confirm({}, { locale: 'en' }),
  },
  endpoint: messages.confirm,
  input: { body: { id } },
  refreshes: answered,
})
export const answerOf = (
  id: string,
  { value, text, textEn }: { value: string; text: string; textEn: string },
): RequestAnswer => ({
  action: { text, textEn },
  endpoint: messages.answer,
  input: { body: { id, value } },
  refreshes: answered,
})

export const useConfirm = () =>
  useAction(messages.confirm, {
    invalidates: answered,
    done: () => toast(m.messages_confirmed()),
  })

export const useAnswer = () =>
  useAction(messages.answer, {
    invalidates: answered,
    done: () => toast(m.messages_answered()),
  })

function useRestore() {
  const { mutate } = useAction(messages.restore, { invalidates: changed })
  return (deletedAt: string) => mutate({ body: { deletedAt } })
}

/** Deletes messages and offers undo. */
export function useDelete(done?: () => void) {
  const restore = useRestore()
  return useAction(messages.remove, {
    invalidates: changed,
    done(reply) {
      toast(m.messages_deleted({ count: formatNumber(reply.changed) }), {
        label: m.messages_undo(),
        run: () => restore(reply.deletedAt),
      })
      done?.()
    },
  })
}

/** Deletes an application with all its messages from the list and offers undo. */
export function useDeleteApp(done?: () => void) {
  const restore = useRestore()
  return useAction(messages.removeApp, {
    invalidates: changed,
    done(reply) {
      toast(m.messages_app_deleted(), {
        label: m.messages_undo(),
        run: () => restore(reply.deletedAt),
      })
      done?.()
    },
  })
}

/** Pins or mutes an application. */
export function useAppSettings() {
  const top = useAction(messages.top, { invalidates: [messages.apps] })
  const topCancel = useAction(messages.topCancel, { invalidates: [messages.apps] })
  const mute = useAction(messages.disturbed, {
    invalidates: [...changed, messages.reason],
    done: (_, { body }) =>
      toast(body.disturbed ? m.messages_mute_done() : m.messages_unmute_done()),
  })
  return {
    pin: ({ appId, topped }: MessageApp) => (topped ? topCancel : top).mutate({ body: { appId } }),
    mute: (appId: string, disturbed: boolean) => mute.mutate({ body: { appId, disturbed } }),
  }
}
