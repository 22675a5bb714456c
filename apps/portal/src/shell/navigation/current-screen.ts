import { figures } from '@atrium/rules/figures'
import { getSession, onSession } from '#lib/session.ts'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { getHistoryEntry, type HistoryEntry, onHistoryChange } from './history.ts'
import { ChunkLoadError, findLoadedPage, loadPage } from './page-code.ts'
import { readOpenForm, reloadForNewVersion } from './page-exit.ts'
import { findLoadedScreen, findScreen, isRouteMapLoaded, type Screen } from './screens.ts'
import { saveScroll } from './scroll.ts'

/** What is on the screen: the previous page, while the next page's code is loading. */
export type CurrentScreen = { entry: HistoryEntry; loading?: true; error?: unknown }

const listeners = new Set<() => void>()
let current: CurrentScreen | undefined
let latest = 0

export const getCurrentScreen = () => current
export function onScreenChange(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Shows the current place and follows navigation from then on. Resolves once something can be drawn. */
export function startRouting(timeoutMs: number) {
  onHistoryChange(() => void showEntry(getHistoryEntry()))
  // Leaves a members' page when the session ends.
  onSession(() => void showEntry(getHistoryEntry()))
  return Promise.race([
    showEntry(getHistoryEntry(), timeoutMs),
    new Promise<void>((resolve) => onScreenChange(resolve)),
  ])
}

/** Shows the current place again, after what it was missing has loaded. */
export const showCurrentAgain = () => void showEntry(getHistoryEntry())

/** If the code takes longer than `delay`, shows the loading state, then for at least 500 ms. */
async function showEntry(entry: HistoryEntry, delay: number = figures.loadingDelay) {
  const call = ++latest
  const isLatest = () => call === latest
  if (showIfAvailable(entry)) return
  let loadingSince = 0
  let saveForm: (() => void) | undefined
  const timer = setTimeout(() => {
    if (!isLatest()) return
    loadingSince = performance.now()
    saveForm = readOpenForm()
    set({ entry, loading: true })
  }, delay)
  const error = await findScreen(entry.path)
    .catch(() => undefined)
    .then((screen) => (needsSignIn(screen) ? undefined : loadPage(entry.path)))
    .catch((failure: unknown) => failure)
  clearTimeout(timer)
  if (loadingSince) await sleep(loadingSince + figures.loadingMinimum - performance.now())
  if (!isLatest()) return
  if (error instanceof ChunkLoadError && error.type === 'missing') {
    if (reloadForNewVersion(saveForm ?? readOpenForm())) return
  }
  if (error !== undefined) set({ entry, error })
  else showIfAvailable(entry)
}

/**
 * Shows what is available immediately and returns whether it could: a loaded page, or the not-found page. A members'
 * page leads visitors to the login.
 */
function showIfAvailable(entry: HistoryEntry) {
  const screen = findLoadedScreen(entry.path)
  if (!screen && !isRouteMapLoaded()) return false
  if (needsSignIn(screen)) signIn(entry.href)
  else if (screen && !findLoadedPage(entry.path)) return false
  else set({ entry })
  return true
}

const needsSignIn = (screen: Screen | undefined) => screen?.access === 'member' && !getSession()

function set(next: CurrentScreen) {
  if (current) saveScroll(current.entry)
  current = next
  for (const listener of listeners) listener()
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
