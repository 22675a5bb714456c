import type { HistoryEntry } from './history.ts'
import { launchCount } from './navigation.ts'
import { isTab } from './screens.ts'

const storageKey = 'scroll'
const positions: Record<string, number> = readStored()
history.scrollRestoration = 'manual'

/** A tab has one scroll position, any other page one per visit. */
const keyOf = ({ path, key }: HistoryEntry) => (isTab(path) ? `${launchCount()} ${path}` : key)

/** Remembers the scroll position, just before another page takes over. */
export function saveScroll(entry: HistoryEntry) {
  positions[keyOf(entry)] = scrollY
}

/** The remembered scroll position of this place. */
export const getSavedScroll = (entry: HistoryEntry) => positions[keyOf(entry)] ?? 0

/** Restores the scroll position of this place; a new place begins at the top. */
export function restoreScroll(entry: HistoryEntry) {
  scrollTo(0, getSavedScroll(entry))
}

export function persistScroll(entry: HistoryEntry) {
  saveScroll(entry)
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(positions))
  } catch {
    // Storage is unavailable: a reload begins at the top.
  }
}

function readStored() {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}
