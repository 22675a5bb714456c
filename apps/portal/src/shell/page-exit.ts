import { figures } from '@atrium/rules/figures'
import { recordExit } from '#lib/events.ts'

let onPurpose = false

/** Leaves for another address because the app itself wants it: nobody is asked. */
export function leaveFor(address: string) {
  onPurpose = true
  location.replace(address)
}

/** Hands an address to another program of the device: this page stays. */
export function openProgram(address: string) {
  onPurpose = true
  location.assign(address)
  setTimeout(() => (onPurpose = false))
}

export function reloadPage() {
  onPurpose = true
  location.reload()
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
