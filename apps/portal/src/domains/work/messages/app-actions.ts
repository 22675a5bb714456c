import type { MessageApp } from '@atrium/contract/work/messages'
import { m } from '#paraglide/messages.js'
import type { SheetAction } from '#ui/feedback/action-sheet.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { useAppSettings, useDeleteApp, useMarkAllRead } from './messages-queries.ts'

/** A member's actions for a message application: mark all read, pin, mute, delete. */
export function useAppActions(app: MessageApp | undefined, deleted?: () => void): SheetAction[] {
  const { pin, mute } = useAppSettings()
  const remove = useDeleteApp(deleted)
  const readAll = useMarkAllRead((count) => toast(m.messages_all_read_done({ count })))
  if (!app) return []
  const { appId, topped, disturbed, unreadCount } = app
  return [
    ...(unreadCount > 0
      ? [
          {
            icon: 'check' as const,
            label: m.messages_all_read(),
            onSelect: () => readAll.mutate({ body: { appId } }),
          },
        ]
      : []),
    {
      icon: 'pin',
      label: topped ? m.messages_untop() : m.messages_top(),
      onSelect: () => pin(app),
    },
    {
      icon: disturbed ? 'bell' : 'mute',
      label: disturbed ? m.messages_unmute() : m.messages_mute(),
      onSelect: () => mute(appId, !disturbed),
    },
    {
      icon: 'trash',
      label: m.messages_delete_app(),
      danger: true,
      onSelect: () => remove.mutate({ body: { appId } }),
    },
  ]
}
