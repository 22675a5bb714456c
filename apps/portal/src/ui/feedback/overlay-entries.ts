import { useEffect, useRef } from 'react'

/*
 * Every overlay (dialog, sheet, scanner) has an entry in the browser's history, so that the system's back button closes
 * it. The entry has the address and state of the page below, plus the number of overlays up to it. Overlays report that
 * they open or close; the history entries are updated together in a microtask, so that replacing an overlay, or React
 * mounting it twice, costs no step. Going back is asynchronous, and moves requested during it are queued.
 */
type Overlay = { close: () => void }

/** Bottom first. */
const openOverlays: Overlay[] = []
/** Number of overlay entries between the page's own entry and the current one. */
let level = readLevel()
/** Set while going back over our own entries; that move was not made by the user. */
let pendingStep: ReturnType<typeof setTimeout> | undefined
/** Moves queued until then. */
const queuedMoves: (() => void)[] = []
let isScheduled = false

/** Longest time between the two clicks of a double click, in ms. */
const doubleClick = 500
let closedAt = Number.NEGATIVE_INFINITY
// The second click of a double click that closes an overlay must not hit what is below.
globalThis.document?.addEventListener?.(
  'click',
  (event) => {
    if (event.detail < 2 || performance.now() - closedAt > doubleClick) return
    event.preventDefault()
    event.stopPropagation()
  },
  { capture: true },
)

/** Milliseconds. A browser that has lost the entry fires no event when asked to go back. */
const maxStep = 1000

/**
 * Registers an open overlay. `close` is called when the user goes back over it or navigates to another page. @returns
 * unregisters it
 */
export function addOverlay(close: () => void): () => void {
  const overlay = { close }
  openOverlays.push(overlay)
  scheduleUpdate()
  return () => {
    const index = openOverlays.indexOf(overlay)
    if (index >= 0) openOverlays.splice(index, 1)
    closedAt = performance.now()
    scheduleUpdate()
  }
}

/** Gives an overlay its own history entry while it is open. */
export function useOverlayEntry(isOpen: boolean, onClose: () => void) {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => (isOpen ? addOverlay(() => close.current()) : undefined), [isOpen])
}

/**
 * Moves in the browser's history as if there were no overlays: `move` gets the number of entries to go back, and
 * whether to replace the current entry instead of pushing a new one.
 */
export function moveOverOverlays(kind: 'push' | 'replace' | 'back' | 'stay', move: Move) {
  if (pendingStep) return void queuedMoves.push(() => moveOverOverlays(kind, move))
  if (kind === 'stay') return move({ steps: 0, over: false })
  if (kind === 'back') {
    // The move also removes the overlays' entries, so they are not removed again on closing.
    const steps = level
    level = 0
    closeAll()
    return move({ steps, over: false })
  }
  // A new page replaces the entry of the lowest overlay.
  const over = kind === 'push' && level > 0
  const steps = over ? level - 1 : level
  if (steps > 0) return step(steps, () => moveOverOverlays(kind, move))
  level = 0
  move({ steps: 0, over })
  closeAll()
}
type Move = (entries: { steps: number; over: boolean }) => void

/**
 * Handles popstate. @param samePage whether both entries belong to one page @returns true if no page must be shown for
 * it
 */
export function handlePopState(samePage: boolean): boolean {
  const previousLevel = level
  level = readLevel()
  if (pendingStep) {
    finishStep()
    return true
  }
  if (!samePage) {
    closeAll()
    // Forward onto an overlay that was closed earlier: show the page itself.
    scheduleUpdate()
    return false
  }
  while (openOverlays.length > level) openOverlays.pop()?.close()
  scheduleUpdate()
  return previousLevel !== level
}

/** A reloaded page has no open overlays. */
if (level > 0) scheduleUpdate()

function readLevel() {
  const overlays: unknown = (globalThis.history?.state as { overlays?: unknown } | null)?.overlays
  return typeof overlays === 'number' ? overlays : 0
}

function closeAll() {
  for (const { close } of openOverlays.splice(0)) close()
}

function scheduleUpdate() {
  if (isScheduled) return
  isScheduled = true
  queueMicrotask(() => {
    isScheduled = false
    if (pendingStep) return
    for (; level < openOverlays.length; level++)
      history.pushState({ ...history.state, overlays: level + 1 }, '')
    if (level > openOverlays.length) step(level - openOverlays.length)
  })
}

function step(steps: number, then?: () => void) {
  if (then) queuedMoves.unshift(then)
  pendingStep = setTimeout(() => {
    level = readLevel()
    finishStep()
  }, maxStep)
  history.go(-steps)
}

function finishStep() {
  clearTimeout(pendingStep)
  pendingStep = undefined
  scheduleUpdate()
  for (const move of queuedMoves.splice(0)) move()
}
