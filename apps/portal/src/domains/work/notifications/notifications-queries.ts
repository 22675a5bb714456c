import {
  type AttentionSettings,
  notifications,
  type ReceiveSetting,
} from '@atrium/contract/work/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'

export const useAttention = () => useQuery(q(notifications.attention))
export const useChannels = () => useQuery(q(notifications.channels))
export const useReceiveSettings = () => useQuery(q(notifications.receiveSettings))

/** Shows what was chosen at once; a choice that could not be saved is taken back. */
export function useSaveAttention() {
  const client = useQueryClient()
  const { queryKey } = q(notifications.attention)
  const { mutate } = useAction(notifications.setAttention, {
    queue: 'attention',
    failed() {
      void client.invalidateQueries({ queryKey })
      return false
    },
  })
  return (settings: AttentionSettings) => {
    client.setQueryData(queryKey, settings)
    mutate({ body: settings })
  }
}

export function useSaveChoice() {
  const client = useQueryClient()
  const { queryKey } = q(notifications.receiveSettings)
  const { mutate } = useAction(notifications.setReceiveSettings, {
    queue: 'receive settings',
    failed() {
      void client.invalidateQueries({ queryKey })
      return false
    },
  })
  return ({ kindId }: ReceiveSetting, channels: ReceiveSetting['chosen']) => {
    client.setQueryData(queryKey, (list) =>
      list?.map((one) => (one.kindId === kindId ? { ...one, chosen: channels } : one)),
    )
    mutate({ body: { kindId, channels } })
  }
}
