import { useEffect, useRef, useState } from 'react'
import { getHistoryEntry } from '#shell/navigation/history.ts'
import { back, navigate } from '#shell/navigation/navigation.ts'

/** Degrees of WGS 84. `address` is empty for a point chosen on the map. */
export type ChosenLocation = { name: string; address: string; latitude: number; longitude: number }

/** Which page asked, and the answer for each asking page. Pages are identified by the key of their history entry. */
const requesters = new Map<string, string>()
const choices = new Map<string, ChosenLocation>()
const listeners = new Set<() => void>()

/**
 * Opens the page for choosing a place. The asking page is left and rebuilt afterwards: `useChosenLocation` then hands
 * it the answer. The page must save its other form values itself.
 */
export function chooseLocation() {
  const requester = getHistoryEntry().key
  navigate('/choose-location')
  requesters.set(getHistoryEntry().key, requester)
}

/** Calls `onChosen` once with the place chosen for the calling page. */
export function useChosenLocation(onChosen: (chosen: ChosenLocation) => void) {
  const [key] = useState(() => getHistoryEntry().key)
  const latest = useRef(onChosen)
  useEffect(() => {
    latest.current = onChosen
  })
  useEffect(() => {
    const deliver = () => {
      const chosen = choices.get(key)
      if (!chosen) return
      choices.delete(key)
      latest.current(chosen)
    }
    deliver()
    return subscribe(deliver)
  }, [key])
}

/** Returns the choice to the page that asked for it. False if no page asked. */
export function submitLocation(chosen: ChosenLocation) {
  const requester = requesters.get(getHistoryEntry().key)
  if (requester === undefined) return false
  choices.set(requester, chosen)
  for (const listener of listeners) listener()
  back()
  return true
}

/** Whether the current page was opened by `chooseLocation`. */
export const isLocationRequested = () => requesters.has(getHistoryEntry().key)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
