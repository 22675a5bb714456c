import { useEffect, useRef } from 'react'

/** Ref for a heading that takes the focus when its step appears. */
export function useFocused() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return heading
}
