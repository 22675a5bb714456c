import { handlePopState, moveOverOverlays } from '#ui/feedback/overlay-entries.ts'

/** An entry of the browser's history, with its depth in the page stack. */
export type HistoryEntry = {
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
let landingHref: string | undefined
let entry = readEntry(0)

export const getHistoryEntry = () => entry

export function onHistoryChange(listener: () => void) {
  listeners.add(listener)
}

export function push(href: string) {
  moveOverOverlays('push', ({ over }) => {
    const state = newState(entry.depth + 1)
    if (over) history.replaceState(state, '', href)
    else history.pushState(state, '', href)
    arrive()
  })
}

export function replace(href: string) {
  moveOverOverlays('replace', () => {
    history.replaceState({ ...newState(entry.depth), homeBelow: entry.homeBelow }, '', href)
    arrive()
  })
}

/**
 * Inserts home below the page the app was started on if no entry precedes it, because going back would leave the portal
 * unexpectedly. Does nothing in browsers without the Navigation API.
 */
export function insertHomeBelow(home: string) {
  if (entry.depth > 0 || entry.homeBelow || entry.path === home) return
  if (globalThis.navigation?.currentEntry?.index !== 0) return
  moveOverOverlays('stay', () => {
    const { key, href } = entry
    const hrefWithHash = href + location.hash
    history.replaceState(newState(0), '', home)
    history.pushState({ depth: 0, key, homeBelow: true }, '', hrefWithHash)
    entry = readEntry(0)
  })
}

/** Goes back `steps` entries and replaces the entry reached with `href`; the page that was there is never shown. */
export function goBack(steps: number, href?: string) {
  moveOverOverlays('back', (overlays) => {
    landingHref = href
    history.go(-steps - overlays.steps)
  })
}

addEventListener('popstate', () => {
  if (handlePopState((history.state as State | null)?.key === entry.key)) return
  const href = landingHref
  landingHref = undefined
  if (href === undefined) return arrive()
  entry = readEntry(0)
  replace(href)
})

function arrive() {
  entry = readEntry(entry.depth + 1)
  for (const listener of listeners) listener()
}

function readEntry(depthOfNew: number): HistoryEntry {
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
