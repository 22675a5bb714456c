import { codeSeconds, eCard } from '@atrium/contract/member/e-card'
import { useEffect, useState } from 'react'
import { ApiError, call } from '#lib/api.ts'
import { getSession } from '#lib/session.ts'
import { read, remove, write } from '#lib/storage.ts'
import { codeAt, type StoredCodes } from './code-at.ts'

/** New codes are fetched this many seconds before the stored ones run out, to bridge a loss of network. */
const refetchThreshold = 5 * 60
const retryInterval = codeSeconds

/** Stores codes on the device for use without a network; there are none without a card or for a frozen one. */
export async function storePayCodes() {
  const account = getSession()?.accountId
  try {
    const answer = await call(eCard.codes, undefined)
    // The member may have signed out concurrently.
    if (getSession()?.accountId !== account) return
    write('kept:payCodes', { ...answer, ahead: Date.now() - Date.parse(answer.now) })
  } catch (error) {
    if (getSession()?.accountId !== account) return
    if (error instanceof ApiError && !error.isTransient) remove('kept:payCodes')
  }
}

/** The member's codes: from the server if it can be reached, otherwise from the device. */
export function usePayCodes() {
  const [stored, setStored] = useState<StoredCodes | undefined>(() => read('kept:payCodes'))
  const [failure, setFailure] = useState<ApiError>()
  const [now, setNow] = useState(Date.now)
  const current = stored && codeAt(stored, now)
  const isFew = !current || current.lasts < refetchThreshold
  const fetchCodes = async () => {
    const account = getSession()?.accountId
    try {
      const answer = await call(eCard.codes, undefined)
      if (getSession()?.accountId !== account) return
      const next = { ...answer, ahead: Date.now() - Date.parse(answer.now) }
      write('kept:payCodes', next)
      setStored(next)
      setFailure(undefined)
    } catch (error) {
      if (!(error instanceof ApiError) || getSession()?.accountId !== account) return
      setFailure(error)
      // The server refused: a frozen card has no codes.
      if (error.isTransient) return
      remove('kept:payCodes')
      setStored(undefined)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the beginning, and whenever codes run short
  useEffect(() => {
    void fetchCodes()
    if (!isFew) return
    const timer = setInterval(() => void fetchCodes(), retryInterval * 1000)
    return () => clearInterval(timer)
  }, [isFew])
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return { stored, current, failure, retry: fetchCodes }
}
