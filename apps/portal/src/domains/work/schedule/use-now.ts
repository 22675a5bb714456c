import { useEffect, useState } from 'react'

/** The current time, updated every half minute while mounted. */
export function useNow() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    setNow(new Date())
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
