import { useRef } from 'react'

const holdMs = 500
/** A finger that moves this many pixels is scrolling. */
const maxMove = 10

/**
 * Handlers for an element with a menu, which a long press or the right mouse button opens. The click that ends a long
 * press is suppressed. Keyboard users need a button beside it.
 */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined)
  const opened = useRef(false)
  const cancel = () => {
    clearTimeout(press.current?.timer)
    press.current = undefined
  }
  const open = () => {
    cancel()
    opened.current = true
    onLongPress()
  }
  return {
    onPointerDown(event: React.PointerEvent) {
      opened.current = false
      if (event.pointerType !== 'touch') return
      cancel()
      press.current = { timer: setTimeout(open, holdMs), x: event.clientX, y: event.clientY }
    },
    onPointerMove(event: React.PointerEvent) {
      const { x, y } = press.current ?? { x: event.clientX, y: event.clientY }
      if (Math.hypot(event.clientX - x, event.clientY - y) > maxMove) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onContextMenu(event: React.MouseEvent) {
      event.preventDefault()
      if (!opened.current) open()
    },
    onClickCapture(event: React.MouseEvent) {
      if (!opened.current) return
      opened.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
