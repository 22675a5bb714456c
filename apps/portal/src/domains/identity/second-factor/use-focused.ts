import { useEffect, useRef } from 'react'

/** A heading that takes the focus when its step comes up. */
export function useFocused() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return heading
}
