import type { HistoryEntry } from './history.ts'
import { launchCount } from './navigation.ts'
import { isTab } from './screens.ts'

const stored = 'scroll'
const kept: Record<string, number> = readStored()
history.scrollRestoration = 'manual'

/** A tab has one scroll position, any other page one per visit. */
const keyOf = ({ path, key }: HistoryEntry) => (isTab(path) ? `${launchCount()} ${path}` : key)

/** Remembers the scroll position, just before another page takes over. */
export function keepScroll(place: HistoryEntry) {
  kept[keyOf(place)] = scrollY
}

/** The remembered scroll position of this place. */
export const keptScroll = (place: HistoryEntry) => kept[keyOf(place)] ?? 0

/** Restores the scroll position of this place; a new place begins at the top. */
export function restoreScroll(place: HistoryEntry) {
  scrollTo(0, keptScroll(place))
}

export function storeScroll(place: HistoryEntry) {
  keepScroll(place)
  try {
    sessionStorage.setItem(stored, JSON.stringify(kept))
  } catch {
    // Storage is unavailable: a reload begins at the top.
  }
}

function readStored() {
  try {
    return JSON.parse(sessionStorage.getItem(stored) ?? '{}')
  } catch {
    return {}
  }
}
