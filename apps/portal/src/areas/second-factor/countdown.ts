import { useEffect, useState } from 'react'

/** Seconds left, counting down by themselves. */
export function useCountdown() {
  const [seconds, setSeconds] = useState(0)
  const running = seconds > 0
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setSeconds((left) => Math.max(0, left - 1)), 1000)
    return () => clearInterval(timer)
  }, [running])
  return [seconds, setSeconds] as const
}
