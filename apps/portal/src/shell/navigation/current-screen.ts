import { figures } from '@atrium/rules/figures'
import { getSession, onSession } from '#lib/session.ts'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { getPlace, onPlace, type Place } from './history.ts'
import { ChunkLoadError, fetchPage, pageAt } from './page-code.ts'
import { fetchNewVersion, readScreen } from './page-exit.ts'
import { findScreen, isMapWhole, type Screen, screenAt } from './screens.ts'
import { keepScroll } from './scroll.ts'

/** What is on the screen: the previous page, while the next page's code is loading. */
export type Showing = { place: Place; loading?: true; error?: unknown }

const listeners = new Set<() => void>()
let showing: Showing | undefined
let latest = 0

export const getShowing = () => showing
export function onShowing(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Shows the current place and follows navigation from then on. Resolves once something can be drawn. */
export function startShowing(patience: number) {
  onPlace(() => void show(getPlace()))
  // Leaves a members' page when the session ends.
  onSession(() => void show(getPlace()))
  return Promise.race([
    show(getPlace(), patience),
    new Promise<void>((resolve) => onShowing(resolve)),
  ])
}

/** Shows the current place again, after what it was missing has loaded. */
export const showAgain = () => void show(getPlace())

/** If the code takes longer than `delay`, shows the loading state, then for at least 500 ms. */
async function show(place: Place, delay: number = figures.loadingDelay) {
  const call = ++latest
  const isLatest = () => call === latest
  if (settle(place)) return
  let since = 0
  let keepScreen: (() => void) | undefined
  const timer = setTimeout(() => {
    if (!isLatest()) return
    since = performance.now()
    keepScreen = readScreen()
    set({ place, loading: true })
  }, delay)
  const error = await findScreen(place.path)
    .catch(() => undefined)
    .then((screen) => (needsSignIn(screen) ? undefined : fetchPage(place.path)))
    .catch((failure: unknown) => failure)
  clearTimeout(timer)
  if (since) await pause(since + figures.loadingMinimum - performance.now())
  if (!isLatest()) return
  if (error instanceof ChunkLoadError && error.type === 'missing') {
    if (fetchNewVersion(keepScreen ?? readScreen())) return
  }
  if (error !== undefined) set({ place, error })
  else settle(place)
}

/**
 * Shows what is available immediately and returns whether it could: a loaded page, or the not-found page. A members'
 * page leads visitors to the login.
 */
function settle(place: Place) {
  const screen = screenAt(place.path)
  if (!screen && !isMapWhole()) return false
  if (needsSignIn(screen)) signIn(place.href)
  else if (screen && !pageAt(place.path)) return false
  else set({ place })
  return true
}

const needsSignIn = (screen: Screen | undefined) => screen?.access === 'member' && !getSession()

function set(next: Showing) {
  if (showing) keepScroll(showing.place)
  showing = next
  for (const listener of listeners) listener()
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
