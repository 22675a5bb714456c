import { useSyncExternalStore } from 'react'
import { getSession, onSession } from './session.ts'

/** What is being written on several screens that share it. Gone with whoever writes it. */
export function draftStore<D>(blank: () => D) {
  let draft = blank()
  const listeners = new Set<() => void>()
  const set = (next: D) => {
    draft = next
    for (const listener of listeners) listener()
  }
  let author = getSession()?.accountId
  onSession(() => {
    const now = getSession()?.accountId
    if (now !== author) set(blank())
    author = now
  })
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = () => draft
  return { get, set, use: () => useSyncExternalStore(subscribe, get) }
}
