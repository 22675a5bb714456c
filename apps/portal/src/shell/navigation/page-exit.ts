import { figures } from '@atrium/rules/figures'
import { recordExit } from '#lib/events.ts'
import { moveOverOverlays } from '#ui/feedback/overlay-entries.ts'

let isIntended = false

/** Leaves for another address on the app's own initiative, without asking the user. */
export function leaveTo(address: string) {
  isIntended = true
  moveOverOverlays('replace', () => location.replace(address))
}

/** Opens an address in another app on the device; this page stays. */
export function openExternalApp(address: string) {
  isIntended = true
  moveOverOverlays('stay', () => {
    isIntended = true
    location.assign(address)
    setTimeout(() => (isIntended = false))
  })
}

export function reloadPage() {
  isIntended = true
  location.reload()
}

let formReader: () => () => void = () => () => {}
/** Reads the form values on the screen; returns a function that saves them across a reload. */
export const readOpenForm = () => formReader()
/** Registered after the first screen: until then there is nothing to lose. */
export function setFormReader(reader: () => () => void) {
  formReader = reader
}

let isReloading = false
/**
 * Reloads to get a new version, at most once a minute: a broken version must not reload forever.
 * @param saveForm saves the form values
 * @returns whether it reloads
 */
export function reloadForNewVersion(saveForm: () => void) {
  if (isReloading) return true
  try {
    const last = Number(sessionStorage.getItem('reloadedAt'))
    sessionStorage.setItem('reloadedAt', String(Date.now()))
    if (Date.now() - last <= 60_000) return false
  } catch {
    return false
  }
  isReloading = true
  saveForm()
  reloadPage()
  return true
}

/** Records leaving the app after a stay, and asks for confirmation where browsers allow it (specification, shell 4). */
export function watchExit() {
  addEventListener('pagehide', recordExit)
  addEventListener('beforeunload', (event) => {
    if (isIntended || performance.now() <= figures.exitEventThreshold) return
    event.preventDefault()
    // Chrome before version 119 needs this.
    event.returnValue = true
  })
  // Links to phone or mail do not leave the page; other links in the app do not leave the app.
  addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (!link || link.target === '_blank') return
    isIntended = true
    setTimeout(() => (isIntended = false))
  })
}
