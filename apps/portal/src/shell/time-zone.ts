import {
  refreshTemporaryZone,
  type TimeZoneState,
  withGlobalZone,
  withTemporaryZone,
} from '@atrium/rules/time-zone-state'
import { useSyncExternalStore } from 'react'

let state: TimeZoneState = withGlobalZone()
const listeners = new Set<() => void>()

function become(next: TimeZoneState) {
  state = next
  for (const listener of listeners) listener()
}

/** The member's zone, as the server says it. */
export function setGlobalZone(zone: string) {
  if (zone !== state.globalTimeZone) become(withGlobalZone(zone))
}

/** Looks at times in another zone for now; without one, in the member's own again. */
export const lookInZone = (zone?: string) =>
  become(zone ? withTemporaryZone(state, zone) : refreshTemporaryZone(state))

export const useTimeZone = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    () => state,
  )
