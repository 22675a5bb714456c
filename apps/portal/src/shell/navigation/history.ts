import { movedTo, moveOverOverlays } from '#ui/feedback/overlay-entries.ts'

/** An entry of the browser's history, with its depth in the page stack. */
export type Place = {
  path: string
  /** The query with its question mark, or empty. */
  search: string
  href: string
  /** Steps back to the page the app was started on. */
  depth: number
  /** Different for every visit. */
  key: string
  /** Home was inserted below the first page, so the system's back button leads there. */
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
 * Inserts home below the page the app was started on if no entry precedes it, because going back would leave the portal
 * unexpectedly. Does nothing in browsers without the Navigation API.
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

/** Goes back `steps` entries and replaces the entry reached with `href`; the page that was there is never shown. */
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
  // The first page has no state of ours yet, and neither has an entry the browser added for a `#` link.
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
