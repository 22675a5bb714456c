let byPointer = false
globalThis.document?.addEventListener?.(
  'pointerdown',
  () => {
    byPointer = true
  },
  { capture: true, passive: true },
)
globalThis.document?.addEventListener?.(
  'keydown',
  () => {
    byPointer = false
  },
  { capture: true, passive: true },
)

/**
 * Whether the last input came from a mouse, pen or finger. Pressing a control focuses it as well, so a focus alone does
 * not tell that somebody uses a keyboard or a screen reader.
 */
export const isPointing = () => byPointer
