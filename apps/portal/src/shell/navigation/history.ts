import { movedTo, moveOverOverlays } from '#ui/feedback/overlay-entries.ts'

/** Where one is: an entry of the browser's history, and how deep it lies in the page stack. */
export type Place = {
  path: string
  /** The query with its question mark, or nothing. */
  search: string
  href: string
  /** Steps back to the page the app was started on. */
  depth: number
  /** Different for every visit. */
  key: string
  /** Below the page the app was started on lies home, where the phone's way back leads. */
  homeBelow: boolean
}

type State = { depth: number; key: string; homeBelow?: boolean }

const listeners = new Set<() => void>()
let landing: string | undefined
let place = readPlace(0)

export const getPlace = () => place

export function onPlace(listener: () => void) {
  listeners.add(listener)
}

export function push(href: string) {
  moveOverOverlays('push', ({ over }) => {
    const state = newState(place.depth + 1)
    if (over) history.replaceState(state, '', href)
    else history.pushState(state, '', href)
    arrive()
  })
}

export function replace(href: string) {
  moveOverOverlays('replace', () => {
    history.replaceState({ ...newState(place.depth), homeBelow: place.homeBelow }, '', href)
    arrive()
  })
}

/**
 * Puts home below the page the app was started on, where nothing of ours is: going back from it would leave the portal
 * unexpectedly. Browsers that do not say what lies below are left as they are.
 */
export function putHomeBelow(home: string) {
  if (place.depth > 0 || place.homeBelow || place.path === home) return
  if (globalThis.navigation?.currentEntry?.index !== 0) return
  moveOverOverlays('stay', () => {
    const { key, href } = place
    const whole = href + location.hash
    history.replaceState(newState(0), '', home)
    history.pushState({ depth: 0, key, homeBelow: true }, '', whole)
    place = readPlace(0)
  })
}

/** Goes back so many steps and puts `href` in the place one lands on; the page that was there never shows. */
export function goBack(steps: number, href?: string) {
  moveOverOverlays('back', (overlays) => {
    landing = href
    history.go(-steps - overlays.steps)
  })
}

addEventListener('popstate', () => {
  if (movedTo((history.state as State | null)?.key === place.key)) return
  const href = landing
  landing = undefined
  if (href === undefined) return arrive()
  place = readPlace(0)
  replace(href)
})

function arrive() {
  place = readPlace(place.depth + 1)
  for (const listener of listeners) listener()
}

function readPlace(depthOfNew: number): Place {
  let state: State | null = history.state
  // The first page has no state of ours yet; nor has a step the browser took itself, to a `#` on the page.
  if (typeof state?.key !== 'string') {
    state = newState(depthOfNew)
    history.replaceState(state, '')
  }
  const path = location.pathname.replace(/(.)\/$/, '$1')
  const { depth, key, homeBelow = false } = state
  return { path, search: location.search, href: path + location.search, depth, key, homeBelow }
}

function newState(depth: number): State {
  return { depth, key: Math.random().toString(36).slice(2) }
}
