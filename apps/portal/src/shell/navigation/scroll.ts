import type { HistoryEntry } from './history.ts'
import { launchCount } from './navigation.ts'
import { isTab } from './screens.ts'

const storageKey = 'scroll'
const positions: Record<string, number> = readStored()
/** The address of the link by which each place was left. */
const links: Record<string, string | undefined> = {}
history.scrollRestoration = 'manual'

/** A tab has one scroll position, any other page one per visit. */
const keyOf = ({ path, key }: HistoryEntry) => (isTab(path) ? `${launchCount()} ${path}` : key)

/** Remembers the scroll position and the activated link, just before another page takes over. */
export function saveScroll(entry: HistoryEntry) {
  const link = document.activeElement?.closest('main a[href]')
  positions[keyOf(entry)] = scrollY
  links[keyOf(entry)] = link?.getAttribute('href') ?? undefined
}

/** The remembered scroll position of this place. */
export const getSavedScroll = (entry: HistoryEntry) => positions[keyOf(entry)] ?? 0

/** Restores the scroll position of this place, and the focus of its link; a new place begins at the top. */
export function restoreScroll(entry: HistoryEntry) {
  scrollTo(0, getSavedScroll(entry))
  const href = links[keyOf(entry)]
  // Something else has the focus if the place was reached by the tab bar.
  if (!href || document.activeElement !== document.body) return
  const link = [...document.querySelectorAll<HTMLElement>('main a[href]')].find(
    (one) => one.getAttribute('href') === href && one.getClientRects().length > 0,
  )
  link?.focus({ preventScroll: true })
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
