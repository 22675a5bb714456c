import { useEffect, useState } from 'react'

/** The time, moving on every half minute while it shows. */
export function useNow() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    setNow(new Date())
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
