import {
  type AttentionSettings,
  notifications,
  type ReceiveSetting,
} from '@atrium/contract/work/notifications'
import { useQuery } from '@tanstack/react-query'
import { invalidate, q, setAnswer } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'

export const useAttention = () => useQuery(q(notifications.attention))
export const useChannels = () => useQuery(q(notifications.channels))
export const useReceiveSettings = () => useQuery(q(notifications.receiveSettings))

/** Optimistic: shows the choice immediately and reverts it if saving fails. */
export function useSaveAttention() {
  const { mutate } = useAction(notifications.setAttention, {
    queue: 'attention',
    failed() {
      invalidate(notifications.attention)
      return false
    },
  })
  return (settings: AttentionSettings) => {
    setAnswer(q(notifications.attention), settings)
    mutate({ body: settings })
  }
}

export function useSaveChoice() {
  const { mutate } = useAction(notifications.setReceiveSettings, {
    queue: 'receive settings',
    failed() {
      invalidate(notifications.receiveSettings)
      return false
    },
  })
  return ({ kindId }: ReceiveSetting, channels: ReceiveSetting['chosen']) => {
    setAnswer(q(notifications.receiveSettings), (list) =>
      list?.map((one) => (one.kindId === kindId ? { ...one, chosen: channels } : one)),
    )
    mutate({ body: { kindId, channels } })
  }
}
