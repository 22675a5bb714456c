import { figures } from '@atrium/rules/figures'
import { useEffect, useState } from 'react'

/** The trimmed input once typing pauses; an empty input takes effect immediately. */
export function useSettled(typed: string): string {
  const words = typed.trim()
  const [settled, setSettled] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), words ? figures.debounce : 0)
    return () => clearTimeout(timer)
  }, [words])
  return words ? settled : ''
}
