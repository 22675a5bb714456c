import { figures } from '@atrium/rules/figures'
import { recordExit } from '#lib/events.ts'
import { moveOverOverlays } from '#ui/feedback/overlay-entries.ts'

let onPurpose = false

/** Leaves for another address because the app itself wants it: nobody is asked. */
export function leaveFor(address: string) {
  onPurpose = true
  moveOverOverlays('replace', () => location.replace(address))
}

/** Hands an address to another program of the device: this page stays. */
export function openProgram(address: string) {
  onPurpose = true
  moveOverOverlays('stay', () => {
    onPurpose = true
    location.assign(address)
    setTimeout(() => (onPurpose = false))
  })
}

export function reloadPage() {
  onPurpose = true
  location.reload()
}

let read: () => () => void = () => () => {}
/** Reads what is filled in on the screen, and answers how to keep it over a reload. */
export const readScreen = () => read()
/** The code for it comes after the first screen, as does whatever may be lost. */
export function setScreenReader(reader: () => () => void) {
  read = reader
}

let renewing = false
/**
 * Fetches a new version by reloading, once a minute at most: a broken one must not reload for ever.
 * @param keep what was filled in
 * @returns whether it does
 */
export function fetchNewVersion(keep: () => void) {
  if (renewing) return true
  try {
    const last = Number(sessionStorage.getItem('reloadedAt'))
    sessionStorage.setItem('reloadedAt', String(Date.now()))
    if (Date.now() - last <= 60_000) return false
  } catch {
    return false
  }
  renewing = true
  keep()
  reloadPage()
  return true
}

/** Leaving the app after a stay is recorded, and asked about where browsers allow that (specification, shell 4). */
export function watchExit() {
  addEventListener('pagehide', recordExit)
  addEventListener('beforeunload', (event) => {
    if (onPurpose || performance.now() <= figures.exitEventThreshold) return
    event.preventDefault()
    // What Chrome asked for before version 119.
    event.returnValue = true
  })
  // Links to the telephone or the mail leave nothing behind, and to other pages of ours only this page.
  addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (!link || link.target === '_blank') return
    onPurpose = true
    setTimeout(() => (onPurpose = false))
  })
}
