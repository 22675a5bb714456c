import { useSyncExternalStore } from 'react'
import { read, write } from '#lib/storage.ts'

const key = 'newsVisitRecordings'
/** Maximum number stored; integer keys are ordered, so the oldest articles (smallest ids) are dropped first. */
const maxVisits = 500

let visits = read(key) ?? {}
const listeners = new Set<() => void>()

/** Records on this device that an article was opened. */
export function recordVisit(id: string) {
  if (visits[id]) return
  const entries = Object.entries({ ...visits, [id]: true as const })
  visits = Object.fromEntries(entries.slice(-maxVisits))
  write(key, visits)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Articles opened on this device, by id. */
export const useVisits = () => useSyncExternalStore(subscribe, getVisits, getVisits)
const getVisits = () => visits

export const useVisited = (id: string) =>
  useSyncExternalStore(
    subscribe,
    () => visits[id] !== undefined,
    () => false,
  )
