import { useRef } from 'react'

const longPressMs = 500
/** A finger that moves this many pixels is scrolling. */
const maxMove = 10

/**
 * Handlers for an element with a menu, which a long press or the right mouse button opens. The click that ends a long
 * press is suppressed. Keyboard users need a button beside it. Events of dialogs that the element renders are left
 * alone: React passes them up from their portal.
 */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined)
  const hasOpened = useRef(false)
  const cancel = () => {
    clearTimeout(press.current?.timer)
    press.current = undefined
  }
  const open = () => {
    cancel()
    hasOpened.current = true
    onLongPress()
  }
  const isInside = ({ currentTarget, target }: React.SyntheticEvent) =>
    currentTarget.contains(target as Node)
  return {
    onPointerDown(event: React.PointerEvent) {
      if (!isInside(event)) return
      hasOpened.current = false
      if (event.pointerType !== 'touch') return
      cancel()
      press.current = { timer: setTimeout(open, longPressMs), x: event.clientX, y: event.clientY }
    },
    onPointerMove(event: React.PointerEvent) {
      const { x, y } = press.current ?? { x: event.clientX, y: event.clientY }
      if (Math.hypot(event.clientX - x, event.clientY - y) > maxMove) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onContextMenu(event: React.MouseEvent) {
      if (!isInside(event)) return
      event.preventDefault()
      if (!hasOpened.current) open()
    },
    onClickCapture(event: React.MouseEvent) {
      if (!hasOpened.current || !isInside(event)) return
      hasOpened.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
