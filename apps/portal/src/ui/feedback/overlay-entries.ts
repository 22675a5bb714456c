import { useEffect, useRef } from 'react'

/*
 * What covers the screen (dialogs, sheets, the scanner) has an entry in the browser's history, so that the phone's way back
 * closes it. Its entry has the address and state of the page below, and how many overlays there are up to it. Overlays say that
 * they are open or not; entries follow in one place a moment later, so that one that takes the place of another, or is
 * mounted twice by React, costs no step. Going back takes the browser a moment, and whatever moves meanwhile waits for it.
 */
type Overlay = { close: () => void }

/** The lowest first. */
const open: Overlay[] = []
/** How many entries of overlays lie between the page's own entry and the current one. */
let level = levelHere()
/** Going back over entries of ours: the move is not the member's. */
let stepping: ReturnType<typeof setTimeout> | undefined
/** Moves that wait for that. */
const waiting: (() => void)[] = []
let planned = false

/** The second of two clicks follows the first within this long, ms. */
const doubleClick = 500
let closedAt = Number.NEGATIVE_INFINITY
// Who taps twice to close does not mean what lies below.
globalThis.document?.addEventListener?.(
  'click',
  (event) => {
    if (event.detail < 2 || performance.now() - closedAt > doubleClick) return
    event.preventDefault()
    event.stopPropagation()
  },
  { capture: true },
)

/** A browser that has lost the entry says nothing when it is asked to go back. */
const maxStep = 1000

/** An overlay is there. `close` is called when the member goes back over it, or on to another page. @returns says that it is gone */
export function addOverlay(close: () => void): () => void {
  const overlay = { close }
  open.push(overlay)
  plan()
  return () => {
    const at = open.indexOf(overlay)
    if (at >= 0) open.splice(at, 1)
    closedAt = performance.now()
    plan()
  }
}

/** Gives what covers the screen an entry of its own for as long as it is open. */
export function useOverlayEntry(isOpen: boolean, onClose: () => void) {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => (isOpen ? addOverlay(() => close.current()) : undefined), [isOpen])
}

/**
 * Moves on the browser's history as if there was no overlay: `move` is told how many entries it has to take back, and whether the
 * current one is to be written over instead of a new one put behind it.
 */
export function moveOverOverlays(kind: 'push' | 'replace' | 'back' | 'stay', move: Move) {
  if (stepping) return void waiting.push(() => moveOverOverlays(kind, move))
  if (kind === 'stay') return move({ steps: 0, over: false })
  if (kind === 'back') {
    // The move takes their entries along: none is taken back a second time when they close.
    const steps = level
    level = 0
    closeAll()
    return move({ steps, over: false })
  }
  // A new page takes the place of the lowest overlay's entry.
  const over = kind === 'push' && level > 0
  const steps = over ? level - 1 : level
  if (steps > 0) return step(steps, () => moveOverOverlays(kind, move))
  level = 0
  move({ steps: 0, over })
  closeAll()
}
type Move = (entries: { steps: number; over: boolean }) => void

/** The browser has moved. @param samePage between entries of one page @returns whether no page is to be shown for it */
export function movedTo(samePage: boolean): boolean {
  const before = level
  level = levelHere()
  if (stepping) {
    stepped()
    return true
  }
  if (!samePage) {
    closeAll()
    // Forward onto an overlay that was closed long ago: the page itself is meant.
    plan()
    return false
  }
  while (open.length > level) open.pop()?.close()
  plan()
  return before !== level
}

/** A page that was reloaded stands there without its overlays. */
if (level > 0) plan()

function levelHere() {
  const overlays: unknown = (globalThis.history?.state as { overlays?: unknown } | null)?.overlays
  return typeof overlays === 'number' ? overlays : 0
}

function closeAll() {
  for (const { close } of open.splice(0)) close()
}

function plan() {
  if (planned) return
  planned = true
  queueMicrotask(() => {
    planned = false
    if (stepping) return
    for (; level < open.length; level++)
      history.pushState({ ...history.state, overlays: level + 1 }, '')
    if (level > open.length) step(level - open.length)
  })
}

function step(steps: number, then?: () => void) {
  if (then) waiting.unshift(then)
  stepping = setTimeout(() => {
    level = levelHere()
    stepped()
  }, maxStep)
  history.go(-steps)
}

function stepped() {
  clearTimeout(stepping)
  stepping = undefined
  plan()
  for (const move of waiting.splice(0)) move()
}
