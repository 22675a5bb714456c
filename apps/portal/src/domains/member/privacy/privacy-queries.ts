import { type PrivacySettings, privacy } from '@atrium/contract/member/privacy'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { invalidate, q, setAnswer } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'

export const useBlackList = () => useQuery(q(privacy.blackList))
export const useClosing = () => useQuery(q(privacy.closingState))

/** Polls while the file is being created. */
export const useExport = () =>
  useQuery({
    ...q(privacy.exportState),
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? 10_000 : false),
  })

const settings = q(privacy.read)

/** The settings and a function to change one. Changes are optimistic and reverted if the server refuses them. */
export function usePrivacySettings() {
  const query = useQuery(settings)
  const waiting = useRef(0)
  const { mutate } = useAction(privacy.update, {
    // An answer does not include later changes, so only the last one is stored.
    done: (saved) => {
      waiting.current--
      if (waiting.current === 0) setAnswer(settings, saved)
    },
    failed: () => {
      waiting.current--
      invalidate(privacy.read)
      return false
    },
  })
  const change = (changed: Partial<PrivacySettings>) => {
    setAnswer(settings, (before) => before && { ...before, ...changed })
    waiting.current++
    mutate({ body: changed })
  }
  return { query, change }
}

/** Searches members once typing pauses. */
export function useMemberSearch(words: string) {
  const [debounced, setDebounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(words.trim()), 400)
    return () => clearTimeout(timer)
  }, [words])
  const isEnabled = [...debounced].length >= 2
  const query = useQuery({
    ...q(privacy.findMembers, { query: { q: debounced } }),
    enabled: isEnabled,
    retry: false,
    gcTime: 0,
  })
  return { query, isEnabled }
}
