import type { Place } from './history.ts'
import { launchCount } from './navigation.ts'
import { isTab } from './screens.ts'

const stored = 'scroll'
const kept: Record<string, number> = readStored()
history.scrollRestoration = 'manual'

/** A tab has one place to come back to, every other page one for each visit. */
const keyOf = ({ path, key }: Place) => (isTab(path) ? `${launchCount()} ${path}` : key)

/** Remembers how far down one was, just before another page takes over. */
export function keepScroll(place: Place) {
  kept[keyOf(place)] = scrollY
}

/** How far down one was on this place. */
export const keptScroll = (place: Place) => kept[keyOf(place)] ?? 0

/** Back to where one was on this place; a new one begins at the top. */
export function restoreScroll(place: Place) {
  scrollTo(0, keptScroll(place))
}

export function storeScroll(place: Place) {
  keepScroll(place)
  try {
    sessionStorage.setItem(stored, JSON.stringify(kept))
  } catch {
    // Then a reload begins at the top.
  }
}

function readStored() {
  try {
    return JSON.parse(sessionStorage.getItem(stored) ?? '{}')
  } catch {
    return {}
  }
}
