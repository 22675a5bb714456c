import type { Outage } from '@atrium/contract/services/health'
import { nextChange, outageState } from '@atrium/rules/outage'
import { useEffect, useState } from 'react'

/** Longest delay of a timer, in ms. */
const longest = 2 ** 31 - 1

/** The current state of an outage, updated when its time comes, without refetching. */
export function useOutage(outage: Outage | undefined) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (!outage) return
    const change = nextChange(outage, now)
    if (change === undefined) return
    const wait = Math.min(Math.max(change - Date.now(), 0) + 20, longest)
    const timer = setTimeout(() => setNow(new Date()), wait)
    return () => clearTimeout(timer)
  }, [outage, now])
  // An answer received since then may be newer than the stored time.
  return outage ? outageState(outage, new Date(Math.max(now.getTime(), Date.now()))) : 'over'
}
