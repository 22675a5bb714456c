import { figures } from '@atrium/rules/figures'
import { useEffect, useState } from 'react'

/** What was typed, without the spaces around it, once the typing pauses; nothing at once where nothing is left. */
export function useSettled(typed: string): string {
  const words = typed.trim()
  const [settled, setSettled] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), words ? figures.debounce : 0)
    return () => clearTimeout(timer)
  }, [words])
  return words ? settled : ''
}
