import { type PrivacySettings, privacy } from '@atrium/contract/member/privacy'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { q, refresh, setAnswer } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'

export const useBlackList = () => useQuery(q(privacy.blackList))
export const useClosing = () => useQuery(q(privacy.closingState))

/** Asked again while the file is being made. */
export const useExport = () =>
  useQuery({
    ...q(privacy.exportState),
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? 10_000 : false),
  })

const settings = q(privacy.read)

/** The settings, and how one is changed: it shows at once, and goes back where the server refuses. */
export function usePrivacySettings() {
  const query = useQuery(settings)
  const waiting = useRef(0)
  const { mutate } = useAction(privacy.update, {
    // An answer knows nothing of what was changed since: the last one tells how things stand.
    done: (saved) => {
      waiting.current--
      if (waiting.current === 0) setAnswer(settings, saved)
    },
    failed: () => {
      waiting.current--
      refresh(privacy.read)
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

/** Members by what is typed, once the typing rests. */
export function useFoundMembers(words: string) {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words.trim()), 400)
    return () => clearTimeout(timer)
  }, [words])
  const wanted = [...settled].length >= 2
  const query = useQuery({
    ...q(privacy.findMembers, { query: { q: settled } }),
    enabled: wanted,
    retry: false,
    gcTime: 0,
  })
  return { query, wanted }
}
