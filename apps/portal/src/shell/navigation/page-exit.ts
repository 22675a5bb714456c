import { figures } from '@atrium/rules/figures'
import { recordExit } from '#lib/events.ts'
import { moveOverOverlays } from '#ui/feedback/overlay-entries.ts'

let onPurpose = false

/** Leaves for another address on the app's own initiative, without asking the user. */
export function leaveFor(address: string) {
  onPurpose = true
  moveOverOverlays('replace', () => location.replace(address))
}

/** Opens an address in another app on the device; this page stays. */
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
/** Reads the form values on the screen; returns a function that saves them across a reload. */
export const readScreen = () => read()
/** Registered after the first screen: until then there is nothing to lose. */
export function setScreenReader(reader: () => () => void) {
  read = reader
}

let renewing = false
/**
 * Reloads to get a new version, at most once a minute: a broken version must not reload forever.
 * @param keep saves the form values
 * @returns whether it reloads
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

/** Records leaving the app after a stay, and asks for confirmation where browsers allow it (specification, shell 4). */
export function watchExit() {
  addEventListener('pagehide', recordExit)
  addEventListener('beforeunload', (event) => {
    if (onPurpose || performance.now() <= figures.exitEventThreshold) return
    event.preventDefault()
    // Chrome before version 119 needs this.
    event.returnValue = true
  })
  // Links to phone or mail do not leave the page; other links in the app do not leave the app.
  addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (!link || link.target === '_blank') return
    onPurpose = true
    setTimeout(() => (onPurpose = false))
  })
}
