import { codeSeconds, eCard } from '@atrium/contract/member/e-card'
import { useEffect, useState } from 'react'
import { ApiError, call } from '#lib/api.ts'
import { read, remove, write } from '#lib/storage.ts'
import { codeAt, type KeptCodes } from './code-at.ts'

/** New codes are fetched this many seconds before the stored ones run out, to bridge a loss of network. */
const fewSeconds = 5 * 60
const againSeconds = codeSeconds

/** Stores codes on the device for use without a network; there are none without a card or for a frozen one. */
export async function keepPayCodes() {
  try {
    const answer = await call(eCard.codes, undefined)
    write('kept:payCodes', { ...answer, ahead: Date.now() - Date.parse(answer.now) })
  } catch (error) {
    if (error instanceof ApiError && !error.passing) remove('kept:payCodes')
  }
}

/** The member's codes: from the server if it can be reached, otherwise from the device. */
export function usePayCodes() {
  const [kept, keep] = useState<KeptCodes | undefined>(() => read('kept:payCodes'))
  const [failure, fail] = useState<ApiError>()
  const [now, tick] = useState(Date.now)
  const shown = kept && codeAt(kept, now)
  const isFew = !shown || shown.lasts < fewSeconds
  const fetchCodes = async () => {
    try {
      const answer = await call(eCard.codes, undefined)
      const next = { ...answer, ahead: Date.now() - Date.parse(answer.now) }
      write('kept:payCodes', next)
      keep(next)
      fail(undefined)
    } catch (error) {
      if (!(error instanceof ApiError)) return
      fail(error)
      // The server refused: a frozen card has no codes.
      if (error.passing) return
      remove('kept:payCodes')
      keep(undefined)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the beginning, and whenever codes run short
  useEffect(() => {
    void fetchCodes()
    if (!isFew) return
    const timer = setInterval(() => void fetchCodes(), againSeconds * 1000)
    return () => clearInterval(timer)
  }, [isFew])
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return { kept, shown, failure, retry: fetchCodes }
}
