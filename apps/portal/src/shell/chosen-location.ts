import { useEffect, useRef, useState } from 'react'
import { getPlace } from '#shell/navigation/history.ts'
import { back, navigate } from '#shell/navigation/navigation.ts'

/** Degrees of WGS 84. A point on the map has no address. */
export type ChosenLocation = { name: string; address: string; latitude: number; longitude: number }

/** Who asked, and what was chosen for whom: pages by their entries in the browser's history. */
const askers = new Map<string, string>()
const answers = new Map<string, ChosenLocation>()
const listeners = new Set<() => void>()

/**
 * Opens the page on which a place is chosen. The page that asks is left for it and built anew afterwards: `useChosenLocation`
 * then hands it the answer, whatever else was filled in the page keeps itself.
 */
export function chooseLocation() {
  const asker = getPlace().key
  navigate('/choose-location')
  askers.set(getPlace().key, asker)
}

/** Hands over what was chosen for the page that calls this, once. */
export function useChosenLocation(onChosen: (chosen: ChosenLocation) => void) {
  const [key] = useState(() => getPlace().key)
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

/** Takes the choice back to the page that asked for it. Answers false where none did. */
export function answerLocation(chosen: ChosenLocation) {
  const asker = askers.get(getPlace().key)
  if (asker === undefined) return false
  answers.set(asker, chosen)
  for (const listener of listeners) listener()
  back()
  return true
}

/** Whether the page that shows was opened by one that waits for a choice. */
export const isLocationAsked = () => askers.has(getPlace().key)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
