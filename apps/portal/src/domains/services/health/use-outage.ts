import type { Outage } from '@atrium/contract/services/health'
import { nextChange, outageState } from '@atrium/rules/outage'
import { useEffect, useState } from 'react'

/** The longest a timer can wait. */
const longest = 2 ** 31 - 1

/** What an outage means now, and again when its time comes: nobody has to fetch it anew for a service to be back. */
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
  // An answer that came meanwhile is newer than the clock that was kept.
  return outage ? outageState(outage, new Date(Math.max(now.getTime(), Date.now()))) : 'over'
}
