import {
  type AttentionSettings,
  notifications,
  type ReceiveSetting,
} from '@atrium/contract/work/notifications'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { useOptimisticAction } from '#shell/page/action.ts'

export const useAttention = () => useQuery(q(notifications.attention))
export const useChannels = () => useQuery(q(notifications.channels))
export const useReceiveSettings = () => useQuery(q(notifications.receiveSettings))

export function useSaveAttention() {
  const save = useOptimisticAction(notifications.setAttention, {
    query: q(notifications.attention),
    update: (_, { body }) => body,
    queue: 'attention',
  })
  return (settings: AttentionSettings) => save.mutate({ body: settings })
}

export function useSaveChoice() {
  const save = useOptimisticAction(notifications.setReceiveSettings, {
    query: q(notifications.receiveSettings),
    update: (list, { body: { kindId, channels } }) =>
      list.map((one) => (one.kindId === kindId ? { ...one, chosen: channels } : one)),
    queue: 'receive settings',
  })
  return ({ kindId }: ReceiveSetting, channels: ReceiveSetting['chosen']) =>
    save.mutate({ body: { kindId, channels } })
}
