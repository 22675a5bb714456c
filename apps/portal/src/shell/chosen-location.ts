import { useEffect, useRef, useState } from 'react'
import { getHistoryEntry } from '#shell/navigation/history.ts'
import { back, navigate } from '#shell/navigation/navigation.ts'

/** Degrees of WGS 84. `address` is empty for a point chosen on the map. */
export type ChosenLocation = { name: string; address: string; latitude: number; longitude: number }

/** Which page asked, and the answer for each asking page. Pages are identified by the key of their history entry. */
const askers = new Map<string, string>()
const answers = new Map<string, ChosenLocation>()
const listeners = new Set<() => void>()

/**
 * Opens the page for choosing a place. The asking page is left and rebuilt afterwards: `useChosenLocation` then hands
 * it the answer. The page must save its other form values itself.
 */
export function chooseLocation() {
  const asker = getHistoryEntry().key
  navigate('/choose-location')
  askers.set(getHistoryEntry().key, asker)
}

/** Calls `onChosen` once with the place chosen for the calling page. */
export function useChosenLocation(onChosen: (chosen: ChosenLocation) => void) {
  const [key] = useState(() => getHistoryEntry().key)
  const latest = useRef(onChosen)
  useEffect(() => {
    latest.current = onChosen
  })
  useEffect(() => {
    const take = () => {
      const chosen = answers.get(key)
      if (!chosen) return
      answers.delete(key)
      latest.current(chosen)
    }
    take()
    return subscribe(take)
  }, [key])
}

/** Returns the choice to the page that asked for it. False if no page asked. */
export function answerLocation(chosen: ChosenLocation) {
  const asker = askers.get(getHistoryEntry().key)
  if (asker === undefined) return false
  answers.set(asker, chosen)
  for (const listener of listeners) listener()
  back()
  return true
}

/** Whether the current page was opened by `chooseLocation`. */
export const isLocationAsked = () => askers.has(getHistoryEntry().key)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
