import { useSyncExternalStore } from 'react'
import { deleteDraft, readDraft, writeDraft } from './drafts.ts'
import { getSession, onSession } from './session.ts'

/**
 * A draft shared by several screens. Reset when the account changes.
 * @param draftName name for storing the draft on the device; without it the draft is not stored
 */
export function draftStore<D>(createBlank: () => D, draftName?: string) {
  let blankDraft = createBlank()
  let draft = restoreDraft()
  const listeners = new Set<() => void>()
  const update = (next: D) => {
    draft = next
    for (const listener of listeners) listener()
  }
  const set = (next: D) => {
    update(next)
    if (draftName) writeDraft(draftName, next)
  }
  const clear = () => {
    blankDraft = createBlank()
    if (draftName) deleteDraft(draftName)
    update(blankDraft)
  }
  let author = getSession()?.accountId
  onSession(() => {
    const now = getSession()?.accountId
    if (now !== author) {
      blankDraft = createBlank()
      update(restoreDraft())
    }
    author = now
  })
  /** Fields missing in a draft of an older version get their initial values. */
  function restoreDraft(): D {
    const storedDraft = draftName && readDraft(draftName)
    return storedDraft && typeof storedDraft === 'object' && typeof blankDraft === 'object'
      ? { ...blankDraft, ...storedDraft }
      : blankDraft
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
    useIsDirty: () => useSyncExternalStore(subscribe, () => draft !== blankDraft),
  }
}
