import { useSyncExternalStore } from 'react'
import { dropDraft, readDraft, writeDraft } from './drafts.ts'
import { getSession, onSession } from './session.ts'

/**
 * A draft shared by several screens. Reset when the account changes.
 * @param keptAs name for storing the draft on the device; without it the draft is not stored
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
  /** Fields missing in a draft of an older version get their initial values. */
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
    /** Whether the draft differs from a blank one. */
    useKept: () => useSyncExternalStore(subscribe, () => draft !== untouched),
  }
}
