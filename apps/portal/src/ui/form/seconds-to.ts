import { useCallback, useEffect, useState } from 'react'

/** Whole seconds left until then, computed from the clock, since a sleeping phone skips timers. */
export function useSecondsTo(until = 0) {
  const [, setTick] = useState(0)
  useEffect(() => {
    if (!until) return
    const timer = setInterval(() => {
      setTick((tick) => tick + 1)
      if (Date.now() >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

/** The seconds left, and a function that restarts the countdown. */
export function useCountdown() {
  const [until, setUntil] = useState(0)
  const start = useCallback(
    (seconds: number) => setUntil(seconds > 0 ? Date.now() + seconds * 1000 : 0),
    [],
  )
  return [useSecondsTo(until), start] as const
}
