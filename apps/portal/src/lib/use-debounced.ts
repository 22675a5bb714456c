import { figures } from '@atrium/rules/figures'
import { useEffect, useState } from 'react'

/** The trimmed input once typing pauses; an empty input takes effect immediately. */
export function useDebounced(input: string): string {
  const words = input.trim()
  const [debounced, setDebounced] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(words), words ? figures.debounce : 0)
    return () => clearTimeout(timer)
  }, [words])
  return words ? debounced : ''
}
