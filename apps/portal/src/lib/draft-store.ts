import { useSyncExternalStore } from 'react'
import { dropDraft, readDraft, writeDraft } from './drafts.ts'
import { getSession, onSession } from './session.ts'

/**
 * What is being written on several screens that share it. Gone with whoever writes it.
 * @param keptAs under this name it is kept on the device; a blank one is not
 */
export function draftStore<D>(blank: () => D, keptAs?: string) {
  let untouched = blank()
  let draft = restored()
  const listeners = new Set<() => void>()
  const show = (next: D) => {
    draft = next
    for (const listener of listeners) listener()
  }
  const set = (next: D) => {
    show(next)
    if (keptAs) writeDraft(keptAs, next)
  }
  const clear = () => {
    untouched = blank()
    if (keptAs) dropDraft(keptAs)
    show(untouched)
  }
  let author = getSession()?.accountId
  onSession(() => {
    const now = getSession()?.accountId
    if (now !== author) {
      untouched = blank()
      show(restored())
    }
    author = now
  })
  /** Fields that an older version did not have are as in a blank one. */
  function restored(): D {
    const kept = keptAs && readDraft(keptAs)
    return kept && typeof kept === 'object' && typeof untouched === 'object'
      ? { ...untouched, ...kept }
      : untouched
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = () => draft
  return {
    get,
    set,
    clear,
    use: () => useSyncExternalStore(subscribe, get),
    /** Whether something is being written. */
    useKept: () => useSyncExternalStore(subscribe, () => draft !== untouched),
  }
}
