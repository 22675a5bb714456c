import {
  refreshTemporaryZone,
  type TimeZoneState,
  withGlobalZone,
  withTemporaryZone,
} from '@atrium/rules/time-zone-state'
import { useSyncExternalStore } from 'react'

let state: TimeZoneState = withGlobalZone()
const listeners = new Set<() => void>()

function setState(next: TimeZoneState) {
  state = next
  for (const listener of listeners) listener()
}

/** Sets the member's zone, as reported by the server. */
export function setGlobalZone(zone: string) {
  if (zone !== state.globalTimeZone) setState(withGlobalZone(zone))
}

/** Shows times in another zone temporarily; without an argument, in the member's own again. */
export const setTemporaryZone = (zone?: string) =>
  setState(zone ? withTemporaryZone(state, zone) : refreshTemporaryZone(state))

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
const getState = () => state

export const useTimeZone = () => useSyncExternalStore(subscribe, getState, getState)
