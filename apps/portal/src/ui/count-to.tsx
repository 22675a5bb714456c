import { figures } from '@atrium/rules/figures'
import { useEffect, useRef, useState } from 'react'

type CountToProps = {
  value: number
  /** Formats the number, including the intermediate values. */
  write: (value: number) => string
}

/** Animates a number from its previous value to the new one. With reduced motion the final value shows immediately. */
export function CountTo({ value, write }: CountToProps) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const [shown, setShown] = useState(still ? value : 0)
  const from = useRef(shown)
  useEffect(() => {
    const start = from.current
    const began = performance.now()
    let frame = 0
    const step = (now: number) => {
      const progress = still ? 1 : Math.min(1, Math.max(0, now - began) / figures.countToDuration)
      // Ease out: the eye can follow the last digits.
      from.current = progress === 1 ? value : start + (value - start) * (1 - (1 - progress) ** 3)
      setShown(from.current)
      if (progress < 1) frame = requestAnimationFrame(step)
    }
    if (start !== value) frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [value, still])
  if (shown === value) return write(value)
  return (
    <>
      <span className="unseen">{write(value)}</span>
      <span aria-hidden="true">{write(shown)}</span>
    </>
  )
}
