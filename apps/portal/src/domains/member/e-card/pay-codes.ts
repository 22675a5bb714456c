import { codeSeconds, eCard, type PayCodes } from '@atrium/contract/member/e-card'
import { useEffect, useState } from 'react'
import { ApiError, call } from '#lib/api.ts'
import { read, remove, write } from '#lib/storage.ts'

/** What the device keeps: codes of ten minutes, and by how much its clock differs from the server's. */
export type KeptCodes = PayCodes & { ahead: number }

/** The code whose time it is; nothing where they have run out. `left`: seconds until the next. */
export function codeAt({ codes, ahead }: KeptCodes, now: number) {
  const there = now - ahead
  const found = codes.find(
    ({ from, until }) => Date.parse(from) <= there && there < Date.parse(until),
  )
  return (
    found && {
      code: found.code,
      left: Math.ceil((Date.parse(found.until) - there) / 1000),
      /** seconds for which the device has codes */
      lasts: Math.floor((Date.parse(codes[codes.length - 1]?.until ?? found.until) - there) / 1000),
    }
  )
}

/** New ones are fetched while the device can still show some, so that a tunnel is no trouble. */
const fewSeconds = 5 * 60
const againSeconds = codeSeconds

/** The codes of the member, from the server where it can be reached, and from the device where not. */
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
      // The server was asked and says no: a frozen card has no codes.
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
